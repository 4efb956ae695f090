package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.pci.CellAffinity;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Keeps the allocation candidates under which the host's PCI pools can satisfy all PCI requests.
 * <br>Cost: one matching per candidate.
 * <br>Source: nova {@code scheduler/filters/pci_passthrough_filter.py}.
 */
@Singleton
public final class PciPassthroughFilter implements HostFilter, Repeatable {
    private static final Verdict NO_DATA = Verdict.reject("no_pci_data", "host reports no PCI devices");

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        if (spec.pciRequests().isEmpty()) {
            return Verdict.PASS;
        }
        if (host.pciStats() == null) {
            return NO_DATA;
        }
        List<AllocationCandidate> kept = host.allocationCandidates().stream()
                .filter(candidate -> host.pciStats()
                        .take(spec.pciRequests(), candidate.mappings(), CellAffinity.ANYWHERE)
                        .isPresent())
                .toList();
        return kept.isEmpty()
                ? Verdict.reject("devices", "devices do not satisfy %d PCI requests under any of %d candidates",
                        spec.pciRequests().size(), host.allocationCandidates().size())
                : new Verdict.Narrow(kept, host.limits());
    }
}
