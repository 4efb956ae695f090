package io.berth.scheduler.pci;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.HostNuma;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The PCI requests of an instance on a host that has PCI data, seen by the NUMA fitting of one candidate.
 *
 * @param requests empty if there are none
 * @param mappings of the candidate: request group to provider uuids; null or empty if there is none
 * @param host null if the host has no topology
 */
public record PciDemand(
        PciStats stats, List<PciRequest> requests, @Nullable Map<String, List<String>> mappings,
        @Nullable HostNuma host)
        implements CellDevices {

    public PciDemand {
        requests = List.copyOf(requests);
    }

    @Override
    public boolean requested() {
        return !requests.isEmpty();
    }

    @Override
    public long freeOn(int cellId) {
        return stats.deviceCountOn(cellId);
    }

    @Override
    public boolean satisfiableOn(Set<Integer> cellIds) {
        return stats.take(requests, mappings, CellAffinity.of(host, cellIds)).isPresent();
    }
}
