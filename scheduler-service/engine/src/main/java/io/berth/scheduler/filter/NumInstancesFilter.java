package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Rejects hosts with {@code max_instances_per_host} or more instances.
 *
 * <p>Option: {@code [filter_scheduler] max_instances_per_host}, a count, at least 1, default 50.
 * <br>Source: nova {@code scheduler/filters/num_instances_filter.py}.
 */
@Singleton
public final class NumInstancesFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return check(host, options.filterScheduler().maxInstancesPerHost());
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return List.of(freeInstances(reason));
    }

    static Verdict check(HostState host, long limit) {
        return host.numInstances() < limit
                ? Verdict.PASS
                : Verdict.lacking(
                        host.numInstances() - limit + 1,
                        "instances", "runs %2$d instances, limit %1$d", limit, host.numInstances());
    }

    /** Returns the remedy to move away as many instances as exceed the limit if the new instance is added. */
    static Remedy freeInstances(Reason reason) {
        return new Remedy.FreeInstances((long) reason.shortfall());
    }
}
