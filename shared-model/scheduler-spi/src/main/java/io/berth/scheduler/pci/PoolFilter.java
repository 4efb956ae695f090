package io.berth.scheduler.pci;

import io.berth.scheduler.text.BooleanText;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the pools with devices for one request, in the order in which their devices are taken. Each step removes
 * unusable pools; if the remaining pools have fewer free devices than requested, the result is empty.
 * <br>Source: nova {@code pci/stats.py} (_filter_pools and the filters it calls).
 */
final class PoolFilter {
    private static final String DEVICE_TYPE = "dev_type";
    private static final String LIVE_MIGRATABLE = "live_migratable";

    private final PciRequest request;
    private List<FreeDevices> pools;

    private PoolFilter(PciRequest request, List<FreeDevices> pools) {
        this.request = request;
        this.pools = pools;
    }

    /** Returns the usable pools; empty if the request cannot be satisfied. */
    static List<FreeDevices> usablePools(
            List<FreeDevices> pools, PciRequest request, CellAffinity affinity, RequiredProviders required) {
        var filter = new PoolFilter(request, pools);
        filter.keep(pool -> PoolMatch.matchesAny(pool, request.spec()));
        if (filter.hasTooFew()) {
            return List.of();
        }
        filter.keepNear(affinity);
        if (filter.hasTooFew()) {
            return List.of();
        }
        filter.removeUnrequestedType("type-PF");
        if (filter.hasTooFew()) {
            return List.of();
        }
        filter.removeUnrequestedType("vdpa");
        filter.removeUnrequestedRemoteManaged();
        filter.keepProviders(required);
        filter.keepLiveMigratable();
        return filter.hasTooFew() ? List.of() : filter.pools;
    }

    private void keep(Predicate<PciPool> condition) {
        pools = poolsThat(condition);
    }

    private List<FreeDevices> poolsThat(Predicate<PciPool> condition) {
        return pools.stream().filter(devices -> condition.test(devices.pool())).toList();
    }

    private boolean hasTooFew() {
        return !suffice(pools);
    }

    private boolean suffice(List<FreeDevices> candidates) {
        return candidates.stream().mapToLong(FreeDevices::count).sum() >= request.count();
    }

    /** Keeps the pools that are near enough to the instance's cells; all pools for an instance without cells. */
    private void keepNear(CellAffinity affinity) {
        if (!affinity.cells().isEmpty()) {
            PciNumaPolicy policy = request.numaPolicy() == null ? PciNumaPolicy.LEGACY : request.numaPolicy();
            pools = poolsNear(affinity, policy);
        }
    }

    /**
     * Returns the pools that are near enough for the policy. If the pools on the instance's cells have enough devices,
     * returns only these pools. With {@code PREFERRED}, returns all pools if the nearer ones do not suffice, the nearer
     * ones first.
     */
    private List<FreeDevices> poolsNear(CellAffinity affinity, PciNumaPolicy policy) {
        Predicate<PciPool> onCells = pool -> pool.numaNode() != null && affinity.cells().contains(pool.numaNode());
        Predicate<PciPool> onCellsOrUnknown = onCells.or(pool -> pool.numaNode() == null);
        List<FreeDevices> closest = poolsThat(onCells);
        if (suffice(closest)) {
            return closest;
        }
        return switch (policy) {
            case REQUIRED -> closest;
            case SOCKET -> poolsThat(
                    pool -> pool.numaNode() != null && affinity.socketCells().contains(pool.numaNode()));
            case LEGACY -> poolsThat(onCellsOrUnknown);
            case PREFERRED -> preferredFirst(onCellsOrUnknown);
        };
    }

    /** Returns the suitable pools if they have enough devices; otherwise all pools, the suitable ones first. */
    private List<FreeDevices> preferredFirst(Predicate<PciPool> suitable) {
        List<FreeDevices> suitablePools = poolsThat(suitable);
        if (suffice(suitablePools)) {
            return suitablePools;
        }
        return pools.stream()
                .sorted(Comparator.comparing(devices -> !suitable.test(devices.pool())))
                .toList();
    }

    /** Removes pools of a device type that the request does not name. */
    private void removeUnrequestedType(String deviceType) {
        boolean requested =
                request.spec().stream().anyMatch(alternative -> deviceType.equals(alternative.get(DEVICE_TYPE)));
        if (!requested) {
            keep(pool -> !deviceType.equals(pool.tags().get(DEVICE_TYPE)));
        }
    }

    private void removeUnrequestedRemoteManaged() {
        if (!request.isRemoteManaged()) {
            keep(pool -> !BooleanText.isTrue(pool.tags().get(PciRequest.REMOTE_MANAGED)));
        }
    }

    /** If providers are required, keeps only their pools, and of these only pools with enough devices. */
    private void keepProviders(RequiredProviders required) {
        if (!required.isEmpty()) {
            pools = pools.stream()
                    .filter(devices -> {
                        int requiredCount = required.deviceCount(devices.pool().resourceProvider());
                        return requiredCount > 0 && devices.count() >= requiredCount;
                    })
                    .toList();
        }
    }

    /** If all alternatives state the same live_migratable, keeps only pools with this value. */
    private void keepLiveMigratable() {
        for (String value : List.of("true", "false")) {
            if (request.spec().stream().allMatch(alternative -> value.equals(alternative.get(LIVE_MIGRATABLE)))) {
                keep(pool -> value.equals(pool.tags().get(LIVE_MIGRATABLE)));
            }
        }
    }
}
