package io.berth.placement.candidate.scenario;

import io.berth.context.CallerContext;
import io.berth.placement.candidate.response.CandidateSearches;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.http.AnalysisWorkers;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.ResponseWorkers;
import io.berth.placement.http.Responses;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * Berth's own route {@code POST /berth/v1/what_if}: evaluates queries on a scenario, which is the fleet with changes
 * that are only assumed. docs/what-if.md documents the bodies of request and response. The route writes nothing to the
 * database and takes no lock.
 */
@Path("/berth/v1/what_if")
public final class WhatIfEndpoint {
    private final FleetFeed feed;
    private final CandidateSearches searches;
    private final BodyWorker bodyWorker;
    private final ResponseWorkers responseWorkers;
    private final AnalysisWorkers analysisWorkers;
    private final ViewCache viewCache;

    WhatIfEndpoint(
            FleetFeed feed, CandidateSearches searches, BodyWorker bodyWorker, ResponseWorkers responseWorkers,
            AnalysisWorkers analysisWorkers, ViewCache viewCache) {
        this.feed = feed;
        this.searches = searches;
        this.bodyWorker = bodyWorker;
        this.responseWorkers = responseWorkers;
        this.analysisWorkers = analysisWorkers;
        this.viewCache = viewCache;
    }

    @POST
    @NonBlocking
    @Cancellable(false)
    public Uni<Response> evaluate(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).requireJson().requireAccept().allow("placement:allocation_candidates:list");
        Executor caller = CallerContext.executor();
        long beganNanos = System.nanoTime();
        return bodyWorker.run(body, () -> Uni.createFrom().item(WhatIfBody.parse(body)))
                .chain(whatIf -> requestedView(whatIf).chain(datedView -> analysisWorkers.run(caller, () -> answer(
                        datedView, whatIf, () -> AnalysisWorkers.isTimeUp(beganNanos, whatIf.timeout())))))
                .map(json -> Responses.ok(call, json, System.currentTimeMillis()));
    }

    /**
     * Returns the view that this replica kept for an earlier request, if the body names one, and extends its time;
     * otherwise the present view, which is kept for as long as the body requests.
     */
    private Uni<ViewCache.DatedView> requestedView(WhatIfBody whatIf) {
        return whatIf.view() != null
                ? Uni.createFrom().item(viewCache.get(whatIf.view(), whatIf.keep()))
                : feed.fresh()
                        .map(view -> viewCache.keep(new ViewCache.DatedView(view, Instant.now()), whatIf.keep()));
    }

    private byte[] answer(ViewCache.DatedView datedView, WhatIfBody whatIf, BooleanSupplier timeIsUp) {
        // Half of the usual limit, because the results of the queries and the response that is assembled from them are
        // in memory at the same time.
        long bytesMax = responseWorkers.responseBytesMax() / 2;
        return new WhatIf(
                datedView.view(), whatIf, searches.options(), searches.random(), bytesMax, timeIsUp, datedView.time())
                .answer();
    }
}
