package io.berth.placement.candidate.response;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.ParsedQueryCache;
import io.berth.placement.candidate.query.ParsedQueryCache.QueryKey;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
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

/**
 * The route {@code GET /allocation_candidates}, from microversion 1.10: lists the sets of allocations that would
 * satisfy the query.
 */
@Path("/allocation_candidates")
public final class CandidatesEndpoint {
    private final FleetFeed feed;
    private final ParsedQueryCache queries;
    private final ResponseCache cache;
    private final CandidateSearches searches;
    private final ResponseWorkers workers;

    CandidatesEndpoint(
            FleetFeed feed, ParsedQueryCache queries, ResponseCache cache, CandidateSearches searches,
            ResponseWorkers workers) {
        this.feed = feed;
        this.queries = queries;
        this.cache = cache;
        this.searches = searches;
        this.workers = workers;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).require(10).requireAccept().allow("placement:allocation_candidates:list");
        var key = new QueryKey(call.version().minor(), http.request().query());
        return feed.fresh().chain(view -> answer(call, http, view, key));
    }

    private Uni<Response> answer(Call call, RoutingContext http, FleetView view, QueryKey key) {
        byte[] cached = cache.find(view, key);
        if (cached != null) {
            searches.countRepeated();
            return Uni.createFrom().item(Responses.ok(call, cached, System.currentTimeMillis()));
        }
        SearchTask task = task(call.version(), key.text(), view);
        if (task == null) {
            return Uni.createFrom().item(Responses.ok(call, CandidatesResponse.EMPTY, System.currentTimeMillis()));
        }
        Uni<JsonBytes> json = searches.run(http, task, () -> task(call.version(), key.text(), view));
        return (searches.areResponsesRepeatable() ? json.invoke(body -> cache.remember(view, key, body)) : json)
                .map(body -> searches.toResponse(call, http, body));
    }

    /**
     * Parses the query and prepares its search. A search that waits for a worker thread is prepared only when the
     * thread is free, because a parsed query takes many times the memory of its text. Returns null if no provider can
     * serve the query.
     */
    private @Nullable SearchTask task(Microversion version, @Nullable String text, FleetView view) {
        ResolvedQuery query = ResolvedQuery.of(view, queries.read(text, () -> QueryString.parse(text), version));
        return query == null ? null : searches.task(
                view, query, new CandidatesResponse(view, query, ResponseForm.of(version), workers.responseBytesMax()));
    }
}
