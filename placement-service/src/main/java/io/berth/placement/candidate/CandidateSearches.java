package io.berth.placement.candidate;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.ApiException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Runs searches: small ones on the event loop, others on a worker; what cannot be answered is refused with 400.
 *
 * <p>Options, as upstream's in {@code [placement]}: {@code berth.placement.placement.randomize-allocation-candidates},
 * {@code .max-allocation-candidates} (-1: no maximum), {@code .allocation-candidates-generation-strategy}.
 */
@Singleton
final class CandidateSearches {
    /** Work done on the event loop before a worker takes over: below half a millisecond. */
    private static final long STEPS_INLINE = 4_000;

    private final AnswerWorkers workers;
    private final CandidateOptions options;
    private final CandidateMetrics metrics;

    CandidateSearches(
            AnswerWorkers workers,
            @ConfigProperty(name = "berth.placement.placement.randomize-allocation-candidates", defaultValue = "false")
                    boolean randomize,
            @ConfigProperty(name = "berth.placement.placement.max-allocation-candidates", defaultValue = "-1")
                    int candidatesMax,
            @ConfigProperty(
                            name = "berth.placement.placement.allocation-candidates-generation-strategy",
                            defaultValue = "breadth-first")
                    String strategy,
            CandidateMetrics metrics) {
        this.workers = workers;
        this.metrics = metrics;
        this.options = new CandidateOptions(randomize, candidatesMax, CandidateOptions.Strategy.parse(strategy));
    }

    /** Null when no provider of this fleet can be a candidate. */
    @Nullable ResolvedQuery resolve(FleetView view, CandidateQuery query) {
        return switch (ResolvedQuery.of(view, query)) {
            case Resolution.UnknownResourceClass unknown -> throw ApiException.badRequest(refusal(unknown));
            case Resolution.UnknownTrait unknown -> throw ApiException.badRequest(refusal(unknown));
            case Resolution.Hopeless _ -> null;
            case Resolution.Resolved(ResolvedQuery resolved) -> resolved;
        };
    }

    static String refusal(Resolution.UnknownResourceClass unknown) {
        return "Invalid resource class in resources parameter: No such resource class " + unknown.name() + ".";
    }

    static String refusal(Resolution.UnknownTrait unknown) {
        return "No such trait(s): " + unknown.name() + ".";
    }

    /** Whether the same question of the same view has the same answer. */
    boolean areRepeatable() {
        return !options.randomize();
    }

    /** Counts an answer that was given again without a search. */
    void repeated() {
        metrics.repeated();
    }

    /** The finished body, on the caller's context. */
    Uni<byte[]> run(FleetView view, ResolvedQuery query, AnswerBody body) {
        RandomGenerator random = options.randomize() ? new SplittableRandom() : null;
        SearchTask task = new SearchTask(view, query, options, random, body);
        CandidatesOutcome atOnce = task.tryFor(STEPS_INLINE);
        if (atOnce != null) {
            metrics.ended(atOnce, task);
            return Uni.createFrom().item(json(atOnce));
        }
        metrics.handedToWorker();
        Context context = Vertx.currentContext();
        return workers.run(task::finish)
                .invoke(outcome -> metrics.ended(outcome, task))
                .emitOn(command -> {
                    if (context == null) {
                        command.run();
                    } else {
                        context.runOnContext(ignored -> command.run());
                    }
                })
                .map(this::json);
    }

    private byte[] json(CandidatesOutcome outcome) {
        return switch (outcome) {
            case CandidatesOutcome.Answered answered -> answered.json();
            case CandidatesOutcome.TooLarge _ -> throw ApiException.badRequest(
                    "The answer has more than " + workers.answerBytesMax()
                            + " bytes. Ask for fewer candidates with limit.");
            case CandidatesOutcome.TooManyCombinations _ -> throw ApiException.badRequest(
                    "The request groups can be combined in too many ways to search them all. "
                            + "Ask for fewer groups, or with limit.");
        };
    }
}
