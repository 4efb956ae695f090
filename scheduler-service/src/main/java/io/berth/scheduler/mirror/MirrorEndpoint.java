package io.berth.scheduler.mirror;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;

/**
 * {@code GET /v1/mirror}: what of the registry placement does not hold yet. {@code ?host=} asks for one host; nothing
 * pending there means that its services, aggregates and compute nodes are in placement as registered.
 */
@Path("/v1/mirror")
@Produces(MediaType.APPLICATION_JSON)
public class MirrorEndpoint {
    private static final int HOSTS_MAX = 100;

    private final MirrorStore store;
    private final MirrorRuns runs;

    MirrorEndpoint(MirrorStore store, MirrorRuns runs) {
        this.store = store;
        this.runs = runs;
    }

    @GET
    public Uni<String> get(@QueryParam("host") String host) {
        if (host != null && host.indexOf('\0') >= 0) {
            throw ApiFault.invalid("host: text must not hold NUL");
        }
        return store.state(host, HOSTS_MAX).map(state -> render(state, runs.enabled()));
    }

    private static String render(MirrorState state, boolean enabled) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("enabled", enabled);
        answer.put("pending", state.pending());
        answer.put("oldest_since", text(state.oldestSince()));
        answer.put("oldest_seconds", state.oldestSeconds());
        answer.put("last_error", state.lastError());
        ArrayNode hosts = answer.putArray("hosts");
        state.hosts().forEach(host -> render(host, hosts.addObject()));
        return answer.toString();
    }

    private static void render(MirrorState.Host host, ObjectNode json) {
        json.put("host", host.name());
        json.put("service_state", host.status());
        add(json.putArray("host_aggregates"), host.aggregates());
        add(json.putArray("compute_nodes"), host.computeNodes());
        json.put("since", text(host.since()));
        json.put("next_attempt_at", text(host.nextAt()));
        json.put("attempts", host.attempts());
        json.put("last_error", host.lastError());
        json.put("last_error_at", text(host.lastErrorAt()));
    }

    private static void add(ArrayNode list, Set<UUID> uuids) {
        uuids.forEach(uuid -> list.add(uuid.toString()));
    }

    private static @Nullable String text(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toString();
    }
}
