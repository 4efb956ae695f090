package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.identity.Identification;
import io.berth.identity.log.ChangeLog;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Records operators' changes to the registry in the log and for {@code GET /v1/changes}. Ignores compute nodes and
 * instances, which services write, not operators.
 */
@Singleton
public class RegistryChangeLog {
    private final ChangeLog log;

    RegistryChangeLog(ChangeLog log) {
        this.log = log;
    }

    /**
     * Records a change of a record, unless both JSON values are equal.
     *
     * @param before the replaced body; null if the record is new
     * @param now the new body; null if the record was deleted
     */
    public void changed(RoutingContext http, Collection collection, UUID uuid, @Nullable String before,
            @Nullable String now) {
        String kind = switch (collection) {
            case CELLS -> "cell";
            case SERVICES -> "service";
            case HOST_AGGREGATES -> "host aggregate";
            case SERVER_GROUPS -> "server group";
            case COMPUTE_NODES, INSTANCES -> null;
        };
        if (kind == null) {
            return;
        }
        JsonNode old = before == null ? null : parse(before);
        JsonNode wanted = now == null ? null : parse(now);
        if (old != null && old.equals(wanted)) {
            return;
        }
        JsonNode latest = wanted == null ? old : wanted;
        if (latest != null) {
            changed(http, kind + " " + name(latest) + " (" + uuid + ")", text(old), text(wanted));
        }
    }

    /**
     * Records a change that is not a registered record. Does nothing if the caller is not identified.
     *
     * @param what the changed object, with the name that operators use
     * @param old the former value; null if there was none
     * @param now the new value; null if the object was deleted
     */
    public void changed(RoutingContext http, String what, @Nullable String old, @Nullable String now) {
        if (Identification.of(http) instanceof Identification.Known known) {
            log.changed(known.caller(), RequestId.of(http), what, old, now);
        }
    }

    private static JsonNode parse(String body) {
        return JsonBody.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the member {@code name} of a record, or {@code host} for a service, which has no name. */
    private static String name(JsonNode record) {
        return record.path(record.path("name").isTextual() ? "name" : "host").asText();
    }

    private static @Nullable String text(@Nullable JsonNode record) {
        return record == null ? null : record.toString();
    }
}
