package io.berth.placement.fleet.index;

/** An immutable ascending set of tree slots. */
public final class Slots {
    /** The empty set. */
    public static final Slots NONE = new Slots(new int[0], 0);

    private final int[] slots;
    private final int size;

    private Slots(int[] slots, int size) {
        this.slots = slots;
        this.size = size;
    }

    /**
     * Returns a set.
     *
     * @param ascending the slots, ascending and without duplicates; the array must not be modified afterwards
     */
    public static Slots of(int... ascending) {
        return new Slots(ascending, ascending.length);
    }

    public int size() {
        return size;
    }

    /** Returns the element at an index, in ascending order. */
    public int get(int index) {
        return slots[index];
    }

    /**
     * Returns the lowest index from {@code index} on whose element is at least {@code slot}; the size if there is none.
     * Takes time logarithmic in the distance.
     */
    public int seek(int index, int slot) {
        int low = index;
        int high = index;
        for (int step = 1; high < size && slots[high] < slot; step <<= 1) {
            low = high + 1;
            high += step;
        }
        high = Math.min(high, size);
        while (low < high) {
            int middle = low + high >>> 1;
            if (slots[middle] < slot) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns this set with slots added and removed. Both arrays must be ascending and without duplicates, and must
     * have no slot in common.
     */
    public Slots with(int[] added, int[] removed) {
        int[] merged = new int[size + added.length];
        int mergedCount = 0;
        int addedIndex = 0;
        int removedIndex = 0;
        for (int i = 0; i < size; i++) {
            int slot = slots[i];
            while (addedIndex < added.length && added[addedIndex] < slot) {
                merged[mergedCount++] = added[addedIndex++];
            }
            if (addedIndex < added.length && added[addedIndex] == slot) {
                addedIndex++;
            }
            while (removedIndex < removed.length && removed[removedIndex] < slot) {
                removedIndex++;
            }
            if (removedIndex == removed.length || removed[removedIndex] != slot) {
                merged[mergedCount++] = slot;
            }
        }
        while (addedIndex < added.length) {
            merged[mergedCount++] = added[addedIndex++];
        }
        return mergedCount == 0 ? NONE : new Slots(merged, mergedCount);
    }
}
