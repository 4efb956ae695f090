package io.berth.scheduler.pci;

import java.util.Comparator;
import java.util.List;

/**
 * The free PCI devices of a host. A host without any PCI data has no such value at all.
 *
 * @param pools by number of tags, fewest first, otherwise as given: the plainest devices are taken first
 */
public record PciStats(List<PciPool> pools) {
    public PciStats {
        pools = pools.stream()
                .sorted(Comparator.comparingInt(pool -> pool.tags().size()))
                .toList();
    }

    /** Free devices of the host. */
    public long deviceCount() {
        return pools.stream().mapToLong(PciPool::count).sum();
    }

    /** Free devices near the host cell. */
    public long deviceCountOn(int cellId) {
        return pools.stream()
                .filter(pool -> pool.numaNode() != null && pool.numaNode() == cellId)
                .mapToLong(PciPool::count)
                .sum();
    }
}
