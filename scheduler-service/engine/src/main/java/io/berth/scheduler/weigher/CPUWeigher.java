package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * The raw value is the number of free virtual CPUs, including overcommitment; a negative number counts as 0. A positive
 * multiplier spreads instances, a negative one stacks them.
 *
 * <p>Option: {@code cpu_weight_multiplier}, default 1.
 * <br>Differs from nova: the usage is taken from placement, which counts a claim at once. If Berth replaces
 * nova-scheduler and the host reports a higher usage, the reported usage counts.
 * <br>Source: nova {@code scheduler/weights/cpu.py}.
 */
@Singleton
public final class CPUWeigher extends OptionWeigher {
    public CPUWeigher() {
        super("cpu_weight_multiplier", Options.Weights::cpu);
    }

    @Override
    public double minimum() {
        return 0;
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.vcpusTotal() * host.cpuAllocationRatio() - host.vcpusUsed();
    }
}
