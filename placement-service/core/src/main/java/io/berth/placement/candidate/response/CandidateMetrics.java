package io.berth.placement.candidate.response;

import io.berth.observability.Latency;
import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of the cost and the outcome of searches for allocation candidates. {@code GET /allocation_candidates} and
 * {@linkplain CandidateReferences the route with references} are counted together. Searches of scenarios are not
 * counted. A search whose client disconnects before its end is not recorded.
 */
@Singleton
final class CandidateMetrics {
    private static final String PHASE = "berth.candidates.phase";
    private static final String PHASE_DESCRIPTION = "Search, and rendering of its response; not the wait for a worker";
    private static final String SEARCHES = "berth.candidates.searches";

    private final Timer search;
    private final Timer render;
    private final DistributionSummary summaries;
    private final DistributionSummary bytes;
    private final Counter answered;
    private final Counter repeated;
    private final Counter onWorkers;
    private final Counter tooLarge;
    private final Counter tooManyCombinations;

    CandidateMetrics(MeterRegistry meters) {
        search = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "search");
        render = Latency.timer(meters, PHASE, PHASE_DESCRIPTION, "phase", "render");
        summaries = DistributionSummary.builder("berth.candidates.summaries")
                .description("Provider summaries in a response")
                .serviceLevelObjectives(1, 10, 100, 1_000, 10_000)
                .register(meters);
        bytes = DistributionSummary.builder("berth.candidates.response")
                .description("Size of a response")
                .baseUnit("bytes")
                .serviceLevelObjectives(1_000, 10_000, 100_000, 1_000_000, 10_000_000)
                .register(meters);
        answered = searches(meters, "answered");
        tooLarge = searches(meters, "too_large");
        tooManyCombinations = searches(meters, "too_many_combinations");
        repeated = Counter.builder("berth.candidates.repeated")
                .description("Responses from the cache, without a search")
                .register(meters);
        onWorkers = Counter.builder("berth.candidates.workers")
                .description("Searches that were moved from an event loop to a worker thread")
                .register(meters);
    }

    private static Counter searches(MeterRegistry meters, String result) {
        return Counter.builder(SEARCHES)
                .description("Searches by result")
                .tag("result", result)
                .register(meters);
    }

    /** Counts a response from {@link ResponseCache}. */
    void countRepeated() {
        repeated.increment();
    }

    /** Counts a search that was moved to a worker thread. */
    void countHandedToWorker() {
        onWorkers.increment();
    }

    /**
     * Records the outcome and the time of a search, and, if it has a response, the size of the response and the time to
     * complete it.
     */
    void recordEnd(Outcome outcome, SearchTask task) {
        search.record(task.searchNanos(), TimeUnit.NANOSECONDS);
        switch (outcome) {
            case Outcome.Rendered(JsonBytes json) -> {
                answered.increment();
                render.record(task.renderNanos(), TimeUnit.NANOSECONDS);
                summaries.record(task.summaryCount());
                bytes.record(json.length());
            }
            case Outcome.TooLarge _ -> tooLarge.increment();
            case Outcome.TooManyCombinations _ -> tooManyCombinations.increment();
        }
    }
}
