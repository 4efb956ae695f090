package io.berth.scheduler.host.registry;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;

/**
 * What a compute node reports of one resource class, in the units of the class.
 *
 * @param total 0: the node has none of it
 * @param reserved null: as configured
 * @param minUnit null: 1
 * @param maxUnit null: the total
 * @param stepSize null: 1
 * @param allocationRatio above 0; null: see {@link ProviderReport#allocationRatio}
 */
public record ReportedInventory(
        long total,
        @Nullable Long reserved,
        @Nullable Long minUnit,
        @Nullable Long maxUnit,
        @Nullable Long stepSize,
        @Nullable Double allocationRatio) {
    private static final long AMOUNT_MAX = Integer.MAX_VALUE;

    static ReportedInventory read(StrictObject body, String path) {
        Long total = amount(body, "total", path, 0);
        if (total == null) {
            throw ApiFault.invalid(path + ".total: is required");
        }
        var read = new ReportedInventory(
                total,
                amount(body, "reserved", path, 0),
                amount(body, "min_unit", path, 1),
                amount(body, "max_unit", path, 1),
                amount(body, "step_size", path, 1),
                ratio(body, "allocation_ratio", path));
        body.nothingElse();
        return read;
    }

    private static @Nullable Long amount(StrictObject body, String name, String path, long atLeast) {
        Long value = body.longOrNull(name);
        if (value != null && (value < atLeast || value > AMOUNT_MAX)) {
            throw ApiFault.invalid(path + "." + name + ": must be between " + atLeast + " and " + AMOUNT_MAX);
        }
        return value;
    }

    /** Nova takes 0.0 for "not set"; so do we. */
    static @Nullable Double ratio(StrictObject body, String name, String path) {
        double ratio = body.number(name, 0);
        if (ratio < 0) {
            throw ApiFault.invalid(path + "." + name + ": must not be negative");
        }
        return ratio == 0 ? null : ratio;
    }
}
