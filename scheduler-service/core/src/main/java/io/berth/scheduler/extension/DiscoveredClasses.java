package io.berth.scheduler.extension;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.spi.RequestPrefilter;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.quarkus.arc.All;
import io.quarkus.arc.ClientProxy;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Provides all filters and weighers that were built into the service, whether enabled or not, and the prefilters of
 * extensions, without CDI's client proxies.
 */
@Singleton
public class DiscoveredClasses {
    private final List<HostFilter> filters;
    private final List<HostWeigher> weighers;
    private final List<RequestPrefilter> prefilters;

    DiscoveredClasses(
            @All List<HostFilter> filters, @All List<HostWeigher> weighers, @All List<RequestPrefilter> prefilters) {
        this.filters = unwrap(filters);
        this.weighers = unwrap(weighers);
        this.prefilters = unwrap(prefilters);
    }

    public List<HostFilter> filters() {
        return filters;
    }

    public List<HostWeigher> weighers() {
        return weighers;
    }

    /**
     * Returns the filters that the options in the body's member {@code $.options} enable. Throws ApiFault (400) for an
     * unknown filter.
     */
    public EnabledFilters enabledFilters(Options options) {
        return enabledFilters(options, "$.options");
    }

    /**
     * Like {@link #enabledFilters(Options)}.
     *
     * @param path JSON path of the options in the body, for errors
     */
    public EnabledFilters enabledFilters(Options options, String path) {
        Options.FilterScheduler filterOptions = options.filterScheduler();
        return switch (EnabledFilters.choose(
                filters, filterOptions.availableFilters(), filterOptions.enabledFilters())) {
            case EnabledFilters.Choice.Chosen(EnabledFilters chosen) -> chosen;
            case EnabledFilters.Choice.Invalid(String detail) ->
                throw ApiFault.invalid(path + ".enabled_filters: " + detail);
        };
    }

    /** Like {@link #enabledFilters(Options)}, for the weighers. */
    public EnabledWeighers enabledWeighers(Options options) {
        return enabledWeighers(options, "$.options");
    }

    /** Like {@link #enabledFilters(Options, String)}, for the weighers. */
    public EnabledWeighers enabledWeighers(Options options, String path) {
        return switch (EnabledWeighers.choose(weighers, options.filterScheduler().weightClasses())) {
            case EnabledWeighers.Choice.Chosen(EnabledWeighers chosen) -> chosen;
            case EnabledWeighers.Choice.Invalid(String detail) ->
                throw ApiFault.invalid(path + ".weight_classes: " + detail);
        };
    }

    /**
     * Returns the prefilters of extensions, the highest {@code @Priority} first. Berth's own prefilters run in a fixed
     * order, so they are not beans and not in this list.
     */
    public List<RequestPrefilter> prefilters() {
        return prefilters;
    }

    /** Unwraps proxies: a filter is named by its class name, which a proxy would hide. */
    private static <T> List<T> unwrap(List<T> beans) {
        return beans.stream().map(ClientProxy::unwrap).toList();
    }
}
