package io.berth.placement.candidate.explanation;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/** Groups the trees that are no candidates by their unmet demands: a fleet of similar hosts has few such sets. */
final class Blocked {
    /** Slots of the trees, as many as {@code count}. */
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

    /** An empty set stands for trees in which each demand can be met, but not all together. */
    Map<BitSet, Trees> byUnmet() {
        return byUnmet;
    }
}
