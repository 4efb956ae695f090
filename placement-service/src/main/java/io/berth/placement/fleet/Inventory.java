package io.berth.placement.fleet;

/**
 * The inventory of one resource class of a provider: its amount and the limits of an allocation.
 *
 * @param total units of the class
 * @param reserved units that cannot be allocated; a reshape may set more than {@code total}
 * @param minUnit least amount of one allocation
 * @param maxUnit greatest amount of one allocation
 * @param stepSize amounts are multiples of it, at least 1
 * @param allocationRatio overcommit factor
 */
public record Inventory(int total, int reserved, int minUnit, int maxUnit, int stepSize, double allocationRatio) {
    /** Returns the units that can be allocated in total, not rounded. */
    public double capacity() {
        return capacity(total, reserved, allocationRatio);
    }

    /** Returns the capacity, not rounded. The audit's {@code FindingStore} has the same rule in SQL. */
    static double capacity(int total, int reserved, double allocationRatio) {
        return ((long) total - reserved) * allocationRatio;
    }

    /**
     * Truncates a capacity towards zero, to the whole number that responses show and that limits new inventories.
     * Source: upstream {@code objects/inventory.py}.
     */
    public static double whole(double capacity) {
        return capacity < 0 ? Math.ceil(capacity) : Math.floor(capacity);
    }

    /** Returns whether one allocation may have this amount, regardless of what is left. */
    public boolean allowsPortion(long amount) {
        return amount >= minUnit && amount <= maxUnit && amount % stepSize == 0;
    }
}
