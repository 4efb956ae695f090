package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * Free memory in MiB; a positive multiplier spreads, a negative one stacks.
 *
 * <p>Option: {@code ram_weight_multiplier}, default 1.
 * <br>Differs from nova: usage comes from Placement, which includes a claim at once. Where Berth replaces
 * nova-scheduler, the usage that the host reports counts if it is higher.
 * <br>Source: nova {@code scheduler/weights/ram.py}.
 */
@Singleton
public final class RAMWeigher extends OptionWeigher {
    public RAMWeigher() {
        super("ram_weight_multiplier", Options.Weights::ram);
    }

    @Override
    public double minimum() {
        return 0;
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.freeRamMb();
    }
}
