package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;

/**
 * The inventory of one resource class in a compute node's report, in the units of the class.
 *
 * @param total 0 to 2^31 - 1
 * @param reserved 0 to 2^31 - 1; null: the configured amount
 * @param minUnit at least 1; null: 1
 * @param maxUnit at least 1; null: the total
 * @param stepSize at least 1; null: 1
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

    static ReportedInventory read(StrictObject body) {
        Long total = body.longWithin("total", 0, AMOUNT_MAX);
        if (total == null) {
            throw body.invalid("total", "is required");
        }
        return new ReportedInventory(
                total,
                body.longWithin("reserved", 0, AMOUNT_MAX),
                body.longWithin("min_unit", 1, AMOUNT_MAX),
                body.longWithin("max_unit", 1, AMOUNT_MAX),
                body.longWithin("step_size", 1, AMOUNT_MAX),
                ratio(body, "allocation_ratio"));
    }

    /**
     * Returns the inventory with other amounts.
     *
     * @param total null: unchanged
     * @param reserved null: unchanged
     */
    ReportedInventory with(@Nullable Long total, @Nullable Long reserved) {
        return new ReportedInventory(
                total == null ? this.total : total, reserved == null ? this.reserved : reserved, minUnit, maxUnit,
                stepSize, allocationRatio);
    }

    /** Returns the ratio; null if the member is absent or 0.0, which means "not set" as in nova. */
    static @Nullable Double ratio(StrictObject body, String name) {
        double ratio = body.number(name, 0);
        if (ratio < 0) {
            throw body.invalid(name, "must not be negative");
        }
        return ratio == 0 ? null : ratio;
    }
}
