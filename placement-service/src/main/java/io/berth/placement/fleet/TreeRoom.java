package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.Arrays;

/**
 * The amount of one resource class that each tree could still give to one request: by slot, the most that any single
 * provider has left within its capacity and its {@code max_unit}. Immutable; a changed copy copies only the changed
 * chunks. It takes four bytes for each slot.
 */
public final class TreeRoom {
    public static final int CHUNK_BITS = 8;
    static final TreeRoom NONE = new TreeRoom(new int[0][], new int[0]);
    private static final int CHUNK = 1 << CHUNK_BITS;

    /**
     * By slot, the amount; its bitwise complement if smaller amounts may not fit. Null if no tree of the chunk has
     * anything left.
     */
    private final int[][] chunks;
    /** The highest amount of each chunk. */
    private final int[] highest;

    private TreeRoom(int[][] chunks, int[] highest) {
        this.chunks = chunks;
        this.highest = highest;
    }

    /** Returns the amount of the tree; 0 for a free slot. No larger allocation fits. */
    public int at(int slot) {
        return amount(entry(slot));
    }

    /** Returns whether the tree is one provider in which every amount from 1 to {@link #at} fits. */
    public boolean isExact(int slot) {
        return entry(slot) > 0;
    }

    private int entry(int slot) {
        int chunk = slot >> CHUNK_BITS;
        return chunk >= chunks.length || chunks[chunk] == null ? 0 : chunks[chunk][slot & CHUNK - 1];
    }

    private static int amount(int entry) {
        return entry < 0 ? ~entry : entry;
    }

    /** Returns whether no tree has anything left. */
    boolean isNothing() {
        return Arrays.stream(highest).allMatch(most -> most == 0);
    }

    /**
     * Returns the highest amount in the chunk of that slot: the slots that differ from it only in the lowest {@link
     * #CHUNK_BITS} bits.
     */
    public int highestNear(int slot) {
        int chunk = slot >> CHUNK_BITS;
        return chunk >= highest.length ? 0 : highest[chunk];
    }

    /**
     * Returns a tree's entry for that class.
     *
     * @param tree null for a free slot
     */
    static int of(@Nullable ProviderTree tree, int classId) {
        int most = 0;
        for (int node = 0; tree != null && node < tree.size(); node++) {
            Inventories inventories = tree.node(node).inventories();
            int at = inventories.find(classId);
            if (at >= 0) {
                int left = inventories.mostThatFits(at);
                if (tree.size() == 1 && inventories.minUnit()[at] <= 1 && inventories.stepSize()[at] == 1) {
                    return Math.max(0, left);
                }
                most = Math.max(most, left);
            }
        }
        return most == 0 ? 0 : ~most;
    }

    Editor edit() {
        return new Editor(this);
    }

    /** Builds a changed copy. Not thread-safe; used once. */
    static final class Editor {
        private final TreeRoom from;
        private int[][] chunks;
        private int[] highest;

        private Editor(TreeRoom from) {
            this.from = from;
            this.chunks = from.chunks;
            this.highest = from.highest;
        }

        /** @param entry a result of {@link #of} */
        void set(int slot, int entry) {
            int chunk = slot >> CHUNK_BITS;
            int within = slot & CHUNK - 1;
            int[] before = chunk < chunks.length ? chunks[chunk] : null;
            if (before == null ? entry == 0 : before[within] == entry) {
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
                chunks[chunk] = new int[CHUNK];
            } else if (chunk < from.chunks.length && before == from.chunks[chunk]) {
                chunks[chunk] = before.clone();
            }
            int old = amount(chunks[chunk][within]);
            chunks[chunk][within] = entry;
            int now = amount(entry);
            int most = highest[chunk];
            highest[chunk] = now >= most ? now : old < most ? most : highest(chunks[chunk]);
        }

        private static int highest(int[] chunk) {
            int most = 0;
            for (int entry : chunk) {
                most = Math.max(most, amount(entry));
            }
            return most;
        }

        TreeRoom done() {
            return chunks == from.chunks ? from : new TreeRoom(chunks, highest);
        }
    }
}
