package io.berth.scheduler.pci;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.HostNuma;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The PCI requests of an instance on a host that reports PCI data, as the NUMA fitting sees them for one candidate.
 *
 * @param stats the host's free devices
 * @param requests empty if the instance requests no devices
 * @param mappings the candidate's provider uuids by request group; null or empty if there is no candidate
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
