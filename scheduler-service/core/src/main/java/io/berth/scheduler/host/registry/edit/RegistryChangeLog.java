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

/** Logs operators' changes to the registry; reports of compute nodes and instances are not logged. */
@Singleton
public class RegistryChangeLog {
    private final ChangeLog log;

    RegistryChangeLog(ChangeLog log) {
        this.log = log;
    }

    /**
     * @param before as PostgreSQL writes it; null if the record is new
     * @param now null if it was deleted
     */
    public void changed(RoutingContext http, Collection collection, UUID uuid, @Nullable String before, @Nullable String now) {
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
        changed(
                http, kind + " " + name(wanted == null ? old : wanted) + " (" + uuid + ")", text(old), text(wanted));
    }

    /**
     * Logs another change that an operator requested.
     *
     * @param what with the name that operators know it by
     * @param old null if it did not exist
     * @param now null if it is gone
     */
    public void changed(RoutingContext http, String what, @Nullable String old, @Nullable String now) {
        if (Identification.of(http) instanceof Identification.Known known) {
            log.changed(known.caller(), RequestId.of(http), what, old, now);
        }
    }

    private static JsonNode parse(String body) {
        return JsonBody.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the name of a record; services are named by their hosts. */
    private static String name(JsonNode record) {
        return record.path(record.path("name").isTextual() ? "name" : "host").asText();
    }

    private static @Nullable String text(@Nullable JsonNode record) {
        return record == null ? null : record.toString();
    }
}
