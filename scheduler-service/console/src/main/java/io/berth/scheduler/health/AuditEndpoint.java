package io.berth.scheduler.health;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.placement.OverviewResult;
import io.berth.scheduler.placement.http.PlacementState;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;

/**
 * {@code GET /v1/audit}: returns placement's audit: the inconsistencies in placement's tables, and the repairs that
 * placement would make. This route repairs nothing; operators request the repairs from placement itself.
 */
@Path("/v1/audit")
@Produces(MediaType.APPLICATION_JSON)
public class AuditEndpoint {
    private final PlacementState placement;

    AuditEndpoint(PlacementState placement) {
        this.placement = placement;
    }

    @GET
    public Uni<byte[]> plan(@Context RoutingContext http) {
        return placement.audit(RequestId.of(http)).map(result -> switch (result) {
            case OverviewResult.Received(byte[] json) -> json;
            case OverviewResult.NotSupported() -> throw new ApiFault(
                    ErrorCode.NEEDS_BERTH_PLACEMENT, "this placement is not Berth's: it has no audit");
            case OverviewResult.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        });
    }
}
