package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.Arrays;

/**
 * An immutable array of the trees of a {@link FleetView}, by slot. The array consists of chunks; a changed copy shares
 * all unchanged chunks.
 */
final class Trees {
    private static final int CHUNK_BITS = 8;
    private static final int CHUNK_SLOTS = 1 << CHUNK_BITS;
    static final Trees NONE = new Trees(new ProviderTree[0][], 0);

    private final ProviderTree[][] chunks;
    private final int length;

    private Trees(ProviderTree[][] chunks, int length) {
        this.chunks = chunks;
        this.length = length;
    }

    /** Returns the number of slots, free ones included: the highest slot that was ever used, plus 1. */
    int length() {
        return length;
    }

    /** Returns the tree in a slot; null if the slot is free. */
    ProviderTree get(int slot) {
        return chunks[slot >> CHUNK_BITS][slot & (CHUNK_SLOTS - 1)];
    }

    /** Returns the number of providers in trees that are not the same objects as in {@code other}. */
    long providersMissingIn(Trees other) {
        long count = 0;
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            ProviderTree[] others = chunk < other.chunks.length ? other.chunks[chunk] : null;
            for (int i = 0; i < CHUNK_SLOTS && chunks[chunk] != others; i++) {
                ProviderTree tree = chunks[chunk][i];
                count += tree == null || others != null && others[i] == tree ? 0 : tree.size();
            }
        }
        return count;
    }

    Editor edit() {
        return new Editor(this);
    }

    /** Builds a changed copy. Not thread-safe; {@link #done} may be called once. */
    static final class Editor {
        private ProviderTree[][] chunks;
        /** The chunks of the original, which the editor must not modify. */
        private final ProviderTree[][] originalChunks;
        private int length;

        private Editor(Trees from) {
            originalChunks = from.chunks;
            chunks = from.chunks.clone();
            length = from.length;
        }

        /** Sets the tree of a slot; null makes the slot free. */
        void set(int slot, @Nullable ProviderTree tree) {
            int chunk = slot >> CHUNK_BITS;
            if (chunk >= chunks.length) {
                int before = chunks.length;
                chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, before + before / 2));
                for (int i = before; i < chunks.length; i++) {
                    chunks[i] = new ProviderTree[CHUNK_SLOTS];
                }
            }
            if (chunk < originalChunks.length && chunks[chunk] == originalChunks[chunk]) {
                chunks[chunk] = chunks[chunk].clone();
            }
            chunks[chunk][slot & (CHUNK_SLOTS - 1)] = tree;
            length = Math.max(length, slot + 1);
        }

        Trees done() {
            return new Trees(chunks, length);
        }
    }
}
