package io.berth.scheduler.timing;

import io.berth.model.Maps;
import io.berth.observability.Latency;
import io.berth.scheduler.decision.StageTimes;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.prefilter.RequestPrefilters;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Registers the metrics of the enabled filters, weighers and prefilters. Each class is one label value, so the number
 * of time series is bounded by the enabled classes.
 */
@Singleton
public final class TimedClasses {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry meters;

    TimedClasses(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Returns a receiver that adds the times of these filters and weighers to their metrics. */
    public StageTimes stages(EnabledFilters filters, EnabledWeighers weighers) {
        return new Meters(
                times("filter", filters.inOrder().stream().map(HostFilter::name).toList()),
                times("weigher", weighers.inOrder().stream().map(HostWeigher::name).toList()));
    }

    /** Returns the same prefilters, each timed by {@code berth.prefilter}. */
    public RequestPrefilters prefilters(RequestPrefilters enabled) {
        return enabled.wrapEach(prefilter -> new TimedPrefilter(prefilter, Latency.timerWithoutBuckets(
                meters, "berth.prefilter", "Requests through this prefilter", "prefilter", prefilter.name())));
    }

    /** Returns the times by class name; a class that is enabled twice has one entry. */
    private Map<String, Time> times(String kind, List<String> names) {
        Map<String, Time> times = new HashMap<>();
        names.forEach(name -> times.computeIfAbsent(name, _ -> new Time(meters, kind, name)));
        return times;
    }

    private record Meters(Map<String, Time> filters, Map<String, Time> weighers) implements StageTimes {
        @Override
        public void filtered(String filter, int hostCount, long nanos) {
            Maps.require(filters, filter).add(hostCount, nanos);
        }

        @Override
        public void weighed(String weigher, int hostCount, long nanos) {
            Maps.require(weighers, weigher).add(hostCount, nanos);
        }
    }

    /**
     * The counters {@code berth.KIND.time} and {@code berth.KIND.calls} of one class. KIND is filter or weigher, and
     * the name of their label, whose value is the name of the class.
     */
    private static final class Time {
        private final LongAdder nanos = new LongAdder();
        private final LongAdder hosts = new LongAdder();

        Time(MeterRegistry meters, String kind, String name) {
            FunctionCounter.builder("berth." + kind + ".time", nanos, sum -> sum.sum() / NANOS_PER_SECOND)
                    .description("Time in this " + kind)
                    .baseUnit("seconds")
                    .tag(kind, name)
                    .register(meters);
            FunctionCounter.builder("berth." + kind + ".calls", hosts, LongAdder::doubleValue)
                    .description("Hosts that reached this " + kind)
                    .tag(kind, name)
                    .register(meters);
        }

        void add(int hostCount, long elapsedNanos) {
            hosts.add(hostCount);
            nanos.add(elapsedNanos);
        }
    }
}
