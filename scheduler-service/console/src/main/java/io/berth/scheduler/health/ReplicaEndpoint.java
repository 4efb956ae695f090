package io.berth.scheduler.health;

import io.berth.observability.Replica;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.placement.OverviewResult;
import io.berth.scheduler.placement.http.PlacementState;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;

/**
 * {@code GET /v1/replica}: returns the name and version of the replica that serves this request, and of the replica of
 * placement that it queried, or why the latter is unknown.
 */
@Path("/v1/replica")
@Produces(MediaType.APPLICATION_JSON)
public class ReplicaEndpoint {
    private final Replica replica;
    private final PlacementState placement;

    ReplicaEndpoint(Replica replica, PlacementState placement) {
        this.replica = replica;
        this.placement = placement;
    }

    @GET
    public Uni<String> show(@Context RoutingContext http) {
        return placement.replica(RequestId.of(http)).map(result -> switch (result) {
            case OverviewResult.Received(byte[] json) -> render(new JsonObject(Buffer.buffer(json)), null);
            case OverviewResult.NotSupported() ->
                render(null, "this placement is not Berth's: it does not report this");
            case OverviewResult.Unreachable(String why) -> render(null, "placement is unavailable: " + why);
        });
    }

    /**
     * Renders the response.
     *
     * @param ofPlacement placement's response; null if placement did not respond, or is not Berth's
     * @param cause why {@code ofPlacement} is null; null if it is not
     */
    private String render(@Nullable JsonObject ofPlacement, @Nullable String cause) {
        return new JsonObject()
                .put("scheduler", replica.render())
                .put("placement", ofPlacement)
                .put("placement_trouble", cause)
                .encode();
    }
}
