package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.HostSensitiveFilter;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Applies {@link CoreFilter} with the smallest {@code cpu_allocation_ratio} that the host's aggregates set. If they set
 * none, or one of their values is not a number, the ratio is the host's own.
 * <br>Differs from nova: nova removed the filter by 2020, since placement counts free capacity.
 * <br>Source: nova {@code scheduler/filters/core_filter.py} of the last release that had it.
 */
@Singleton
public final class AggregateCoreFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        double ratio = AggregateMetadata.decimal(host, "cpu_allocation_ratio", host.cpuAllocationRatio());
        return CoreFilter.check(host, spec, ratio);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return AmountRemedies.cores(reason);
    }
}
