package io.berth.scheduler.pci;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.HostNuma;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The PCI requests of an instance and the free devices of a host, for the NUMA fitting of one candidate.
 *
 * @param stats the host's free devices
 * @param requests empty if the instance requests no devices
 * @param mappings the candidate's provider uuids by the suffix of the request group; null or empty if there is no
 *         candidate
 * @param host topology of the host; null if it has none
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
