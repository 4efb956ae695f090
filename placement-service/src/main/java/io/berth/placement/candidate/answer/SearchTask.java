package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.CandidateSearch;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import jakarta.annotation.Nullable;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** A search and its response, run in slices: the first on the event loop, further ones, if any, on a worker. */
final class SearchTask {
    /** The result of a search. */
    sealed interface Outcome {
        record Answered(JsonBytes bytes) implements Outcome {}

        /** The search reached its limit of combinations to try or of choices to hold in memory. */
        record TooManyCombinations() implements Outcome {}

        /** The response would exceed the limit of bytes. */
        record TooLarge() implements Outcome {}

        /**
         * Returns the finished body.
         *
         * @param bytesMax its limit
         * @throws ApiException 400 if there is none
         */
        default JsonBytes bytes(long bytesMax) {
            return switch (this) {
                case Answered answered -> answered.bytes();
                case TooLarge _ -> throw ApiException.badRequest(
                        "The response exceeds " + bytesMax + " bytes. Request fewer candidates with limit.");
                case TooManyCombinations _ -> throw ApiException.badRequest(
                        "The request groups can be combined in too many ways to search them all. "
                                + "Request fewer groups, or set limit.");
            };
        }
    }

    private static final long SLICE_STEPS = 1_000_000;
    /** The cost of rendering one summary that is not cached, in steps of a search. */
    private static final long STEPS_PER_SUMMARY = 16;

    private final FleetView view;
    private final ResolvedQuery query;
    private final CandidateOptions options;
    private final RandomGenerator random;
    private final AnswerBody answer;
    /** Null until the first slice. */
    private CandidateSearch search;
    private CandidateSearch.Progress progress = CandidateSearch.Progress.PAUSED;
    private long searchNanos;
    private long renderNanos;

    SearchTask(
            FleetView view, ResolvedQuery query, CandidateOptions options, RandomGenerator random, AnswerBody answer) {
        this.view = view;
        this.query = query;
        this.options = options;
        this.random = random;
        this.answer = answer;
    }

    /** Runs at most {@code steps} steps. Returns null if they do not suffice; {@link #finish} then does the rest. */
    Outcome tryFor(long steps) {
        if (search == null && CandidateSearch.preparationSteps(view, query) > steps) {
            return null;
        }
        search(steps);
        return progress == CandidateSearch.Progress.PAUSED || answer.summaryCount() > steps / STEPS_PER_SUMMARY
                ? null
                : outcome();
    }

    Outcome finish() {
        return finish(() -> false);
    }

    /** Runs the search to its end. Returns null if the time is up before. */
    @Nullable Outcome finish(BooleanSupplier timeIsUp) {
        while (progress == CandidateSearch.Progress.PAUSED) {
            if (timeIsUp.getAsBoolean()) {
                return null;
            }
            search(SLICE_STEPS);
        }
        return outcome();
    }

    private void search(long steps) {
        long started = System.nanoTime();
        progress = search().run(steps);
        searchNanos += System.nanoTime() - started;
    }

    /** Returns the time spent in the search so far, in nanoseconds. */
    long searchNanos() {
        return searchNanos;
    }

    /**
     * Returns the time spent on completing the body, in nanoseconds. Requests rendered during the search count as
     * search.
     */
    long renderNanos() {
        return renderNanos;
    }

    long summaryCount() {
        return answer.summaryCount();
    }

    private CandidateSearch search() {
        if (search == null) {
            search = new CandidateSearch(view, query, options, random, answer);
        }
        return search;
    }

    private Outcome outcome() {
        if (progress == CandidateSearch.Progress.TOO_MUCH) {
            return new Outcome.TooManyCombinations();
        }
        if (answer.isTooLarge()) {
            return new Outcome.TooLarge();
        }
        long started = System.nanoTime();
        JsonBytes json = answer.finish();
        renderNanos = System.nanoTime() - started;
        return answer.isTooLarge() ? new Outcome.TooLarge() : new Outcome.Answered(json);
    }
}
