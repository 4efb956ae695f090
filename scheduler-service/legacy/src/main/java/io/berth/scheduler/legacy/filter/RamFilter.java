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
 * Rejects hosts whose free memory, after overcommit, is less than the flavor's memory, and hosts whose total memory is
 * less. Sets the limit of memory that the compute service checks.
 * <br>Differs from nova: nova removed the filter by 2020, since placement counts free capacity.
 * <br>Source: nova {@code scheduler/filters/ram_filter.py} of the last release that had it.
 */
@Singleton
public final class RamFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return check(host, spec, host.ramAllocationRatio());
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return AmountRemedies.memory(reason);
    }

    /** @param ratio allocatable memory per total memory */
    static Verdict check(HostState host, RequestSpec spec, double ratio) {
        long wantedMb = spec.flavor().memoryMb();
        if (host.totalUsableRamMb() < wantedMb) {
            long totalMb = host.totalUsableRamMb();
            return Verdict.lacking(
                    wantedMb - totalMb, "ram_total", "needs %d MB, host has %d MB", wantedMb, totalMb);
        }
        double limitMb = host.totalUsableRamMb() * ratio;
        double freeMb = limitMb - (host.totalUsableRamMb() - host.freeRamMb());
        return freeMb < wantedMb
                ? Verdict.lacking(wantedMb - freeMb, "ram", "needs %d MB, %.0f MB free", wantedMb, freeMb)
                : new Verdict.Limited(host.limits().withMemoryMb(limitMb));
    }
}
