package io.berth.observability;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Creates timers of requests and their phases. All timers with buckets have the same few, from 1 ms to 10 s, so that
 * the histograms of replicas can be summed.
 */
public final class Latency {
    private static final Duration[] BUCKETS = LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private Latency() {}

    /**
     * Creates a timer with buckets.
     *
     * @param tags keys and values of labels in turn; each key must have a small, fixed set of values
     */
    public static Timer timer(MeterRegistry meters, String name, String description, String... tags) {
        return Timer.builder(name).description(description).tags(tags).serviceLevelObjectives(BUCKETS).register(meters);
    }

    /** Creates a timer with count and total time only, without buckets. */
    public static Timer timerWithoutBuckets(MeterRegistry meters, String name, String description, String... tags) {
        return Timer.builder(name).description(description).tags(tags).register(meters);
    }
}
