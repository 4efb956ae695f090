package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;

/**
 * Applies {@link NumInstancesFilter} with the limit that the host's aggregates set under
 * {@code max_instances_per_host}.
 * <br>Source: nova {@code scheduler/filters/num_instances_filter.py}.
 */
@Singleton
public final class AggregateNumInstancesFilter implements HeedsHost {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        int configured = options.filterScheduler().maxInstancesPerHost();
        return NumInstancesFilter.check(host, AggregateMetadata.integer(host, "max_instances_per_host", configured));
    }
}
