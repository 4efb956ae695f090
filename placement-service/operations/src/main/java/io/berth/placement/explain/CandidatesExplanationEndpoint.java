package io.berth.placement.explain;

import io.berth.context.CallerContext;
import io.berth.placement.candidate.explanation.Explanation;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.response.CandidateSearches;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.AnalysisWorkers;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.QueryString;
import io.berth.placement.http.ResponseWorkers;
import io.berth.placement.http.Responses;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Berth's own route {@code GET /berth/v1/allocation_candidates/explanation}: explains why a query of {@code GET
 * /allocation_candidates} has its candidates, or none. The query is read as in microversion 1.39, independent of the
 * request's microversion; {@link ExplanationParameters} lists the additional parameters. docs/explanations.md documents
 * the response.
 */
@Path("/berth/v1/allocation_candidates/explanation")
public final class CandidatesExplanationEndpoint {
    private final FleetFeed feed;
    private final CandidateSearches searches;
    private final ResponseWorkers responseWorkers;
    private final AnalysisWorkers analysisWorkers;

    CandidatesExplanationEndpoint(
            FleetFeed feed, CandidateSearches searches, ResponseWorkers responseWorkers,
            AnalysisWorkers analysisWorkers) {
        this.feed = feed;
        this.searches = searches;
        this.responseWorkers = responseWorkers;
        this.analysisWorkers = analysisWorkers;
    }

    @GET
    @NonBlocking
    public Uni<Response> explain(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocation_candidates:list");
        Executor caller = CallerContext.executor();
        long beganNanos = System.nanoTime();
        String queryString = http.request().query();
        // While the request waits for a worker, only the query string is kept, and the worker parses it again: a parsed
        // query takes many times the memory of its text.
        boolean isBrief = ExplanationParameters.parse(QueryString.parse(queryString)).isBrief();
        return feed.fresh()
                .chain(view -> {
                    Instant time = Instant.now();
                    // Other explanations may take long, so they are analysis jobs, of which one runs at a time.
                    return isBrief
                            ? responseWorkers.run(caller, () -> explain(view, queryString, beganNanos, time))
                            : analysisWorkers.run(caller, () -> explain(view, queryString, beganNanos, time));
                })
                .map(json -> Responses.ok(call, json, System.currentTimeMillis()));
    }

    private byte[] explain(FleetView view, @Nullable String queryString, long beganNanos, Instant time) {
        ExplanationParameters parameters = ExplanationParameters.parse(QueryString.parse(queryString));
        var request = new Explanation.Request(
                CandidateQueryParser.parseOwn(parameters.query()), Explanation.Counts.DEMANDS,
                find(view, parameters.providers()), parameters.providersLimit(), parameters.relaxations(),
                parameters.mayNameProviders());
        BooleanSupplier timeIsUp = () -> AnalysisWorkers.isTimeUp(beganNanos, parameters.timeout());
        return new Explanation(
                view, request, searches.options(), searches.random(), responseWorkers.responseBytesMax() / 4, timeIsUp)
                .render(time);
    }

    /** Returns the providers with these uuids; throws 404 if one does not exist. */
    private static List<Provider> find(FleetView view, List<UUID> uuids) {
        List<Provider> providers = new ArrayList<>();
        for (UUID uuid : uuids) {
            Provider provider = view.find(uuid);
            if (provider == null) {
                throw ApiException.notFound("No resource provider with uuid " + uuid + " found");
            }
            providers.add(provider);
        }
        return providers;
    }
}
