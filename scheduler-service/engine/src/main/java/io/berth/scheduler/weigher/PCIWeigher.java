package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * The raw value is 100 minus the number of free PCI devices of the host, at least 1. The weigher prefers hosts with few
 * free devices, so that the devices of other hosts remain free for requests that need devices.
 *
 * <p>Option: {@code pci_weight_multiplier}, at least 0, default 1.
 * <br>Source: nova {@code scheduler/weights/pci.py}.
 */
@Singleton
public final class PCIWeigher extends OptionWeigher {
    private static final long DEVICES_CAP = 100;

    public PCIWeigher() {
        super("pci_weight_multiplier", Options.Weights::pci);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        long free = host.pciStats() == null ? 0 : host.pciStats().deviceCount();
        return DEVICES_CAP - Math.min(free, DEVICES_CAP - 1);
    }
}
