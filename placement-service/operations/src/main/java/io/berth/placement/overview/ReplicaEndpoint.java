package io.berth.placement.overview;

import io.berth.observability.Replica;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

/**
 * Berth's own route {@code GET /berth/v1/replica}: returns the name and the software version of the replica that
 * responds ({@link Replica}).
 */
@Path("/berth/v1/replica")
public final class ReplicaEndpoint {
    private final Replica replica;

    ReplicaEndpoint(Replica replica) {
        this.replica = replica;
    }

    @GET
    @NonBlocking
    public Uni<Response> show(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:list");
        byte[] json = replica.render().toBuffer().getBytes();
        return Uni.createFrom().item(Responses.ok(call, json, System.currentTimeMillis()));
    }
}
