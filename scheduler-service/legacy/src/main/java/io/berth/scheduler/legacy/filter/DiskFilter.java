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
 * Rejects hosts whose free local disk, after overcommit, is less than the flavor's disks and swap, and hosts whose
 * total disk is less. Sets the limit of disk that the compute service checks.
 * <br>Differs from nova: nova removed the filter by 2020, since placement counts free capacity.
 * <br>Source: nova {@code scheduler/filters/disk_filter.py} of the last release that had it.
 */
@Singleton
public final class DiskFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return check(host, spec, host.diskAllocationRatio());
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return AmountRemedies.disk(spec, reason);
    }

    /** @param ratio allocatable disk per total disk */
    static Verdict check(HostState host, RequestSpec spec, double ratio) {
        long wantedMb = spec.flavor().diskMb();
        long totalMb = host.totalUsableDiskGb() * 1024;
        if (totalMb < wantedMb) {
            return Verdict.lacking(
                    wantedMb - totalMb, "disk_total", "needs %d MB, host has %d MB", wantedMb, totalMb);
        }
        double limitMb = totalMb * ratio;
        double freeMb = limitMb - (totalMb - host.freeDiskMb());
        return freeMb < wantedMb
                ? Verdict.lacking(wantedMb - freeMb, "disk", "needs %d MB, %.0f MB free", wantedMb, freeMb)
                : new Verdict.Limited(host.limits().withDiskGb(limitMb / 1024));
    }
}
