package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.pci.CellAffinity;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.pci.PciStats;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Keeps the allocation candidates with which the host's free PCI devices satisfy all PCI requests of the instance, and
 * rejects hosts without such a candidate.
 * <br>Cost: one matching for each candidate.
 * <br>Source: nova {@code scheduler/filters/pci_passthrough_filter.py}.
 */
@Singleton
public final class PciPassthroughFilter implements PreparedFilter {
    /** Remedies that omit the request's PCI devices. */
    static final List<Remedy> WITHOUT_DEVICES = Remedy.omitOneOf(
            RequestMember.of("pci_requests"), RequestMember.extraSpec("pci_passthrough:alias"));

    @Override
    public Sensitivity sensitivity() {
        return Sensitivity.CANDIDATES;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return spec.pciRequests().isEmpty() ? HostCheck.PASS : host -> keepUsable(host, spec);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return WITHOUT_DEVICES;
    }

    private static Verdict keepUsable(HostState host, RequestSpec spec) {
        PciStats stats = host.pciStats();
        if (stats == null) {
            return Verdict.reject("no_pci_data", "host reports no PCI devices", requestedCount(spec), 0L);
        }
        List<AllocationCandidate> usable = host.allocationCandidates().stream()
                .filter(candidate -> stats
                        .take(spec.pciRequests(), candidate.mappings(), CellAffinity.ANYWHERE)
                        .isPresent())
                .toList();
        return usable.isEmpty() ? tooFew(stats, host, spec) : new Verdict.Narrow(usable, host.limits());
    }

    private static long requestedCount(RequestSpec spec) {
        return spec.pciRequests().stream().mapToLong(PciRequest::count).sum();
    }

    /**
     * Returns the rejection. Its reason is the request that lacks the most devices. If each request alone has enough
     * devices, the reason is that they do not suffice together, or are not where the candidates' allocations are.
     */
    private static Verdict tooFew(PciStats stats, HostState host, RequestSpec spec) {
        PciRequest worst = spec.pciRequests().getFirst();
        long worstOffered = stats.deviceCountFor(worst);
        for (PciRequest request : spec.pciRequests()) {
            long offered = stats.deviceCountFor(request);
            if (request.count() - offered > worst.count() - worstOffered) {
                worst = request;
                worstOffered = offered;
            }
        }
        long missing = worst.count() - worstOffered;
        return missing > 0
                ? Verdict.lacking(missing, "devices", "needs %1$d PCI devices (%3$s), host has %2$d free",
                        worst.count(),
                        worstOffered, worst.aliasName() == null ? "for a port" : worst.aliasName())
                : Verdict.lacking(0, "devices_unusable",
                        "enough PCI devices are free, but not together or not where %3$d allocation candidates want"
                                + " them",
                        requestedCount(spec), 0L, host.allocationCandidates().size());
    }
}
