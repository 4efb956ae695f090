package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.Arrays;

/**
 * For one resource class and each slot, the largest allocation that a single provider of the tree may allow: its free
 * capacity, limited by its {@code max_unit}. Searches skip trees in which this amount is too small. Immutable; a
 * changed copy copies only the changed chunks. Takes four bytes per slot.
 */
public final class TreeRoom {
    /** A chunk has 2 to the power of this number of slots, which differ only in the lowest bits. */
    public static final int CHUNK_BITS = 8;
    /** The instance for a class without any free capacity. */
    static final TreeRoom NONE = new TreeRoom(new int[0][], new int[0]);
    private static final int CHUNK_SLOTS = 1 << CHUNK_BITS;

    /**
     * By slot, the amount if {@link #isExact} is true, otherwise its bitwise complement; 0 for an amount of 0. In a
     * chunk that is null, all amounts are 0.
     */
    private final int[][] chunks;
    /** The highest amount of each chunk. */
    private final int[] highest;

    private TreeRoom(int[][] chunks, int[] highest) {
        this.chunks = chunks;
        this.highest = highest;
    }

    /** Returns an upper bound of one more allocation on any provider of the tree; 0 for a free slot. */
    public int amountAt(int slot) {
        return amount(entry(slot));
    }

    /**
     * Returns whether the tree has only one provider, and this provider can allocate every amount from 1 to {@link
     * #amountAt}. False if that amount is 0.
     */
    public boolean isExact(int slot) {
        return entry(slot) > 0;
    }

    private int entry(int slot) {
        int chunk = slot >> CHUNK_BITS;
        return chunk >= chunks.length || chunks[chunk] == null ? 0 : chunks[chunk][slot & CHUNK_SLOTS - 1];
    }

    private static int amount(int entry) {
        return entry < 0 ? ~entry : entry;
    }

    /** Returns whether the amount of every slot is 0. */
    boolean isAllZero() {
        return Arrays.stream(highest).allMatch(largest -> largest == 0);
    }

    /**
     * Returns the highest amount in the chunk of a slot: the slots that differ only in the lowest {@link #CHUNK_BITS}
     * bits.
     */
    public int highestInChunk(int slot) {
        int chunk = slot >> CHUNK_BITS;
        return chunk >= highest.length ? 0 : highest[chunk];
    }

    /**
     * Returns the entry of a tree for a class, as in {@link #chunks}.
     *
     * @param tree the tree; null for a free slot
     */
    static int entryOf(@Nullable ProviderTree tree, int classId) {
        int largest = 0;
        for (int node = 0; tree != null && node < tree.size(); node++) {
            Inventories inventories = tree.node(node).inventories();
            int position = inventories.find(classId);
            if (position >= 0) {
                int largestHere = inventories.mostThatFits(position);
                if (tree.size() == 1 && inventories.minUnit()[position] <= 1 && inventories.stepSize()[position] == 1) {
                    return Math.max(0, largestHere);
                }
                largest = Math.max(largest, largestHere);
            }
        }
        return largest == 0 ? 0 : ~largest;
    }

    Editor edit() {
        return new Editor(this);
    }

    /** Builds a changed copy. Not thread-safe; {@link #done} may be called once. */
    static final class Editor {
        private final TreeRoom from;
        private int[][] chunks;
        private int[] highest;

        private Editor(TreeRoom from) {
            this.from = from;
            this.chunks = from.chunks;
            this.highest = from.highest;
        }

        /**
         * Sets the entry of a slot.
         *
         * @param entry a result of {@link #entryOf}
         */
        void set(int slot, int entry) {
            int chunk = slot >> CHUNK_BITS;
            int indexInChunk = slot & CHUNK_SLOTS - 1;
            int[] before = chunk < chunks.length ? chunks[chunk] : null;
            if (before == null ? entry == 0 : before[indexInChunk] == entry) {
                return;
            }
            if (chunks == from.chunks) {
                int length = Math.max(chunk + 1, chunks.length);
                chunks = Arrays.copyOf(chunks, length);
                highest = Arrays.copyOf(highest, length);
            } else if (chunk >= chunks.length) {
                int length = Math.max(chunk + 1, chunks.length + chunks.length / 2);
                chunks = Arrays.copyOf(chunks, length);
                highest = Arrays.copyOf(highest, length);
            }
            if (before == null) {
                chunks[chunk] = new int[CHUNK_SLOTS];
            } else if (chunk < from.chunks.length && before == from.chunks[chunk]) {
                chunks[chunk] = before.clone();
            }
            int old = amount(chunks[chunk][indexInChunk]);
            chunks[chunk][indexInChunk] = entry;
            int now = amount(entry);
            int largest = highest[chunk];
            highest[chunk] = now >= largest ? now : old < largest ? largest : highest(chunks[chunk]);
        }

        private static int highest(int[] chunk) {
            int largest = 0;
            for (int entry : chunk) {
                largest = Math.max(largest, amount(entry));
            }
            return largest;
        }

        TreeRoom done() {
            return chunks == from.chunks ? from : new TreeRoom(chunks, highest);
        }
    }
}
