package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * The raw value is the number of instances on the host. A positive multiplier stacks instances, a negative one spreads
 * them.
 *
 * <p>Option: {@code num_instances_weight_multiplier}, default 0.
 * <br>Source: nova {@code scheduler/weights/num_instances.py}.
 */
@Singleton
public final class NumInstancesWeigher extends OptionWeigher {
    public NumInstancesWeigher() {
        super("num_instances_weight_multiplier", Options.Weights::numInstances);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.numInstances();
    }
}
