package io.berth.placement.candidate.answer;

import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.ParsedQueryCache;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.Call;
import io.berth.placement.http.Reply;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /berth/v1/allocation_candidates}, Berth's own: the query of {@code GET /allocation_candidates} at 1.39,
 * whatever microversion the client names, and {@code held}, the token of an answer that the client has, once for each.
 * Says what changed since the last of them that is known here; an answer in full where none is. As fresh as the plain answer.
 * The form: {@link AnswerDelta}.
 */
@Path("/berth/v1/allocation_candidates")
public final class CandidatesDeltaEndpoint {
    private static final String HELD = "held";
    private static final Microversion VERSION = Microversion.MAX;

    private final FleetFeed feed;
    private final ParsedQueryCache queries;
    private final CandidateSearches searches;
    private final AnswerWorkers workers;
    private final HeldAnswerCache answers;

    CandidatesDeltaEndpoint(
            FleetFeed feed, ParsedQueryCache queries, CandidateSearches searches, AnswerWorkers workers,
            HeldAnswerCache answers) {
        this.feed = feed;
        this.queries = queries;
        this.searches = searches;
        this.workers = workers;
        this.answers = answers;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocation_candidates:list");
        Map<String, List<String>> parameters = call.query();
        String queryText = withoutHeld(http.request().query());
        CandidateQuery query = queries.read(queryText, () -> withoutHeld(parameters), VERSION);
        List<String> held = parameters.get(HELD);
        HeldAnswer base = held == null ? null : answers.findLast(held, queryText);
        return feed.fresh()
                .chain(view -> answer(view, query, base, queryText))
                .map(json -> Reply.ok(call, json, System.currentTimeMillis()));
    }

    private Uni<byte[]> answer(FleetView view, CandidateQuery query, @Nullable HeldAnswer base, String queryText) {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        String token = answers.newToken();
        if (resolved == null) {
            HeldAnswer nothing = AnswerDelta.nothing(view, token, queryText);
            answers.remember(nothing);
            return Uni.createFrom().item(AnswerDelta.nothing(nothing));
        }
        AnswerDelta delta = new AnswerDelta(view, resolved, base, token, queryText, workers.answerBytesMax());
        return searches.run(view, resolved, delta).invoke(() -> answers.remember(delta.answered()));
    }

    private static Map<String, List<String>> withoutHeld(Map<String, List<String>> parameters) {
        var rest = new LinkedHashMap<>(parameters);
        rest.remove(HELD);
        return rest;
    }

    /** The same for the same question, whatever the client holds. */
    static String withoutHeld(@Nullable String rawQuery) {
        if (rawQuery == null || !rawQuery.contains(HELD)) {
            return rawQuery == null ? "" : rawQuery;
        }
        StringBuilder rest = new StringBuilder(rawQuery.length());
        for (String piece : rawQuery.split("&")) {
            if (!piece.startsWith(HELD + "=") && !piece.equals(HELD)) {
                rest.append(rest.isEmpty() ? "" : "&").append(piece);
            }
        }
        return rest.toString();
    }
}
