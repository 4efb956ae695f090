package io.berth.placement.candidate;

import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
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

/** {@code GET /allocation_candidates}, from 1.10: who could serve these resources. */
@Path("/allocation_candidates")
public final class CandidatesEndpoint {
    private final FleetFeed feed;
    private final CandidateSearches searches;
    private final AnswerWorkers workers;

    CandidatesEndpoint(FleetFeed feed, CandidateSearches searches, AnswerWorkers workers) {
        this.feed = feed;
        this.searches = searches;
        this.workers = workers;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http);
        call.require(10);
        call.requireAccept();
        call.allow("placement:allocation_candidates:list");
        CandidateQuery query = CandidateQueryParser.parse(call.query(), call.version());
        AnswerForm form = AnswerForm.of(call.version());
        return feed.fresh()
                .chain(view -> answer(view, query, form))
                .map(json -> Reply.ok(call, json, System.currentTimeMillis()));
    }

    private Uni<byte[]> answer(FleetView view, CandidateQuery query, AnswerForm form) {
        ResolvedQuery resolved = searches.resolve(view, query);
        return resolved == null
                ? Uni.createFrom().item(CandidatesAnswer.EMPTY)
                : searches.run(view, resolved, new CandidatesAnswer(view, resolved, form, workers.answerBytesMax()));
    }
}
