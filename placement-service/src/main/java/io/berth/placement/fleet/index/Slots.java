package io.berth.placement.fleet.index;

/** An immutable ascending set of tree slots. */
public final class Slots {
    public static final Slots NONE = new Slots(new int[0], 0);

    private final int[] slots;
    private final int size;

    private Slots(int[] slots, int size) {
        this.slots = slots;
        this.size = size;
    }

    /**
     * Returns the set of these slots.
     *
     * @param ascending slots in ascending order, without duplicates; the array must not be written any more
     */
    public static Slots of(int... ascending) {
        return new Slots(ascending, ascending.length);
    }

    public int size() {
        return size;
    }

    public int get(int index) {
        return slots[index];
    }

    /**
     * Returns the index of the first element that is not below {@code slot}, searching from {@code index} on; fast if
     * it is near.
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

    /** Returns the set after adding and removing slots. Both arrays are ascending, without duplicates, and disjoint. */
    public Slots with(int[] added, int[] removed) {
        int[] merged = new int[size + added.length];
        int n = 0;
        int a = 0;
        int r = 0;
        for (int i = 0; i < size; i++) {
            int slot = slots[i];
            while (a < added.length && added[a] < slot) {
                merged[n++] = added[a++];
            }
            if (a < added.length && added[a] == slot) {
                a++;
            }
            while (r < removed.length && removed[r] < slot) {
                r++;
            }
            if (r == removed.length || removed[r] != slot) {
                merged[n++] = slot;
            }
        }
        while (a < added.length) {
            merged[n++] = added[a++];
        }
        return n == 0 ? NONE : new Slots(merged, n);
    }
}
