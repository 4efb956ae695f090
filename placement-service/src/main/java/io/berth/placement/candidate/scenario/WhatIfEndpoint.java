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
 * that are not made. docs/what-if.md documents the bodies. The route writes and locks nothing.
 */
@Path("/berth/v1/what_if")
public final class WhatIfEndpoint {
    private final FleetFeed feed;
    private final CandidateSearches searches;
    private final BodyWorker bodyWorker;
    private final ResponseWorkers answers;
    private final AnalysisWorkers analysisWorkers;
    private final ViewCache viewCache;

    WhatIfEndpoint(
            FleetFeed feed, CandidateSearches searches, BodyWorker bodyWorker, ResponseWorkers answers,
            AnalysisWorkers analysisWorkers, ViewCache viewCache) {
        this.feed = feed;
        this.searches = searches;
        this.bodyWorker = bodyWorker;
        this.answers = answers;
        this.analysisWorkers = analysisWorkers;
        this.viewCache = viewCache;
    }

    @POST
    @NonBlocking
    @Cancellable(false)
    public Uni<Response> ask(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).requireJson().requireAccept().allow("placement:allocation_candidates:list");
        Executor caller = CallerContext.executor();
        long began = System.nanoTime();
        return bodyWorker.run(body, () -> Uni.createFrom().item(WhatIfBody.parse(body)))
                .chain(question -> view(question).chain(of -> analysisWorkers.run(caller, () -> answer(
                        of, question, () -> AnalysisWorkers.isTimeUp(began, question.timeout())))))
                .map(json -> Responses.ok(call, json, System.currentTimeMillis()));
    }

    private Uni<ViewCache.DatedView> view(WhatIfBody question) {
        return question.view() != null
                ? Uni.createFrom().item(viewCache.get(question.view(), question.keep()))
                : feed.fresh()
                        .map(view -> viewCache.keep(new ViewCache.DatedView(view, Instant.now()), question.keep()));
    }

    private byte[] answer(ViewCache.DatedView of, WhatIfBody question, BooleanSupplier timeIsUp) {
        // Half of the usual limit, because the separate results and the whole response are in memory at the same time.
        long bytesMax = answers.answerBytesMax() / 2;
        return new WhatIf(
                of.view(), question, searches.options(), searches.random(), bytesMax, timeIsUp, of.time()).answer();
    }
}
