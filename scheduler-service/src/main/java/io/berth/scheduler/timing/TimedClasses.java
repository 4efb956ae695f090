package io.berth.scheduler.timing;

import io.berth.observability.Latency;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.prefilter.RequestPrefilters;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;

/** Puts clocks around the classes of the running service. As many labels as there are enabled classes. */
@Singleton
public final class TimedClasses {
    private final MeterRegistry meters;

    TimedClasses(MeterRegistry meters) {
        this.meters = meters;
    }

    /** A filter that is enabled twice has one clock. */
    public EnabledFilters filters(EnabledFilters enabled) {
        Map<String, SampledTime> times = new HashMap<>();
        return new EnabledFilters(enabled.inOrder().stream()
                .map(filter -> TimedFilter.of(filter, times.computeIfAbsent(
                        filter.name(), name -> new SampledTime(meters, "filter", name))))
                .toList());
    }

    public EnabledWeighers weighers(EnabledWeighers enabled) {
        Map<String, SampledTime> times = new HashMap<>();
        return new EnabledWeighers(enabled.inOrder().stream()
                .map(weigher -> TimedWeigher.of(weigher, times.computeIfAbsent(
                        weigher.name(), name -> new SampledTime(meters, "weigher", name))))
                .toList());
    }

    public RequestPrefilters prefilters(RequestPrefilters enabled) {
        return enabled.each(prefilter -> new TimedPrefilter(prefilter, Latency.total(
                meters, "berth.prefilter", "Requests through this prefilter", "prefilter", prefilter.name())));
    }
}
