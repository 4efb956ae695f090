package io.berth.placement.candidate.explanation;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/**
 * The provider trees that are not candidates, grouped by the set of demands that each tree does not meet. A fleet of
 * similar hosts has only few different sets of unmet demands.
 */
final class BlockedTrees {
    /** The trees of one group, as slots: a slot is the index of a tree in the {@code FleetView}. */
    static final class Trees {
        /** The slots; only the first {@code count} elements are in use. */
        private int[] slots = new int[4];
        private int count;

        private void add(int slot) {
            if (count == slots.length) {
                slots = Arrays.copyOf(slots, count * 2);
            }
            slots[count++] = slot;
        }

        int count() {
            return count;
        }

        PrimitiveIterator.OfInt slots() {
            return IntStream.range(0, count).map(i -> slots[i]).iterator();
        }
    }

    private final Map<BitSet, Trees> byUnmet = new HashMap<>();

    /**
     * Adds a tree.
     *
     * @param unmet indexes in {@link Demands} of the demands that the tree does not meet; must not be modified
     *         afterwards
     * @param slot index of the tree in the {@code FleetView}
     */
    void add(BitSet unmet, int slot) {
        byUnmet.computeIfAbsent(unmet, _ -> new Trees()).add(slot);
    }

    /**
     * Returns the trees, keyed by the indexes of their unmet demands. The empty set is the key of the trees that meet
     * each single demand but have no allocation candidate that meets all demands. If demands are not counted ({@link
     * Explanation.Counts#TREES}), all trees that are not candidates have the empty set as key.
     */
    Map<BitSet, Trees> byUnmet() {
        return byUnmet;
    }
}
