package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;

/**
 * Version of the hypervisor in base 1000; newer is better. Versions of different hypervisors do not compare: keep those
 * apart by aggregates.
 *
 * <p>Option: {@code hypervisor_version_weight_multiplier}, default 1.
 * <br>Source: nova {@code scheduler/weights/hypervisor_version.py}.
 */
@Singleton
public final class HypervisorVersionWeigher implements HostWeigher {
    @Override
    public String aggregateKey() {
        return "hypervisor_version_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return options.filterScheduler().weights().hypervisorVersion();
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.hypervisorVersion() == null ? 0 : host.hypervisorVersion();
    }
}
