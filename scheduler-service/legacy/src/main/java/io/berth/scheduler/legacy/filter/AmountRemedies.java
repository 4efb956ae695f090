package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import java.util.ArrayList;
import java.util.List;

/** Remedies of filters that compare an amount of the flavor with that of the host. */
final class AmountRemedies {
    private static final long MIB_PER_GIB = 1024;

    private AmountRemedies() {}

    static List<Remedy> cores(Reason reason) {
        List<Remedy> found = free(reason, "VCPU", 1);
        found.addAll(Remedy.flavorWith("vcpus", had(reason)));
        return found;
    }

    static List<Remedy> memory(Reason reason) {
        List<Remedy> found = free(reason, "MEMORY_MB", 1);
        found.addAll(Remedy.flavorWith("memory_mb", had(reason)));
        return found;
    }

    /** Proposes another root disk only if the flavor has no other disk. */
    static List<Remedy> disk(RequestSpec spec, Reason reason) {
        List<Remedy> found = free(reason, "DISK_GB", MIB_PER_GIB);
        if (spec.flavor().ephemeralGb() == 0 && spec.flavor().swapMb() == 0) {
            found.addAll(Remedy.flavorWith("root_gb", had(reason) / MIB_PER_GIB));
        }
        return found;
    }

    /**
     * Returns the remedy that frees what is lacking; none if the total is too small.
     *
     * @param unit the number of the filter's units in one unit of placement
     */
    private static List<Remedy> free(Reason reason, String resourceClass, long unit) {
        List<Remedy> found = new ArrayList<>();
        long lacking = Math.ceilDiv(number(reason.values().getFirst()) - had(reason), unit);
        if (!reason.code().endsWith("_total") && lacking > 0) {
            found.add(new Remedy.Free(resourceClass, lacking));
        }
        return found;
    }

    private static long had(Reason reason) {
        return number(reason.values().get(1));
    }

    private static long number(Object value) {
        return ((Number) value).longValue();
    }
}
