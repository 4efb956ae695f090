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
 * Accepts only hosts with exactly as much free disk as the flavor's disks and swap take; allocation ratios are ignored.
 * For bare metal. Sets the host's total disk as the limit that the compute service checks.
 * <br>Differs from nova: nova removed the filter in 2018.
 * <br>Source: nova {@code scheduler/filters/exact_disk_filter.py} of the last release that had it.
 */
@Singleton
public final class ExactDiskFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        long wantedMb = spec.flavor().diskMb();
        return host.freeDiskMb() == wantedMb
                ? new Verdict.Limited(host.limits().withDiskGb(host.totalUsableDiskGb()))
                : Verdict.lacking(
                        Math.abs(host.freeDiskMb() - wantedMb),
                        "disk", "needs a host with exactly %d MB of free disk, %d MB are free", wantedMb,
                        host.freeDiskMb());
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return AmountRemedies.disk(spec, reason);
    }
}
