package io.berth.placement.candidate;

import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Reply;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * {@code GET /allocation_candidates}, from 1.10: who could serve these resources.
 *
 * <p>Options, as upstream's in {@code [placement]}: {@code berth.placement.placement.randomize-allocation-candidates},
 * {@code .max-allocation-candidates} (-1: no maximum), {@code .allocation-candidates-generation-strategy}.
 */
@Path("/allocation_candidates")
public final class CandidatesEndpoint {
    /** Work done on the event loop before a worker takes over: below half a millisecond. */
    private static final long STEPS_INLINE = 4_000;

    private final FleetFeed feed;
    private final CandidateWorkers workers;
    private final CandidateOptions options;

    CandidatesEndpoint(
            FleetFeed feed, CandidateWorkers workers,
            @ConfigProperty(name = "berth.placement.placement.randomize-allocation-candidates", defaultValue = "false") boolean randomize,
            @ConfigProperty(name = "berth.placement.placement.max-allocation-candidates", defaultValue = "-1") int candidatesMax,
            @ConfigProperty(name = "berth.placement.placement.allocation-candidates-generation-strategy", defaultValue = "breadth-first")
                    String strategy) {
        this.feed = feed;
        this.workers = workers;
        this.options = new CandidateOptions(randomize, candidatesMax, CandidateOptions.Strategy.parse(strategy));
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@jakarta.ws.rs.core.Context RoutingContext http) {
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
        return switch (ResolvedQuery.of(view, query)) {
            case Resolution.UnknownResourceClass unknown -> throw ApiException.badRequest(refusal(unknown));
            case Resolution.UnknownTrait unknown -> throw ApiException.badRequest(refusal(unknown));
            case Resolution.Hopeless hopeless -> Uni.createFrom().item(CandidatesAnswer.EMPTY);
            case Resolution.Resolved resolved -> search(view, resolved.query(), form).map(this::json);
        };
    }

    static String refusal(Resolution.UnknownResourceClass unknown) {
        return "Invalid resource class in resources parameter: No such resource class " + unknown.name() + ".";
    }

    static String refusal(Resolution.UnknownTrait unknown) {
        return "No such trait(s): " + unknown.name() + ".";
    }

    private Uni<CandidatesOutcome> search(FleetView view, ResolvedQuery query, AnswerForm form) {
        RandomGenerator random = options.randomize() ? new SplittableRandom() : null;
        CandidatesWork work = new CandidatesWork(view, query, options, random, form, workers.answerBytesMax());
        CandidatesOutcome atOnce = work.tryFor(STEPS_INLINE);
        if (atOnce != null) {
            return Uni.createFrom().item(atOnce);
        }
        Context context = Vertx.currentContext();
        return workers.run(work::finish).emitOn(task -> {
            if (context == null) {
                task.run();
            } else {
                context.runOnContext(ignored -> task.run());
            }
        });
    }

    private byte[] json(CandidatesOutcome outcome) {
        return switch (outcome) {
            case CandidatesOutcome.Answered answered -> answered.json();
            case CandidatesOutcome.TooLarge tooLarge -> throw ApiException.badRequest(
                    "The answer has more than " + workers.answerBytesMax() + " bytes. Ask for fewer candidates with limit.");
            case CandidatesOutcome.TooManyCombinations tooMany -> throw ApiException.badRequest(
                    "The request groups can be combined in too many ways to search them all. Ask for fewer groups, or with limit.");
        };
    }
}
