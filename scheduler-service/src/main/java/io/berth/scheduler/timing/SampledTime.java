package io.berth.scheduler.timing;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Calls of one class and their time, estimated from one call in {@value #ONE_IN}: a clock around each of thousands of
 * calls of some nanoseconds would cost more than they do. The clock's own 20 to 40 ns are in the estimate.
 */
final class SampledTime {
    static final int ONE_IN = 64;
    private static final double NANOS = 1e9;

    private final LongAdder nanos = new LongAdder();
    private final LongAdder calls = new LongAdder();

    /** Under {@code berth.KIND.time} and {@code berth.KIND.calls}, with the class as label KIND. */
    SampledTime(MeterRegistry meters, String kind, String name) {
        FunctionCounter.builder("berth." + kind + ".time", nanos, sampled -> sampled.sum() * ONE_IN / NANOS)
                .description("Time in this " + kind + ", estimated from one call in " + ONE_IN)
                .baseUnit("seconds")
                .tag(kind, name)
                .register(meters);
        FunctionCounter.builder("berth." + kind + ".calls", calls, sampled -> (double) sampled.sum() * ONE_IN)
                .description("Hosts that this " + kind + " was asked about, estimated from one call in " + ONE_IN)
                .tag(kind, name)
                .register(meters);
    }

    /** Whether the clock is to run around this call. */
    boolean isDue() {
        return (ThreadLocalRandom.current().nextInt() & (ONE_IN - 1)) == 0;
    }

    void took(long sampledNanos) {
        nanos.add(sampledNanos);
        calls.increment();
    }
}
