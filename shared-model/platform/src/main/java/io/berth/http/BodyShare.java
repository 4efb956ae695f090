package io.berth.http;

import jakarta.annotation.Nullable;

/** The share of the budgets that one request's head and body hold. Used only on the connection's event loop. */
final class BodyShare {
    /** The first bytes of each body, which have a budget of their own that large bodies cannot exhaust. */
    static final int SMALL_BYTES = 64 * 1024;
    /** The longest head that counts as short; usual clients send less. */
    private static final int SHORT_HEAD_BYTES = 4 * 1024;

    private final ConnectionGuard guard;
    @Nullable
    private Budget heads;
    private long head;
    private long small;
    private long large;

    BodyShare(ConnectionGuard guard) {
        this.guard = guard;
    }

    /** Reserves memory for the head; returns false if the budget has too little left. */
    boolean holdsHead(long bytes) {
        Budget budget = bytes <= SHORT_HEAD_BYTES ? guard.shortHeads() : guard.longHeads();
        if (!budget.take(bytes)) {
            return false;
        }
        heads = budget;
        head = bytes;
        return true;
    }

    /**
     * Reserves the memory that is missing for a total of so many bytes; returns false if the budget has too little
     * left.
     */
    boolean holds(long bytes) {
        long moreSmall = Math.min(bytes, SMALL_BYTES) - small;
        if (moreSmall > 0) {
            if (!guard.smallBodies().take(moreSmall)) {
                return false;
            }
            small += moreSmall;
        }
        long moreLarge = bytes - SMALL_BYTES - large;
        if (moreLarge > 0) {
            if (!guard.largeBodies().take(moreLarge)) {
                return false;
            }
            large += moreLarge;
        }
        return true;
    }

    void giveBack() {
        if (heads != null) {
            heads.giveBack(head);
            heads = null;
        }
        guard.smallBodies().giveBack(small);
        guard.largeBodies().giveBack(large);
        small = 0;
        large = 0;
    }
}
