package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;

/**
 * Builds, resizes and the like under way; the default multiplier prefers quiet hosts.
 *
 * <p>Option: {@code io_ops_weight_multiplier}, default -1.
 * <br>Source: nova {@code scheduler/weights/io_ops.py}.
 */
@Singleton
public final class IoOpsWeigher implements HostWeigher {
    @Override
    public double minimum() {
        return 0;
    }

    @Override
    public String aggregateKey() {
        return "io_ops_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return options.filterScheduler().weights().ioOps();
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.numIoOps();
    }
}
