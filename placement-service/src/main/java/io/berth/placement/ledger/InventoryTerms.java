package io.berth.placement.ledger;

import io.berth.placement.fleet.Capacity;

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
    /** Not rounded, see {@link Capacity}. */
    double capacity() {
        return Capacity.of(total, reserved, allocationRatio);
    }

    boolean allowsPortion(long amount) {
        return amount >= minUnit && amount <= maxUnit && amount % stepSize == 0;
    }
}
