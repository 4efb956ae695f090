package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.Arrays;

/**
 * How much of one resource class each tree could still give to one request: by slot, the most that any single provider
 * has left within its capacity and its {@code max_unit}, as a {@linkplain #step step}. Immutable; a changed copy copies
 * the changed chunks alone. A byte for each slot.
 */
public final class TreeRoom {
    public static final int CHUNK_BITS = 8;
    static final TreeRoom NONE = new TreeRoom(new byte[0][], new byte[0]);
    private static final int CHUNK = 1 << CHUNK_BITS;

    /** Null where no tree of the chunk has anything left. */
    private final byte[][] chunks;
    /** The highest step of each chunk. */
    private final byte[] highest;

    private TreeRoom(byte[][] chunks, byte[] highest) {
        this.chunks = chunks;
        this.highest = highest;
    }

    /**
     * 0 to 255, rising with the amount, 0 for nothing: a step of its own for each amount up to 16, then eight for each
     * power of two. Who has the step of an amount may have less than it; who has a lower one has less.
     */
    public static int step(long amount) {
        if (amount < 16) {
            return (int) Math.max(0, amount);
        }
        long within = Math.min(amount, Integer.MAX_VALUE);
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(within);
        return 16 + 8 * (power - 4) + (int) (within >>> power - 3 & 7);
    }

    /** Step of the tree; 0 for a free slot. */
    public int at(int slot) {
        int chunk = slot >> CHUNK_BITS;
        return chunk >= chunks.length || chunks[chunk] == null
                ? 0
                : Byte.toUnsignedInt(chunks[chunk][slot & CHUNK - 1]);
    }

    /** The highest of that slot and its neighbours: those alike but for the lowest {@link #CHUNK_BITS} bits. */
    public int highestNear(int slot) {
        int chunk = slot >> CHUNK_BITS;
        return chunk >= highest.length ? 0 : Byte.toUnsignedInt(highest[chunk]);
    }

    /** The step of what any provider of the tree could give of that class. */
    static int of(@Nullable ProviderTree tree, int classId) {
        int most = 0;
        for (int node = 0; tree != null && node < tree.size(); node++) {
            Inventories inventories = tree.node(node).inventories();
            int at = inventories.find(classId);
            if (at >= 0) {
                double left = Math.floor(inventories.capacity(at) - inventories.used()[at]);
                most = Math.max(most, step((long) Math.min(left, inventories.maxUnit()[at])));
            }
        }
        return most;
    }

    Editor edit() {
        return new Editor(this);
    }

    /** For one thread, used once. */
    static final class Editor {
        private final TreeRoom from;
        private byte[][] chunks;
        private byte[] highest;

        private Editor(TreeRoom from) {
            this.from = from;
            this.chunks = from.chunks;
            this.highest = from.highest;
        }

        void set(int slot, int step) {
            int chunk = slot >> CHUNK_BITS;
            int within = slot & CHUNK - 1;
            byte[] before = chunk < chunks.length ? chunks[chunk] : null;
            if (before == null ? step == 0 : Byte.toUnsignedInt(before[within]) == step) {
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
                chunks[chunk] = new byte[CHUNK];
            } else if (chunk < from.chunks.length && before == from.chunks[chunk]) {
                chunks[chunk] = before.clone();
            }
            int old = Byte.toUnsignedInt(chunks[chunk][within]);
            chunks[chunk][within] = (byte) step;
            int most = Byte.toUnsignedInt(highest[chunk]);
            highest[chunk] = (byte) (step >= most ? step : old < most ? most : highest(chunks[chunk]));
        }

        private static int highest(byte[] chunk) {
            int most = 0;
            for (byte step : chunk) {
                most = Math.max(most, Byte.toUnsignedInt(step));
            }
            return most;
        }

        TreeRoom done() {
            return chunks == from.chunks ? from : new TreeRoom(chunks, highest);
        }
    }
}
