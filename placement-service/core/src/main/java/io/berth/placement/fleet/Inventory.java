package io.berth.placement.fleet;

/**
 * The inventory of one resource class on a provider: its amount, and the limits of an allocation.
 *
 * @param total total number of units
 * @param reserved units that cannot be allocated; a reshape may set more than {@code total}
 * @param minUnit smallest amount of one allocation
 * @param maxUnit largest amount of one allocation
 * @param stepSize the number, at least 1, of which every amount must be a multiple
 * @param allocationRatio factor by which the units may be overcommitted
 */
public record Inventory(int total, int reserved, int minUnit, int maxUnit, int stepSize, double allocationRatio) {
    /**
     * Returns the number of units that can be allocated in total, not rounded: ({@code total} - {@code reserved}) *
     * {@code allocationRatio}.
     */
    public double capacity() {
        return capacity(total, reserved, allocationRatio);
    }

    /** Returns the capacity, not rounded. {@code audit.FindingStore} has the same formula in SQL. */
    static double capacity(int total, int reserved, double allocationRatio) {
        return ((long) total - reserved) * allocationRatio;
    }

    /**
     * Truncates a capacity towards zero. Responses show the truncated capacity, and an inventory is invalid if its
     * truncated capacity is negative. Source: upstream {@code objects/inventory.py}.
     */
    public static double truncate(double capacity) {
        return capacity < 0 ? Math.ceil(capacity) : Math.floor(capacity);
    }

    /** Returns whether one allocation may have this amount, independent of the free capacity. */
    public boolean allowsPortion(long amount) {
        return amount >= minUnit && amount <= maxUnit && amount % stepSize == 0;
    }
}
