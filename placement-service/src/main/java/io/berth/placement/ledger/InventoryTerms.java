package io.berth.placement.ledger;

/**
 * How much of a resource class a provider has, and in which portions it gives it.
 *
 * @param reserved units that are not given; a reshape may set more than {@code total}
 * @param minUnit least amount of one allocation
 * @param maxUnit greatest amount of one allocation
 * @param stepSize amounts are multiples of it, at least 1
 * @param allocationRatio over-commit factor
 */
public record InventoryTerms(int total, int reserved, int minUnit, int maxUnit, int stepSize, double allocationRatio) {
    /** {@code (total - reserved) * allocation_ratio}, not rounded. */
    double capacity() {
        return ((long) total - reserved) * allocationRatio;
    }

    boolean allowsPortion(long amount) {
        return amount >= minUnit && amount <= maxUnit && amount % stepSize == 0;
    }
}
