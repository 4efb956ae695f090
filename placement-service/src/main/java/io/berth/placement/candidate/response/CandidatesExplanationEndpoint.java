package io.berth.placement.candidate.response;

import io.berth.context.CallerContext;
import io.berth.placement.candidate.explanation.Explanation;
import io.berth.placement.candidate.query.CandidateQueryParser;
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
 * /allocation_candidates} has its candidates, or none. The query has the parameters of 1.39, independent of the
 * request's microversion, and further ones ({@link ExplanationParameters}). docs/explanations.md documents the
 * response.
 */
@Path("/berth/v1/allocation_candidates/explanation")
public final class CandidatesExplanationEndpoint {
    private final FleetFeed feed;
    private final CandidateSearches searches;
    private final ResponseWorkers answers;
    private final AnalysisWorkers analysisWorkers;

    CandidatesExplanationEndpoint(
            FleetFeed feed, CandidateSearches searches, ResponseWorkers answers, AnalysisWorkers analysisWorkers) {
        this.feed = feed;
        this.searches = searches;
        this.answers = answers;
        this.analysisWorkers = analysisWorkers;
    }

    @GET
    @NonBlocking
    public Uni<Response> explain(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocation_candidates:list");
        Executor caller = CallerContext.executor();
        long began = System.nanoTime();
        String text = http.request().query();
        // Keeps only the text of the query while the request waits for a worker, which parses it again: a parsed query
        // takes many times the memory of its text.
        boolean isBrief = ExplanationParameters.parse(QueryString.parse(text)).isBrief();
        return feed.fresh()
                .chain(view -> {
                    Instant time = Instant.now();
                    return isBrief
                            ? answers.run(caller, () -> explain(view, text, began, time))
                            : analysisWorkers.run(caller, () -> explain(view, text, began, time));
                })
                .map(json -> Responses.ok(call, json, System.currentTimeMillis()));
    }

    private byte[] explain(FleetView view, @Nullable String text, long began, Instant time) {
        ExplanationParameters parameters = ExplanationParameters.parse(QueryString.parse(text));
        var question = new Explanation.Request(
                CandidateQueryParser.parseOwn(parameters.query()), Explanation.Counts.DEMANDS,
                find(view, parameters.providers()), parameters.providersLimit(), parameters.relaxations(),
                parameters.hosts());
        BooleanSupplier timeIsUp = () -> AnalysisWorkers.isTimeUp(began, parameters.timeout());
        return new Explanation(
                view, question, searches.options(), searches.random(), answers.answerBytesMax() / 4, timeIsUp)
                .render(time);
    }

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
