package io.berth.placement.candidate.answer;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.ParsedQueryCache;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.ChangedTree;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.Call;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /berth/v1/candidates}, Berth's own: the query of {@code GET /allocation_candidates} at 1.39, whatever
 * microversion the client names, and {@link AfterParameter}. As fresh as the plain answer. The form:
 * {@link CandidateReferences}.
 */
@Path("/berth/v1/candidates")
public final class CandidateReferencesEndpoint {
    private final FleetFeed feed;
    private final ParsedQueryCache queries;
    private final CandidateSearches searches;
    private final AnswerWorkers workers;

    CandidateReferencesEndpoint(
            FleetFeed feed, ParsedQueryCache queries, CandidateSearches searches, AnswerWorkers workers) {
        this.feed = feed;
        this.queries = queries;
        this.searches = searches;
        this.workers = workers;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocation_candidates:list");
        AfterParameter after = AfterParameter.parse(http.request().query());
        CandidateQuery query =
                queries.read(after.otherParameters(), () -> withoutAfter(call.query()), Microversion.MAX);
        return feed.fresh()
                .chain(view -> answer(http, view, query, after.changed(view)))
                .map(json -> searches.answer(call, http, json));
    }

    private Uni<JsonBytes> answer(RoutingContext http, FleetView view, CandidateQuery query, List<ChangedTree> changed) {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        return resolved == null
                ? Uni.createFrom().item(CandidateReferences.nothing(view, changed))
                : searches.run(
                        http, view, resolved, new CandidateReferences(view, resolved, changed, workers.answerBytesMax()));
    }

    private static Map<String, List<String>> withoutAfter(Map<String, List<String>> parameters) {
        var rest = new LinkedHashMap<>(parameters);
        rest.remove(AfterParameter.NAME);
        return rest;
    }
}
