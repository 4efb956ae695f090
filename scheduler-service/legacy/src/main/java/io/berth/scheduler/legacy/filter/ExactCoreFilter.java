package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.HostSensitiveFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Accepts only hosts with exactly as many free CPUs as the flavor has; allocation ratios are ignored. For bare metal.
 * Sets the host's CPUs as the limit that the compute service checks.
 * <br>Differs from nova: nova removed the filter in 2018.
 * <br>Source: nova {@code scheduler/filters/exact_core_filter.py} of the last release that had it.
 */
@Singleton
public final class ExactCoreFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        if (host.vcpusTotal() == 0) {
            return Verdict.reject("vcpus_unknown", "host reports no CPUs", spec.flavor().vcpus(), 0L);
        }
        long free = host.vcpusTotal() - host.vcpusUsed();
        return free == spec.flavor().vcpus()
                ? new Verdict.Limited(host.limits().withVcpu(host.vcpusTotal()))
                : Verdict.lacking(
                        Math.abs(free - spec.flavor().vcpus()),
                        "vcpus", "needs a host with exactly %d free CPUs, %d are free", spec.flavor().vcpus(), free);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return reason.code().equals("vcpus") ? AmountRemedies.cores(reason) : List.of();
    }
}
