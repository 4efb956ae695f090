package io.berth.scheduler.host;

import io.berth.model.text.UuidForm;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** An immutable set of uuids with lookups that allocate nothing: an open hash table of their halves. */
public final class UuidSet {
    private static final int SLOTS_MIN = 8;

    /** Two numbers per slot, the most significant first; zeros in a free slot. */
    private final long[] slots;
    private final int mask;
    /** The seed of this set, so that no client can name uuids that all hash to the same slot. */
    private final long seed = ThreadLocalRandom.current().nextLong() | 1;
    private final boolean hasNil;

    /** @param texts text that is not 36 characters in lower case is ignored */
    public UuidSet(Collection<String> texts) {
        int count = Math.max(SLOTS_MIN, Integer.highestOneBit(texts.size()) << 2);
        slots = new long[2 * count];
        mask = count - 1;
        boolean nil = false;
        for (String text : texts) {
            UUID uuid = UuidForm.findCanonical(text).orElse(null);
            if (uuid != null) {
                nil |= !add(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
        }
        hasNil = nil;
    }

    private boolean add(long most, long least) {
        if (most == 0 && least == 0) {
            return false;
        }
        int slot = slotOf(most, least);
        slots[slot] = most;
        slots[slot + 1] = least;
        return true;
    }

    public boolean contains(long most, long least) {
        if (most == 0 && least == 0) {
            return hasNil;
        }
        int slot = slotOf(most, least);
        return slots[slot] == most && slots[slot + 1] == least;
    }

    /** Returns the slot where it is, or where it would be. */
    private int slotOf(long most, long least) {
        int slot = (int) (mixed(mixed(most + seed) + least) >>> 32) & mask;
        while ((slots[2 * slot] != most || slots[2 * slot + 1] != least)
                && (slots[2 * slot] != 0 || slots[2 * slot + 1] != 0)) {
            slot = (slot + 1) & mask;
        }
        return 2 * slot;
    }

    private long mixed(long bits) {
        long folded = (bits ^ (bits >>> 32)) * 0x9E3779B97F4A7C15L;
        return (folded ^ (folded >>> 29)) * seed;
    }
}
