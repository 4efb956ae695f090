package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The free PCI devices of a host.
 * <br>Source: nova {@code pci/stats.py} (PciDeviceStats).
 *
 * @param pools the pools, sorted by their number of tags, the fewest first, so that devices with the fewest special
 *         attributes are used first. Pools with equally many tags keep their order
 */
public record PciStats(List<PciPool> pools) {
    public PciStats {
        pools = pools.stream()
                .sorted(Comparator.comparingInt(pool -> pool.tags().size()))
                .toList();
    }

    /** Returns the number of free devices of the host. */
    public long deviceCount() {
        return pools.stream().mapToLong(PciPool::count).sum();
    }

    /** Returns the number of free devices of the host cell. */
    public long deviceCountOn(int cellId) {
        return pools.stream()
                .filter(pool -> pool.numaNode() != null && pool.numaNode() == cellId)
                .mapToLong(PciPool::count)
                .sum();
    }

    /** Returns the number of free devices that match the request's spec, on all cells together. */
    public long deviceCountFor(PciRequest request) {
        return pools.stream()
                .filter(pool -> PoolMatch.matchesAny(pool, request.spec()))
                .mapToLong(PciPool::count)
                .sum();
    }

    /**
     * Assigns free devices to the requests, one after the other. Returns the remaining devices; empty if a request
     * cannot be satisfied.
     *
     * @param mappings the candidate's provider uuids by the suffix of the request group; null or empty if there is no
     *         candidate
     */
    public Optional<PciStats> take(
            List<PciRequest> requests, @Nullable Map<String, List<String>> mappings, CellAffinity affinity) {
        var free = new ArrayList<FreeDevices>();
        pools.forEach(pool -> free.add(new FreeDevices(pool)));
        for (PciRequest request : requests) {
            if (!take(free, request, RequiredProviders.of(request, mappings), affinity)) {
                return Optional.empty();
            }
        }
        return Optional.of(new PciStats(free.stream().map(FreeDevices::toPool).toList()));
    }

    /**
     * Takes the devices for one request: from each required provider the required number, or without required providers
     * from the usable pools in order. Returns false if the request cannot be satisfied.
     */
    private static boolean take(
            List<FreeDevices> free, PciRequest request, RequiredProviders required, CellAffinity affinity) {
        List<FreeDevices> usable = PoolFilter.usablePools(free, request, affinity, required);
        if (usable.isEmpty()) {
            return false;
        }
        if (required.isEmpty()) {
            takeInOrder(free, usable, request.count());
            return true;
        }
        if (!hasAtMostOnePoolPerProvider(free)) {
            return false;
        }
        for (FreeDevices devices : usable) {
            takeFrom(free, devices, required.deviceCount(devices.pool().resourceProvider()));
        }
        return true;
    }

    private static void takeInOrder(List<FreeDevices> free, List<FreeDevices> usable, int count) {
        int missing = count;
        for (FreeDevices devices : usable) {
            missing = takeFrom(free, devices, missing);
            if (missing == 0) {
                return;
            }
        }
    }

    /**
     * Takes up to {@code requestedCount} devices from a pool, and removes the pool if none remains. Returns the number
     * of devices that are still missing.
     */
    private static int takeFrom(List<FreeDevices> free, FreeDevices devices, int requestedCount) {
        if (devices.count() > requestedCount) {
            devices.take(requestedCount);
            return 0;
        }
        free.remove(devices);
        return requestedCount - devices.count();
    }

    /**
     * Returns whether each provider has at most one pool. With two pools, the provider would not determine which
     * devices are allocated.
     */
    private static boolean hasAtMostOnePoolPerProvider(List<FreeDevices> free) {
        var seen = new HashSet<String>();
        return free.stream()
                .map(devices -> devices.pool().resourceProvider())
                .allMatch(provider -> provider == null || seen.add(provider));
    }
}
