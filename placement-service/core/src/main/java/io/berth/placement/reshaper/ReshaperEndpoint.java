package io.berth.placement.reshaper;

import io.berth.placement.allocation.ClaimResponse;
import io.berth.placement.allocation.ClaimSize;
import io.berth.placement.allocation.FenceHeader;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.inventory.InventoryChangeLog;
import io.berth.placement.ledger.Ledger;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.InventoryClaim;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The route {@code POST /reshaper}, from microversion 1.30: moves inventories, with the allocations on them, between
 * providers in one transaction.
 */
@Path("/reshaper")
public final class ReshaperEndpoint {
    private final Ledger ledger;
    private final ReshapeBody bodies;
    private final BodyWorker bodyWorker;
    private final FleetFeed feed;
    private final InventoryChangeLog changeLog;

    ReshaperEndpoint(
            Ledger ledger, ReshapeBody bodies, BodyWorker bodyWorker, FleetFeed feed, InventoryChangeLog changeLog) {
        this.bodyWorker = bodyWorker;
        this.feed = feed;
        this.changeLog = changeLog;
        this.ledger = ledger;
        this.bodies = bodies;
    }

    @POST
    @Cancellable(false)
    public Uni<Response> reshape(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).require(30).requireJson().allow("placement:reshaper:reshape");
        FenceHeader.refuseBerthHeaders(http);
        return bodyWorker.run(body, () -> reshape(call, bodies.parse(call, body)))
                .map(result -> ClaimResponse.RESHAPE.toResponse(result, null));
    }

    private Uni<ClaimResult> reshape(Call call, Claim.Reshape claim) {
        // Only checks: refuses a claim that is too large.
        ClaimSize.requireAllowedSize(claim);
        return feed.fresh().chain(view -> ledger.submit(claim).invoke(result -> {
            if (result instanceof ClaimResult.Claimed) {
                claim.inventories().forEach(inventoryClaim -> logChange(call, view, inventoryClaim));
            }
        }));
    }

    private void logChange(Call call, FleetView view, InventoryClaim inventoryClaim) {
        Provider provider = view.find(inventoryClaim.provider());
        if (provider != null) {
            changeLog.logReplacement(call, view, provider, inventoryClaim.inventories());
        }
    }
}
