package io.berth.scheduler.host.registry.heartbeat;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/services/{uuid}/heartbeat}: stores a heartbeat of one compute service. The request has no body. The
 * version of the service's record does not change.
 */
@Path("/v1/services/{uuid}/heartbeat")
public class HeartbeatEndpoint {
    private final HeartbeatStore store;

    HeartbeatEndpoint(HeartbeatStore store) {
        this.store = store;
    }

    @POST
    @Cancellable(false)
    public Uni<Response> beat(@PathParam("uuid") String text) {
        UUID uuid = StrictObject.uuidOf(text, "uuid");
        return store.beat(uuid).map(exists -> {
            if (!exists) {
                throw ApiFault.notFound("no record " + uuid + " in services");
            }
            return Response.noContent().build();
        });
    }
}
