package io.berth.scheduler.host;

import io.berth.model.text.UuidForm;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** An immutable set of uuids. It is a hash table of pairs of {@code long}, so that a lookup allocates nothing. */
public final class UuidSet {
    private static final int SLOTS_MIN = 8;

    /** Two numbers per slot, the most significant half of the uuid first; both are 0 in a free slot. */
    private final long[] slots;
    private final int mask;
    /** The random seed of the hash, so that no client can choose uuids that all hash to the same slot. */
    private final long seed = ThreadLocalRandom.current().nextLong() | 1;
    private final boolean hasNil;

    /** @param texts uuids of 36 characters in lower case; other texts are ignored */
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

    /** Returns the index of the slot that holds the uuid, or of the free slot where it belongs. */
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
