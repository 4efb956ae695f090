package io.berth.scheduler.placement.candidate;

import java.util.Arrays;

/**
 * Index from provider to the position of its tree: an open-addressing hash table with four bytes per slot. Immutable.
 */
final class ProviderPositions {
    private static final int NONE = -1;

    private final ProviderTree[] trees;
    /**
     * Positions of trees, one entry per provider; {@link #NONE} for a free slot. A provider whose slot is used by
     * another provider gets the next free slot.
     */
    private final int[] slots;

    ProviderPositions(ProviderTree[] trees) {
        this.trees = trees;
        int providers = 0;
        for (ProviderTree tree : trees) {
            providers += tree.summaries().size();
        }
        // Two to four slots per provider; a power of two, so that a mask selects the slot.
        slots = new int[Integer.highestOneBit(Math.max(1, providers)) * 4];
        Arrays.fill(slots, NONE);
        for (int i = 0; i < trees.length; i++) {
            for (ProviderSummary summary : trees[i].summaries()) {
                int slot = slotOf(summary.uuid());
                while (slots[slot] != NONE) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = i;
            }
        }
    }

    private int slotOf(String uuid) {
        // Multiplicative hashing: spreads similar hash codes over the slots.
        return (uuid.hashCode() * 0x9E3779B9 >>> 7) & slots.length - 1;
    }

    /** Returns the position of the tree that contains a provider; -1 if no tree does. */
    int find(String uuid) {
        for (int slot = slotOf(uuid); slots[slot] != NONE; slot = slot + 1 & slots.length - 1) {
            if (trees[slots[slot]].find(uuid) != null) {
                return slots[slot];
            }
        }
        return NONE;
    }
}
