package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;

/**
 * Instances on the host; a positive multiplier packs, a negative one spreads.
 *
 * <p>Option: {@code num_instances_weight_multiplier}, default 0.
 * <br>Source: nova {@code scheduler/weights/num_instances.py}.
 */
@Singleton
public final class NumInstancesWeigher implements HostWeigher {
    @Override
    public String aggregateKey() {
        return "num_instances_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return options.filterScheduler().weights().numInstances();
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.numInstances();
    }
}
