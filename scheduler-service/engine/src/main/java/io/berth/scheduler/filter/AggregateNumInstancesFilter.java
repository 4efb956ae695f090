package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Applies {@link NumInstancesFilter} with the limit of the host's aggregates: the smallest value of their metadata
 * {@code max_instances_per_host}. If no aggregate has this key, or if one of the values is not an integer, applies the
 * option of this name.
 * <br>Source: nova {@code scheduler/filters/num_instances_filter.py}.
 */
@Singleton
public final class AggregateNumInstancesFilter implements HostSensitiveFilter {
    private static final String LIMIT = "max_instances_per_host";

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        int configured = options.filterScheduler().maxInstancesPerHost();
        return NumInstancesFilter.check(host, AggregateMetadata.integer(host, LIMIT, configured));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return List.of(
                new Remedy.SetMetadata(LIMIT, Long.toString(host.numInstances() + 1)),
                NumInstancesFilter.freeInstances(reason));
    }
}
