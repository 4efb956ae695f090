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
 * Rejects hosts whose free virtual CPUs, after overcommit, are fewer than the flavor's, and hosts whose CPUs in total
 * are fewer. A host that reports no CPUs at all is accepted. Sets the limit of virtual CPUs that the compute service
 * checks.
 * <br>Differs from nova: nova removed the filter by 2020, since placement counts free capacity.
 * <br>Source: nova {@code scheduler/filters/core_filter.py} of the last release that had it.
 */
@Singleton
public final class CoreFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return check(host, spec, host.cpuAllocationRatio());
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return AmountRemedies.cores(reason);
    }

    /** @param ratio virtual CPUs per CPU */
    static Verdict check(HostState host, RequestSpec spec, double ratio) {
        if (host.vcpusTotal() == 0) {
            return Verdict.PASS;
        }
        long requestedVcpus = spec.flavor().vcpus();
        double limit = host.vcpusTotal() * ratio;
        // The ratio does not apply to a single instance: the host must have as many CPUs as the flavor.
        if (limit > 0 && requestedVcpus > host.vcpusTotal()) {
            return Verdict.lacking(
                    requestedVcpus - host.vcpusTotal(), "vcpus_total", "needs %d vCPUs, host has %d", requestedVcpus,
                    host.vcpusTotal());
        }
        double free = limit - host.vcpusUsed();
        if (free < requestedVcpus) {
            return Verdict.lacking(requestedVcpus - free, "vcpus", "needs %d vCPUs, %.1f free", requestedVcpus, free);
        }
        return limit > 0 ? new Verdict.Limited(host.limits().withVcpu(limit)) : Verdict.PASS;
    }
}
