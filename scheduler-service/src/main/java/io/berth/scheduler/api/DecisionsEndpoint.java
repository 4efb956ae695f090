package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import io.smallrye.mutiny.Uni;

/** {@code GET /v1/decisions/{id}}: why a recent decision went as it did. */
@Path("/v1/decisions/{id}")
@Produces(MediaType.APPLICATION_JSON)
public class DecisionsEndpoint {
    private final RecentDecisions recent;

    DecisionsEndpoint(RecentDecisions recent) {
        this.recent = recent;
    }

    @GET
    public Uni<String> get(@PathParam("id") String id) {
        String explanation = recent.find(id);
        if (explanation == null) {
            throw ApiFault.notFound("no recent decision " + id + " on this replica");
        }
        return Uni.createFrom().item(explanation);
    }
}
