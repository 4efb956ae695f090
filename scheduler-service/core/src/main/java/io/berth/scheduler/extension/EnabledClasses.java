package io.berth.scheduler.extension;

import io.berth.identity.StartRefusal;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.StageTimes;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.prefilter.RequestPrefilters;
import io.berth.scheduler.timing.TimedClasses;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** The enabled filters, weighers and prefilters of the running service, including those of extensions. */
@Singleton
public class EnabledClasses {
    private static final Logger LOG = Logger.getLogger(EnabledClasses.class);

    private final EnabledFilters filters;
    private final EnabledWeighers weighers;
    private final RequestPrefilters prefilters;
    private final StageTimes times;

    EnabledClasses(ConfiguredOptions configured, DiscoveredClasses discovered, TimedClasses timed) {
        Options.FilterScheduler options = configured.options().filterScheduler();
        this.filters = switch (EnabledFilters.choose(
                discovered.filters(), options.availableFilters(), options.enabledFilters())) {
            case EnabledFilters.Choice.Chosen(EnabledFilters chosen) -> chosen;
            case EnabledFilters.Choice.Invalid(String detail) -> throw startRefusal("enabled-filters", detail);
        };
        this.weighers = switch (EnabledWeighers.choose(discovered.weighers(), options.weightClasses())) {
            case EnabledWeighers.Choice.Chosen(EnabledWeighers chosen) -> chosen;
            case EnabledWeighers.Choice.Invalid(String detail) -> throw startRefusal("weight-classes", detail);
        };
        this.prefilters = timed.prefilters(new RequestPrefilters(discovered.prefilters()));
        this.times = timed.stages(this.filters, this.weighers);
    }

    /** Creates the bean at start, so that an unknown class name in the options stops the start. */
    void start(@Observes StartupEvent starting) {
        LOG.debugf("filters=%s weighers=%s", filters.inOrder(), weighers.inOrder());
    }

    public EnabledFilters filters() {
        return filters;
    }

    public EnabledWeighers weighers() {
        return weighers;
    }

    /** Returns the object that records the durations of filters and weighers. */
    public StageTimes times() {
        return times;
    }

    public RequestPrefilters prefilters() {
        return prefilters;
    }

    private static IllegalStateException startRefusal(String option, String detail) {
        return StartRefusal.because("berth.scheduler.filter-scheduler." + option + ": " + detail);
    }
}
