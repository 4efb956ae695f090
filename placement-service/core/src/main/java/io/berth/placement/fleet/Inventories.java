package io.berth.placement.fleet;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * The inventories of one provider as columns: the same position in each array belongs to the same resource class. The
 * arrays are shared and must not be modified.
 *
 * @param classIds ids of the resource classes, ascending, see {@link NameCatalogue}
 * @param total see {@link Inventory#total}; the arrays from {@code reserved} to {@code allocationRatio} also have the
 *         values of the {@link Inventory} components of the same names
 * @param used the sum of all allocations of the class, in units
 * @param updatedAtMs epoch milliseconds of the latest change of any inventory, except changes of {@code used}; 0 if
 *         there are no inventories
 * @param fitting the values that {@link #fits} reads: for each class {@value #WIDTH} elements, its id, the largest
 *         amount that one more allocation can have ({@link #mostThatFits}), {@code minUnit} and {@code stepSize}. Two
 *         or three classes are in one line of the processor's cache, whereas the separate arrays are in eight lines
 */
public record Inventories(
        int[] classIds,
        int[] total,
        int[] reserved,
        int[] minUnit,
        int[] maxUnit,
        int[] stepSize,
        double[] allocationRatio,
        long[] used,
        long updatedAtMs,
        int[] fitting) {
    /** The number of elements of {@code fitting} for each class. */
    private static final int WIDTH = 4;

    /** No inventories. */
    public static final Inventories NONE = new Inventories(
            new int[0], new int[0], new int[0], new int[0], new int[0], new int[0], new double[0], new long[0], 0);

    public Inventories(
            int[] classIds,
            int[] total,
            int[] reserved,
            int[] minUnit,
            int[] maxUnit,
            int[] stepSize,
            double[] allocationRatio,
            long[] used,
            long updatedAtMs) {
        this(
                classIds, total, reserved, minUnit, maxUnit, stepSize, allocationRatio, used, updatedAtMs,
                new int[WIDTH * classIds.length]);
        for (int i = 0; i < classIds.length; i++) {
            fitting[WIDTH * i] = classIds[i];
            fitting[WIDTH * i + 1] = (int) Math.clamp(Math.floor(capacity(i)) - used[i], -1, Math.max(-1, maxUnit[i]));
            fitting[WIDTH * i + 2] = minUnit[i];
            fitting[WIDTH * i + 3] = stepSize[i];
        }
    }

    /** Returns the number of inventories. */
    public int size() {
        return classIds.length;
    }

    /** Returns whether all values except {@code updatedAtMs} are equal. */
    boolean isSameButForTimes(Inventories other) {
        return Arrays.equals(classIds, other.classIds)
                && Arrays.equals(total, other.total)
                && Arrays.equals(reserved, other.reserved)
                && Arrays.equals(minUnit, other.minUnit)
                && Arrays.equals(maxUnit, other.maxUnit)
                && Arrays.equals(stepSize, other.stepSize)
                && Arrays.equals(allocationRatio, other.allocationRatio)
                && Arrays.equals(used, other.used);
    }

    /** Returns the position of the class in the arrays; negative if there is no inventory of the class. */
    public int find(int classId) {
        // With the usual few classes, a linear search is faster than a binary search.
        for (int i = 0; i < classIds.length && classIds[i] <= classId; i++) {
            if (classIds[i] == classId) {
                return i;
            }
        }
        return -1;
    }

    public Inventory get(int position) {
        return new Inventory(
                total[position], reserved[position], minUnit[position], maxUnit[position], stepSize[position],
                allocationRatio[position]);
    }

    /** Returns the capacity of the inventory at a position, see {@link Inventory#capacity()}. */
    public double capacity(int position) {
        return Inventory.capacity(total[position], reserved[position], allocationRatio[position]);
    }

    /** The limits that one more allocation may violate. */
    public enum Breach {
        CAPACITY,
        MIN_UNIT,
        MAX_UNIT,
        STEP_SIZE
    }

    /**
     * Returns whether one more allocation of this amount is possible: there is an inventory of the class, and no limit
     * is violated.
     */
    public boolean fits(int classId, long amount) {
        for (int i = 0; i < fitting.length && fitting[i] <= classId; i += WIDTH) {
            if (fitting[i] == classId) {
                return amount <= fitting[i + 1] && amount >= fitting[i + 2] && amount % fitting[i + 3] == 0;
            }
        }
        return false;
    }

    /**
     * Returns an upper bound of the amount of one more allocation at a position, from the free capacity and {@code
     * max_unit}; below 1 if no allocation is possible. {@code min_unit} and the step size are not considered.
     */
    public int mostThatFits(int position) {
        return fitting[WIDTH * position + 1];
    }

    /** Returns the limits that one more allocation of this amount would violate; empty if {@link #fits} is true. */
    public Set<Breach> breaches(int position, long amount) {
        var breaches = EnumSet.noneOf(Breach.class);
        if (!isWithinCapacity(position, amount)) {
            breaches.add(Breach.CAPACITY);
        }
        if (amount < minUnit[position]) {
            breaches.add(Breach.MIN_UNIT);
        }
        if (amount > maxUnit[position]) {
            breaches.add(Breach.MAX_UNIT);
        }
        if (!isInSteps(position, amount)) {
            breaches.add(Breach.STEP_SIZE);
        }
        return breaches;
    }

    private boolean isWithinCapacity(int position, long amount) {
        return used[position] + amount <= capacity(position);
    }

    private boolean isInSteps(int position, long amount) {
        return amount % stepSize[position] == 0;
    }

    /** Returns the capacity, truncated as in responses, minus the use; negative if the use exceeds the capacity. */
    public long free(int position) {
        return (long) Inventory.truncate(capacity(position)) - used[position];
    }
}
