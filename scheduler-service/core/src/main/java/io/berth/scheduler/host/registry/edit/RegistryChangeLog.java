package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.identity.Identification;
import io.berth.identity.log.ChangeLog;
import io.berth.scheduler.host.registry.RecordCollection;
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
     * Records a change of a record, unless both JSON values are equal, or the caller is not identified.
     *
     * @param bodyBefore the replaced body; null if the record is new
     * @param bodyAfter the new body; null if the record was deleted
     */
    public void recordChange(RoutingContext http, RecordCollection collection, UUID uuid, @Nullable String bodyBefore,
            @Nullable String bodyAfter) {
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
        JsonNode before = bodyBefore == null ? null : parse(bodyBefore);
        JsonNode after = bodyAfter == null ? null : parse(bodyAfter);
        if (before != null && before.equals(after)) {
            return;
        }
        JsonNode latest = after == null ? before : after;
        if (latest != null) {
            recordChange(http, kind + " " + name(latest) + " (" + uuid + ")", text(before), text(after));
        }
    }

    /**
     * Records a change of any object. Does nothing if the caller is not identified.
     *
     * @param object kind and name of the changed object, as operators know them
     * @param before the former value; null if there was none
     * @param after the new value; null if the object was deleted
     */
    public void recordChange(RoutingContext http, String object, @Nullable String before, @Nullable String after) {
        if (Identification.of(http) instanceof Identification.Known known) {
            log.changed(known.caller(), RequestId.of(http), object, before, after);
        }
    }

    private static JsonNode parse(String body) {
        return JsonBody.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the member {@code name} of a record, or {@code host} for a service, which has no name. Empty for a server
     * group without a name.
     */
    private static String name(JsonNode record) {
        return record.path(record.path("name").isTextual() ? "name" : "host").asText();
    }

    private static @Nullable String text(@Nullable JsonNode record) {
        return record == null ? null : record.toString();
    }
}
