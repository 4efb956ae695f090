package io.berth.placement.fleet;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * The inventories of one provider as columns, one position per resource class, class ids ascending. The arrays are
 * shared and never written after construction.
 *
 * @param classIds ascending, see {@link NameCatalogue}
 * @param total as in {@link Inventory}, like the arrays up to {@code allocationRatio}
 * @param used sum of all allocations of the class
 * @param updatedAtMs epoch milliseconds of the latest change of any inventory, apart from {@code used}; 0 if there is
 *         none
 * @param fitting the values that {@link #fits} reads, side by side: for each class its id, the largest and the smallest
 *         amount of one more allocation, and the step. Two or three classes fit into one line of the processor's cache,
 *         while eight arrays would take eight lines
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
    private static final int WIDTH = 4;

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

    public int size() {
        return classIds.length;
    }

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

    /** Returns the position of the class; negative if there is no such inventory. */
    public int find(int classId) {
        // A linear search is faster than a binary one, because there are few classes.
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

    /** Returns the capacity, like {@link Inventory#capacity()}. */
    public double capacity(int position) {
        return Inventory.capacity(total[position], reserved[position], allocationRatio[position]);
    }

    /** The limits that a further allocation may violate. */
    public enum Breach {
        CAPACITY,
        MIN_UNIT,
        MAX_UNIT,
        STEP_SIZE
    }

    /**
     * Returns whether one more allocation of this amount of that class fits: the inventory exists and no limit is
     * broken.
     */
    public boolean fits(int classId, long amount) {
        for (int i = 0; i < fitting.length && fitting[i] <= classId; i += WIDTH) {
            if (fitting[i] == classId) {
                return amount <= fitting[i + 1] && amount >= fitting[i + 2] && amount % fitting[i + 3] == 0;
            }
        }
        return false;
    }

    /** Returns the largest amount of one more allocation of the class at that position; below 1 if none fits. */
    public int mostThatFits(int position) {
        return fitting[WIDTH * position + 1];
    }

    /** Returns the limits that one more allocation of this amount would break; empty if it {@linkplain #fits fits}. */
    public Set<Breach> breaches(int position, long amount) {
        var broken = EnumSet.noneOf(Breach.class);
        if (!isWithinCapacity(position, amount)) {
            broken.add(Breach.CAPACITY);
        }
        if (amount < minUnit[position]) {
            broken.add(Breach.MIN_UNIT);
        }
        if (amount > maxUnit[position]) {
            broken.add(Breach.MAX_UNIT);
        }
        if (!isInSteps(position, amount)) {
            broken.add(Breach.STEP_SIZE);
        }
        return broken;
    }

    private boolean isWithinCapacity(int position, long amount) {
        return used[position] + amount <= capacity(position);
    }

    private boolean isInSteps(int position, long amount) {
        return amount % stepSize[position] == 0;
    }

    /** Returns the capacity, as responses show it, minus the use; negative if more is used. */
    public long free(int position) {
        return (long) Inventory.whole(capacity(position)) - used[position];
    }
}
