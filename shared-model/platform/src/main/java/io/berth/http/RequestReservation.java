package io.berth.http;

import jakarta.annotation.Nullable;

/**
 * The memory that one connection's current request has reserved for its head and body in the budgets of {@link
 * SharedGuardState}. Used only on the connection's event loop.
 */
final class RequestReservation {
    /**
     * The number of bytes at the beginning of each body that are reserved in the budget for small bodies. The rest of a
     * body is reserved in the budget for large bodies, so that a few large bodies do not exclude many small ones. Also
     * the size up to which a part of a response, or the missing part of a body, counts as small.
     */
    static final int SMALL_BYTES = 64 * 1024;
    /** Maximum bytes of a short head, as {@link RequestHead#bytesOf} counts them. Usual clients send less. */
    private static final int SHORT_HEAD_BYTES = 4 * 1024;

    private final SharedGuardState guard;
    @Nullable
    private ByteBudget headBudget;
    private long headBytes;
    private long smallBytes;
    private long largeBytes;

    RequestReservation(SharedGuardState guard) {
        this.guard = guard;
    }

    /** Reserves memory for the head. Returns false, and reserves nothing, if the budget has too few free bytes. */
    boolean reserveHead(long bytes) {
        ByteBudget budget = bytes <= SHORT_HEAD_BYTES ? guard.shortHeads() : guard.longHeads();
        if (!budget.reserve(bytes)) {
            return false;
        }
        headBudget = budget;
        headBytes = bytes;
        return true;
    }

    /**
     * Raises the reservation for the body to a total of {@code bytes}. Returns false if a budget has too few free
     * bytes; the bytes in the budget for small bodies may then be reserved already, until {@link #release}.
     */
    boolean reserveBody(long bytes) {
        long moreSmall = Math.min(bytes, SMALL_BYTES) - smallBytes;
        if (moreSmall > 0) {
            if (!guard.smallBodies().reserve(moreSmall)) {
                return false;
            }
            smallBytes += moreSmall;
        }
        long moreLarge = bytes - SMALL_BYTES - largeBytes;
        if (moreLarge > 0) {
            if (!guard.largeBodies().reserve(moreLarge)) {
                return false;
            }
            largeBytes += moreLarge;
        }
        return true;
    }

    /** Releases the reservations for head and body. */
    void release() {
        if (headBudget != null) {
            headBudget.release(headBytes);
            headBudget = null;
        }
        guard.smallBodies().release(smallBytes);
        guard.largeBodies().release(largeBytes);
        smallBytes = 0;
        largeBytes = 0;
    }
}
