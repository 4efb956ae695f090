package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;

/**
 * Free disk in MiB; a positive multiplier spreads, a negative one stacks.
 *
 * <p>Option: {@code disk_weight_multiplier}, default 1.
 * <br>Source: nova {@code scheduler/weights/disk.py}.
 */
@Singleton
public final class DiskWeigher implements HostWeigher {
    @Override
    public double minimum() {
        return 0;
    }

    @Override
    public String aggregateKey() {
        return "disk_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return options.filterScheduler().weights().disk();
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.freeDiskMb();
    }
}
