package io.berth.placement.candidate.explanation;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/**
 * The trees that are not candidates, grouped by their set of unmet demands. A fleet of similar hosts has few such sets.
 */
final class Blocked {
    /** The trees of one group, as slots of the view. The first {@code count} elements are used. */
    static final class Trees {
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

    void add(BitSet unmet, int slot) {
        byUnmet.computeIfAbsent(unmet, made -> new Trees()).add(slot);
    }

    /**
     * Returns the trees by unmet demands. The empty set is the key of trees in which each demand can be met, but not
     * all together.
     */
    Map<BitSet, Trees> byUnmet() {
        return byUnmet;
    }
}
