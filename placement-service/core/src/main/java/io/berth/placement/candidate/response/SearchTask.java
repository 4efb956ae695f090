package io.berth.placement.candidate.response;

import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.CandidateSearch;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import jakarta.annotation.Nullable;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A search for allocation candidates that writes a response body. Runs in slices of a limited number of steps, so that
 * the caller can stop the search. Not thread-safe.
 */
final class SearchTask {
    /** The result of a search. */
    sealed interface Outcome {
        /** The search ended, and the body is complete. */
        record Rendered(JsonBytes bytes) implements Outcome {}

        /** The search reached its limit of steps, or of memory. */
        record TooManyCombinations() implements Outcome {}

        /** The body would exceed the limit of bytes. */
        record TooLarge() implements Outcome {}

        /**
         * Returns the completed body.
         *
         * @param bytesMax the limit that the body was written with, for the message
         * @throws ApiException 400 if the search was {@link TooLarge} or {@link TooManyCombinations}
         */
        default JsonBytes bytes(long bytesMax) {
            return switch (this) {
                case Rendered rendered -> rendered.bytes();
                case TooLarge _ -> throw ApiException.badRequest(
                        "The response exceeds " + bytesMax + " bytes. Request fewer candidates with limit.");
                case TooManyCombinations _ -> throw ApiException.badRequest(
                        "The request groups can be combined in too many ways to search them all. "
                                + "Request fewer groups, or set limit.");
            };
        }
    }

    /** The steps of a slice in {@link #finish(BooleanSupplier)}. */
    private static final long SLICE_STEPS = 1_000_000;
    /** The cost of rendering one summary that is not cached, as the number of search steps that take the same time. */
    private static final long STEPS_PER_SUMMARY = 16;

    private final FleetView view;
    private final ResolvedQuery query;
    private final CandidateOptions options;
    private final @Nullable RandomGenerator random;
    private final CandidatesBody body;
    /** The search; null before the first slice. */
    private @Nullable CandidateSearch search;
    private CandidateSearch.Progress progress = CandidateSearch.Progress.PAUSED;
    private long searchNanos;
    private long renderNanos;

    SearchTask(
            FleetView view, ResolvedQuery query, CandidateOptions options, @Nullable RandomGenerator random,
            CandidatesBody body) {
        this.view = view;
        this.query = query;
        this.options = options;
        this.random = random;
        this.body = body;
    }

    /**
     * Runs at most about {@code steps} steps. Returns null if the preparation of the search, the search or the
     * rendering would take more; {@link #finish} can then continue the task.
     */
    @Nullable Outcome tryFor(long steps) {
        if (search == null && CandidateSearch.preparationSteps(view, query) > steps) {
            return null;
        }
        search(steps);
        return progress == CandidateSearch.Progress.PAUSED || body.summaryCount() > steps / STEPS_PER_SUMMARY
                ? null
                : outcome();
    }

    /** Runs the search to its end and completes the body. */
    Outcome finish() {
        return Objects.requireNonNull(finish(() -> false));
    }

    /**
     * Runs the search to its end and completes the body. Returns null if {@code timeIsUp} returns true before the
     * search ends. {@code timeIsUp} is called before each slice of {@value #SLICE_STEPS} steps.
     */
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
        long startNanos = System.nanoTime();
        progress = search().run(steps);
        searchNanos += System.nanoTime() - startNanos;
    }

    /** Returns the duration of all slices so far, in nanoseconds. */
    long searchNanos() {
        return searchNanos;
    }

    /**
     * Returns the time that it took to complete the body, in nanoseconds. Requests are rendered during the search and
     * count as search.
     */
    long renderNanos() {
        return renderNanos;
    }

    long summaryCount() {
        return body.summaryCount();
    }

    private CandidateSearch search() {
        if (search == null) {
            search = new CandidateSearch(view, query, options, random, body);
        }
        return search;
    }

    private Outcome outcome() {
        if (progress == CandidateSearch.Progress.TOO_MUCH) {
            return new Outcome.TooManyCombinations();
        }
        if (body.isTooLarge()) {
            return new Outcome.TooLarge();
        }
        long startNanos = System.nanoTime();
        JsonBytes json = body.finish();
        renderNanos = System.nanoTime() - startNanos;
        return body.isTooLarge() ? new Outcome.TooLarge() : new Outcome.Rendered(json);
    }
}
