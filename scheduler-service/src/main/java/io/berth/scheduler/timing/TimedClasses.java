package io.berth.scheduler.timing;

import io.berth.observability.Latency;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.prefilter.RequestPrefilters;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** Puts clocks around the classes of the running service. As many labels as there are enabled classes. */
@Singleton
public final class TimedClasses {
    private final MeterRegistry meters;

    TimedClasses(MeterRegistry meters) {
        this.meters = meters;
    }

    public EnabledFilters filters(EnabledFilters enabled) {
        return new EnabledFilters(enabled.inOrder().stream()
                .map(filter -> TimedFilter.of(filter, new SampledTime(meters, "filter", filter.name())))
                .toList());
    }

    public EnabledWeighers weighers(EnabledWeighers enabled) {
        return new EnabledWeighers(enabled.inOrder().stream()
                .map(weigher -> TimedWeigher.of(weigher, new SampledTime(meters, "weigher", weigher.name())))
                .toList());
    }

    public RequestPrefilters prefilters(RequestPrefilters enabled) {
        return enabled.each(prefilter -> new TimedPrefilter(prefilter, Latency.total(
                meters, "berth.prefilter", "Requests through this prefilter", "prefilter", prefilter.name())));
    }
}
