package io.berth.scheduler.host;

import io.berth.model.text.UuidForm;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** An immutable set of uuids, stored as a hash table of pairs of {@code long}. A lookup allocates nothing. */
public final class UuidSet {
    private static final int SLOTS_MIN = 8;

    /**
     * Two numbers for each slot, the most significant half of the uuid first. Both numbers are 0 in an empty slot;
     * {@link #hasNil} stands for the uuid of zeros.
     */
    private final long[] slots;
    private final int mask;
    /**
     * The random seed of the hash, so that clients cannot choose uuids that all hash to the same slot. Odd, because the
     * multiplication by an even number would lose bits.
     */
    private final long seed = ThreadLocalRandom.current().nextLong() | 1;
    private final boolean hasNil;

    /** @param texts uuids of 36 characters in lower case; other texts are ignored */
    public UuidSet(Collection<String> texts) {
        int slotCount = Math.max(SLOTS_MIN, Integer.highestOneBit(texts.size()) << 2);
        slots = new long[2 * slotCount];
        mask = slotCount - 1;
        boolean nil = false;
        for (String text : texts) {
            UUID uuid = UuidForm.findCanonical(text).orElse(null);
            if (uuid != null) {
                nil |= !add(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
        }
        hasNil = nil;
    }

    /** Adds a uuid. Returns false for the uuid of zeros, which the slots cannot hold. */
    private boolean add(long most, long least) {
        if (most == 0 && least == 0) {
            return false;
        }
        int slot = slotOf(most, least);
        slots[slot] = most;
        slots[slot + 1] = least;
        return true;
    }

    /**
     * Returns whether the set contains a uuid.
     *
     * @param most the most significant 64 bits of the uuid
     * @param least the least significant 64 bits of the uuid
     */
    public boolean contains(long most, long least) {
        if (most == 0 && least == 0) {
            return hasNil;
        }
        int slot = slotOf(most, least);
        return slots[slot] == most && slots[slot + 1] == least;
    }

    /** Returns the index in {@link #slots} of the uuid, or of the empty slot to insert it. */
    private int slotOf(long most, long least) {
        int slot = (int) (mix(mix(most + seed) + least) >>> 32) & mask;
        while ((slots[2 * slot] != most || slots[2 * slot + 1] != least)
                && (slots[2 * slot] != 0 || slots[2 * slot + 1] != 0)) {
            slot = (slot + 1) & mask;
        }
        return 2 * slot;
    }

    private long mix(long bits) {
        long folded = (bits ^ (bits >>> 32)) * 0x9E3779B97F4A7C15L;
        return (folded ^ (folded >>> 29)) * seed;
    }
}
