package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import java.util.ArrayList;
import java.util.List;

/**
 * Remedies of filters that compare an amount of the flavor with the host's amount. The values of such a filter's {@link
 * Reason} are these two amounts, in this order.
 */
final class AmountRemedies {
    private static final long MIB_PER_GIB = 1024;

    private AmountRemedies() {}

    static List<Remedy> cores(Reason reason) {
        List<Remedy> remedies = free(reason, "VCPU", 1);
        remedies.addAll(Remedy.flavorWith("vcpus", hostAmount(reason)));
        return remedies;
    }

    static List<Remedy> memory(Reason reason) {
        List<Remedy> remedies = free(reason, "MEMORY_MB", 1);
        remedies.addAll(Remedy.flavorWith("memory_mb", hostAmount(reason)));
        return remedies;
    }

    /** Proposes to free disk, and also a root disk that fits if the flavor has neither an ephemeral disk nor swap. */
    static List<Remedy> disk(RequestSpec spec, Reason reason) {
        List<Remedy> remedies = free(reason, "DISK_GB", MIB_PER_GIB);
        if (spec.flavor().ephemeralGb() == 0 && spec.flavor().swapMb() == 0) {
            remedies.addAll(Remedy.flavorWith("root_gb", hostAmount(reason) / MIB_PER_GIB));
        }
        return remedies;
    }

    /**
     * Returns the remedy that frees the missing amount on the host; none if even the host's total is too small (a
     * reason code that ends in {@code _total}), or if the host has more than the flavor needs.
     *
     * @param unitsPerPlacementUnit how many of the filter's units are one unit of the resource class in placement, such
     *         as 1024 MiB in one GiB
     */
    private static List<Remedy> free(Reason reason, String resourceClass, long unitsPerPlacementUnit) {
        List<Remedy> remedies = new ArrayList<>();
        long missing = Math.ceilDiv(number(reason.values().getFirst()) - hostAmount(reason), unitsPerPlacementUnit);
        if (!reason.code().endsWith("_total") && missing > 0) {
            remedies.add(new Remedy.Free(resourceClass, missing));
        }
        return remedies;
    }

    private static long hostAmount(Reason reason) {
        return number(reason.values().get(1));
    }

    private static long number(Object value) {
        return ((Number) value).longValue();
    }
}
