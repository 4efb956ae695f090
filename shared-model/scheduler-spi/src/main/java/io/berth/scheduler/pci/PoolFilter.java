package io.berth.scheduler.pci;

import io.berth.scheduler.text.BooleanText;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the pools with devices for one request, in the order in which their devices are taken. Each step removes pools.
 * If too few devices remain, the result is empty.
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
    static List<FreeDevices> usable(
            List<FreeDevices> pools, PciRequest request, CellAffinity affinity, RequiredProviders required) {
        var filter = new PoolFilter(request, pools);
        filter.keep(pool -> PoolMatch.matchesAny(pool, request.spec()));
        if (filter.tooFew()) {
            return List.of();
        }
        filter.nearCells(affinity);
        if (filter.tooFew()) {
            return List.of();
        }
        filter.withoutUnrequested("type-PF");
        if (filter.tooFew()) {
            return List.of();
        }
        filter.withoutUnrequested("vdpa");
        filter.withoutUnrequestedRemoteManaged();
        filter.ofProviders(required);
        filter.byLiveMigration();
        return filter.tooFew() ? List.of() : filter.pools;
    }

    private void keep(Predicate<PciPool> wanted) {
        pools = keeping(wanted);
    }

    private List<FreeDevices> keeping(Predicate<PciPool> wanted) {
        return pools.stream().filter(devices -> wanted.test(devices.pool())).toList();
    }

    private boolean tooFew() {
        return !suffice(pools);
    }

    private boolean suffice(List<FreeDevices> some) {
        return some.stream().mapToLong(FreeDevices::count).sum() >= request.count();
    }

    private void nearCells(CellAffinity affinity) {
        if (!affinity.cells().isEmpty()) {
            PciNumaPolicy policy = request.numaPolicy() == null ? PciNumaPolicy.LEGACY : request.numaPolicy();
            pools = near(affinity, policy);
        }
    }

    /**
     * Returns the pools that are near enough for the policy; only those on the instance's cells if these have enough
     * devices.
     */
    private List<FreeDevices> near(CellAffinity affinity, PciNumaPolicy policy) {
        Predicate<PciPool> onCells = pool -> pool.numaNode() != null && affinity.cells().contains(pool.numaNode());
        Predicate<PciPool> onCellsOrUnknown = onCells.or(pool -> pool.numaNode() == null);
        List<FreeDevices> closest = keeping(onCells);
        if (suffice(closest)) {
            return closest;
        }
        return switch (policy) {
            case REQUIRED -> closest;
            case SOCKET -> keeping(
                    pool -> pool.numaNode() != null && affinity.socketCells().contains(pool.numaNode()));
            case LEGACY -> keeping(onCellsOrUnknown);
            case PREFERRED -> preferring(onCellsOrUnknown);
        };
    }

    /** Returns the suitable pools if they have enough devices; otherwise all pools, the suitable ones first. */
    private List<FreeDevices> preferring(Predicate<PciPool> suitable) {
        List<FreeDevices> some = keeping(suitable);
        if (suffice(some)) {
            return some;
        }
        return pools.stream()
                .sorted(Comparator.comparing(devices -> !suitable.test(devices.pool())))
                .toList();
    }

    /** Removes pools of a device type that the request does not name. */
    private void withoutUnrequested(String deviceType) {
        boolean requested =
                request.spec().stream().anyMatch(alternative -> deviceType.equals(alternative.get(DEVICE_TYPE)));
        if (!requested) {
            keep(pool -> !deviceType.equals(pool.tags().get(DEVICE_TYPE)));
        }
    }

    private void withoutUnrequestedRemoteManaged() {
        if (!request.isRemoteManaged()) {
            keep(pool -> !BooleanText.isTrue(pool.tags().get(PciRequest.REMOTE_MANAGED)));
        }
    }

    private void ofProviders(RequiredProviders required) {
        if (!required.isEmpty()) {
            pools = pools.stream()
                    .filter(devices -> {
                        int wanted = required.deviceCount(devices.pool().resourceProvider());
                        return wanted > 0 && devices.count() >= wanted;
                    })
                    .toList();
        }
    }

    /** If all alternatives state the same live_migratable, keeps only pools with this value. */
    private void byLiveMigration() {
        for (String wish : List.of("true", "false")) {
            if (request.spec().stream().allMatch(alternative -> wish.equals(alternative.get(LIVE_MIGRATABLE)))) {
                keep(pool -> wish.equals(pool.tags().get(LIVE_MIGRATABLE)));
            }
        }
    }
}
