package io.berth.placement.candidate.answer;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.search.DemandCounts;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.Call;
import io.berth.placement.http.Reply;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

/**
 * {@code GET /berth/v1/allocation_candidates/explanation}, Berth's own: for any query of {@code GET
 * /allocation_candidates} at 1.39, whatever microversion the client names, how many provider trees meet each of its
 * demands. The form: {@link DemandCounts}.
 */
@Path("/berth/v1/allocation_candidates/explanation")
public final class CandidatesExplanationEndpoint {
    private final FleetFeed feed;
    private final AnswerWorkers workers;

    CandidatesExplanationEndpoint(FleetFeed feed, AnswerWorkers workers) {
        this.feed = feed;
        this.workers = workers;
    }

    @GET
    @NonBlocking
    public Uni<Response> explain(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocation_candidates:list");
        CandidateQuery query = CandidateQueryParser.parse(call.query(), Microversion.MAX);
        return feed.fresh()
                .chain(view -> workers.run(() -> DemandCounts.of(view, query).render()))
                .map(json -> Reply.ok(call, json, System.currentTimeMillis()));
    }
}
