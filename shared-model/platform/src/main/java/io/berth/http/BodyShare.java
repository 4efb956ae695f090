package io.berth.http;

/** What one request's head and body have of the budgets. Of one connection's event loop alone. */
final class BodyShare {
    /** Of each body, taken where large bodies can't use it up. */
    static final int SMALL_BYTES = 64 * 1024;

    private final Door door;
    private long head;
    private long small;
    private long large;

    BodyShare(Door door) {
        this.door = door;
    }

    /** Takes what the head takes; false where the budget has not so much left. */
    boolean holdsHead(long bytes) {
        if (!door.smallBodies().take(bytes)) {
            return false;
        }
        head = bytes;
        return true;
    }

    /** Takes what is missing to hold so many bytes in all; false where the budget has not so much left. */
    boolean holds(long bytes) {
        long moreSmall = Math.min(bytes, SMALL_BYTES) - small;
        if (moreSmall > 0) {
            if (!door.smallBodies().take(moreSmall)) {
                return false;
            }
            small += moreSmall;
        }
        long moreLarge = bytes - SMALL_BYTES - large;
        if (moreLarge > 0) {
            if (!door.largeBodies().take(moreLarge)) {
                return false;
            }
            large += moreLarge;
        }
        return true;
    }

    void giveBack() {
        door.smallBodies().giveBack(head + small);
        door.largeBodies().giveBack(large);
        head = 0;
        small = 0;
        large = 0;
    }
}
