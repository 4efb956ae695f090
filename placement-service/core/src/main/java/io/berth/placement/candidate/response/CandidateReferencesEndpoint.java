package io.berth.placement.candidate.response;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.ParsedQueryCache;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.Call;
import io.berth.placement.http.QueryString;
import io.berth.placement.http.ResponseWorkers;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;

/**
 * Berth's own route {@code GET /berth/v1/candidates}: returns allocation candidates as references to trees ({@link
 * CandidateReferences}). The query has the parameters of {@code GET /allocation_candidates} at 1.39, independent of the
 * request's microversion, and in addition {@link CandidateQueryParser#WITHOUT_INVENTORY} and {@link AfterParameter}.
 * The response is as fresh as that of {@code GET /allocation_candidates}.
 */
@Path("/berth/v1/candidates")
public final class CandidateReferencesEndpoint {
    private final FleetFeed feed;
    private final ParsedQueryCache queries;
    private final CandidateSearches searches;
    private final ResponseWorkers workers;

    CandidateReferencesEndpoint(
            FleetFeed feed, ParsedQueryCache queries, CandidateSearches searches, ResponseWorkers workers) {
        this.feed = feed;
        this.queries = queries;
        this.searches = searches;
        this.workers = workers;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocation_candidates:list");
        String rawQuery = http.request().query();
        return feed.fresh()
                .chain(view -> answer(http, view, rawQuery))
                .map(json -> searches.toResponse(call, http, json));
    }

    private Uni<JsonBytes> answer(RoutingContext http, FleetView view, @Nullable String rawQuery) {
        SearchTask task = task(view, rawQuery);
        // If a worker thread takes over, a second, equal task replaces this one.
        return task == null
                ? Uni.createFrom().item(
                        CandidateReferences.emptyBody(view, AfterParameter.parse(rawQuery).changed(view)))
                : searches.run(http, task, () -> task(view, rawQuery));
    }

    /**
     * Parses the query and prepares its search. Called on the caller's thread, and again on a worker thread if the
     * search does not end at once, because a prepared search takes too much memory to wait in a queue. Returns null if
     * no provider can serve the query.
     */
    private @Nullable SearchTask task(FleetView view, @Nullable String rawQuery) {
        AfterParameter after = AfterParameter.parse(rawQuery);
        CandidateQuery parsed = queries.readOwn(after.otherParameters(), () -> withoutAfter(rawQuery));
        ResolvedQuery query = ResolvedQuery.of(view, parsed);
        return query == null ? null : searches.task(
                view, query, new CandidateReferences(view, query, after.changed(view), workers.responseBytesMax()));
    }

    private static Map<String, List<String>> withoutAfter(@Nullable String rawQuery) {
        Map<String, List<String>> parameters = QueryString.parse(rawQuery);
        parameters.remove(AfterParameter.NAME);
        return parameters;
    }
}
