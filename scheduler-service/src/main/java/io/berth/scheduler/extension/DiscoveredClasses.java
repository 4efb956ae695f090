package io.berth.scheduler.extension;

import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.prefilter.RequestPrefilter;
import io.berth.scheduler.weigher.HostWeigher;
import io.quarkus.arc.All;
import io.quarkus.arc.ClientProxy;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Every filter, weigher and prefilter that was built into the service, as the classes they are: never as CDI's proxies.
 */
@Singleton
public class DiscoveredClasses {
    private final List<HostFilter> filters;
    private final List<HostWeigher> weighers;
    private final List<RequestPrefilter> prefilters;

    DiscoveredClasses(
            @All List<HostFilter> filters, @All List<HostWeigher> weighers, @All List<RequestPrefilter> prefilters) {
        this.filters = unwrapped(filters);
        this.weighers = unwrapped(weighers);
        this.prefilters = unwrapped(prefilters);
    }

    public List<HostFilter> filters() {
        return filters;
    }

    public List<HostWeigher> weighers() {
        return weighers;
    }

    /** An extension's, highest {@code @Priority} first; Berth's own are not beans, their order is fixed. */
    public List<RequestPrefilter> prefilters() {
        return prefilters;
    }

    /** A class is named by its name, which a proxy would hide. */
    private static <T> List<T> unwrapped(List<T> beans) {
        return beans.stream().map(ClientProxy::unwrap).toList();
    }
}
