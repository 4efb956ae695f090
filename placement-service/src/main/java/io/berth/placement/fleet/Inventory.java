package io.berth.placement.fleet;

/**
 * How much of one resource class a provider has, and in which portions it gives it.
 *
 * @param total units of the class
 * @param reserved units that are not given; a reshape may set more than {@code total}
 * @param minUnit least amount of one allocation
 * @param maxUnit greatest amount of one allocation
 * @param stepSize amounts are multiples of it, at least 1
 * @param allocationRatio over-commit factor
 */
public record Inventory(int total, int reserved, int minUnit, int maxUnit, int stepSize, double allocationRatio) {
    /** What can be allocated in all, not rounded: what is used may come up to it. */
    public double capacity() {
        return capacity(total, reserved, allocationRatio);
    }

    /** In SQL the same is said once, in the audit's {@code FindingStore}. */
    static double capacity(int total, int reserved, double allocationRatio) {
        return ((long) total - reserved) * allocationRatio;
    }

    /**
     * A capacity cut to a whole number towards zero, as it is shown, and as a new inventory must have some.
     * Source: upstream {@code objects/inventory.py}.
     */
    public static double whole(double capacity) {
        return capacity < 0 ? Math.ceil(capacity) : Math.floor(capacity);
    }

    public boolean allowsPortion(long amount) {
        return amount >= minUnit && amount <= maxUnit && amount % stepSize == 0;
    }
}
