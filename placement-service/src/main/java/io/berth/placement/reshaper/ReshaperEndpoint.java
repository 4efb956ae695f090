package io.berth.placement.reshaper;

import io.berth.placement.allocation.ClaimAnswer;
import io.berth.placement.allocation.ClaimSize;
import io.berth.placement.allocation.FenceHeader;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.ledger.Ledger;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.Cancellable;

/** Moves inventories and the allocations on them between providers, all of it or nothing. */
@Path("/reshaper")
public final class ReshaperEndpoint {
    private final Ledger ledger;
    private final ReshapeBody bodies;
    private final BodyWorker bodyWorker;

    ReshaperEndpoint(Ledger ledger, ReshapeBody bodies, BodyWorker bodyWorker) {
        this.bodyWorker = bodyWorker;
        this.ledger = ledger;
        this.bodies = bodies;
    }

    @POST
    @Cancellable(false)
    public Uni<Response> reshape(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).require(30).requireJson().allow("placement:reshaper:reshape");
        FenceHeader.refuse(http);
        return bodyWorker.run(body, () -> ledger.submit(ClaimSize.checked(bodies.parse(call, body))))
                .map(result -> ClaimAnswer.RESHAPE.answer(result, null));
    }
}
