package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * The raw value is the version of the hypervisor as a number with three decimal digits for each component: 2.12.0 is
 * 2012000; it is 0 if the host reports no version. A positive multiplier prefers newer versions. Versions of different
 * hypervisors cannot be compared, so hosts with different hypervisors should be in separate aggregates.
 *
 * <p>Option: {@code hypervisor_version_weight_multiplier}, default 1.
 * <br>Source: nova {@code scheduler/weights/hypervisor_version.py}.
 */
@Singleton
public final class HypervisorVersionWeigher extends OptionWeigher {
    public HypervisorVersionWeigher() {
        super("hypervisor_version_weight_multiplier", Options.Weights::hypervisorVersion);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.hypervisorVersion() == null ? 0 : host.hypervisorVersion();
    }
}
