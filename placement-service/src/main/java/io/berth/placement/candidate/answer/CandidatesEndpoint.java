package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.ParsedQueryCache;
import io.berth.placement.candidate.query.ParsedQueryCache.Question;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
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
    private final ParsedQueryCache queries;
    private final AnswerCache answers;
    private final CandidateSearches searches;
    private final AnswerWorkers workers;

    CandidatesEndpoint(
            FleetFeed feed, ParsedQueryCache queries, AnswerCache answers, CandidateSearches searches,
            AnswerWorkers workers) {
        this.feed = feed;
        this.queries = queries;
        this.answers = answers;
        this.searches = searches;
        this.workers = workers;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).require(10).requireAccept().allow("placement:allocation_candidates:list");
        String text = http.request().query();
        CandidateQuery query = queries.read(text, call::query, call.version());
        var question = new Question(call.version().minor(), text);
        return feed.fresh().chain(view -> answer(call, http, view, query, question));
    }

    private Uni<Response> answer(
            Call call, RoutingContext http, FleetView view, CandidateQuery query, Question question) {
        byte[] known = answers.find(view, question);
        if (known != null) {
            searches.repeated();
            return Uni.createFrom().item(Responses.ok(call, known, System.currentTimeMillis()));
        }
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        if (resolved == null) {
            return Uni.createFrom().item(Responses.ok(call, CandidatesAnswer.EMPTY, System.currentTimeMillis()));
        }
        AnswerForm form = AnswerForm.of(call.version());
        Uni<JsonBytes> json =
                searches.run(http, view, resolved, new CandidatesAnswer(view, resolved, form, workers.answerBytesMax()));
        return (searches.areRepeatable() ? json.invoke(found -> answers.remember(view, question, found)) : json)
                .map(found -> searches.answer(call, http, found));
    }
}
