package io.berth.placement.candidate;

import io.berth.placement.fleet.FleetView;
import java.util.random.RandomGenerator;

/** A search and its answer, done in slices: the first on the event loop, further ones, if any, on a worker. */
final class CandidatesWork {
    private static final long SLICE_STEPS = 1_000_000;

    private final CandidateSearch search;
    private final CandidatesAnswer answer;

    CandidatesWork(FleetView view, ResolvedQuery query, CandidateOptions options, RandomGenerator random, AnswerForm form) {
        this.answer = new CandidatesAnswer(view, query, form);
        this.search = new CandidateSearch(view, query, options, random, answer);
    }

    /** Null when {@code steps} did not do. */
    CandidatesOutcome tryFor(long steps) {
        return switch (search.run(steps)) {
            case PAUSED -> null;
            case DONE -> answer.isTooLarge()
                    ? new CandidatesOutcome.TooLarge()
                    : new CandidatesOutcome.Answered(answer.finish());
            case TOO_MANY_STEPS -> new CandidatesOutcome.TooManyCombinations();
        };
    }

    CandidatesOutcome finish() {
        CandidatesOutcome outcome = null;
        while (outcome == null) {
            outcome = tryFor(SLICE_STEPS);
        }
        return outcome;
    }
}
