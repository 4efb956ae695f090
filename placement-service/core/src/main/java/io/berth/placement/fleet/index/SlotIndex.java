package io.berth.placement.fleet.index;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * An immutable index: maps each key (a trait, a resource class, an aggregate) to the slots of the trees in which any
 * provider has it.
 */
public final class SlotIndex<K> {
    private final SnapshotMap<K, Slots> slots;

    private SlotIndex(SnapshotMap<K, Slots> slots) {
        this.slots = slots;
    }

    public static <K> SlotIndex<K> empty() {
        return new SlotIndex<>(SnapshotMap.empty());
    }

    /** Returns the slots of a key; empty for an unknown key. */
    public Slots get(K key) {
        Slots found = slots.get(key);
        return found == null ? Slots.NONE : found;
    }

    public Editor<K> edit() {
        return new Editor<>(this);
    }

    /**
     * Collects the changes of many trees, so that the set of each key is copied once. Not thread-safe; {@link #done}
     * may be called once.
     */
    public static final class Editor<K> {
        /** The changes of one key. */
        private static final class Change {
            private int[] slots = new int[4];
            private boolean[] added = new boolean[4];
            private int size;

            void add(int slot, boolean isAdded) {
                if (size == slots.length) {
                    slots = Arrays.copyOf(slots, size * 2);
                    added = Arrays.copyOf(added, size * 2);
                }
                slots[size] = slot;
                added[size++] = isAdded;
            }

            /** Returns the added slots if {@code isAdded} is true, otherwise the removed slots, ascending. */
            int[] sorted(boolean isAdded) {
                int[] chosen = new int[size];
                int count = 0;
                for (int i = 0; i < size; i++) {
                    if (added[i] == isAdded) {
                        chosen[count++] = slots[i];
                    }
                }
                int[] exact = Arrays.copyOf(chosen, count);
                Arrays.sort(exact);
                return exact;
            }
        }

        private final SlotIndex<K> from;
        private final Map<K, Change> changes = new HashMap<>();

        private Editor(SlotIndex<K> from) {
            this.from = from;
        }

        /**
         * Adds a slot to the set of a key. The same pair of key and slot may be added or removed only once per editor.
         */
        public void add(K key, int slot) {
            changes.computeIfAbsent(key, k -> new Change()).add(slot, true);
        }

        /** Removes a slot from the set of a key, see {@link #add}. */
        public void remove(K key, int slot) {
            changes.computeIfAbsent(key, k -> new Change()).add(slot, false);
        }

        /** Returns the changed index. */
        public SlotIndex<K> done() {
            if (changes.isEmpty()) {
                return from;
            }
            var edited = from.slots.edit();
            changes.forEach((key, change) -> {
                Slots before = from.get(key);
                Slots after = before.with(change.sorted(true), change.sorted(false));
                if (after.size() == 0) {
                    edited.remove(key);
                } else {
                    edited.put(key, after);
                }
            });
            return new SlotIndex<>(edited.done());
        }
    }
}
