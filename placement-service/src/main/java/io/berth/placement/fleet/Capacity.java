package io.berth.placement.fleet;

/** What of an inventory can be allocated in all. In SQL the same is said once, in the audit's {@code FindingStore}. */
public final class Capacity {
    private Capacity() {}

    /** {@code (total - reserved) * allocation_ratio}, not rounded: what is used may come up to it. */
    public static double of(int total, int reserved, double allocationRatio) {
        return ((long) total - reserved) * allocationRatio;
    }

    /**
     * Cut to a whole number towards zero, as it is shown, and as a new inventory must have some.
     * Source: upstream {@code objects/inventory.py}.
     */
    public static double whole(double capacity) {
        return capacity < 0 ? Math.ceil(capacity) : Math.floor(capacity);
    }
}
