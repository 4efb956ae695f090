package io.berth.observability;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.LongStream;

/** How durations are measured: seconds in the same few buckets everywhere, so that replicas can be added up. */
public final class Latency {
    private static final Duration[] BUCKETS = LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private Latency() {}

    /** @param tags key, value, key, value; of sets that are closed */
    public static Timer timer(MeterRegistry meters, String name, String description, String... tags) {
        return Timer.builder(name).description(description).tags(tags).serviceLevelObjectives(BUCKETS).register(meters);
    }

    /** Without buckets: how often and how long in all. */
    public static Timer total(MeterRegistry meters, String name, String description, String... tags) {
        return Timer.builder(name).description(description).tags(tags).register(meters);
    }
}
