package io.berth.http;

/** What one request's body has of the budgets. Of one connection's event loop alone. */
final class BodyShare {
    /** Of each body, taken where large bodies can't use it up. */
    static final int SMALL_BYTES = 64 * 1024;

    private final Door door;
    private long small;
    private long large;

    BodyShare(Door door) {
        this.door = door;
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
        door.smallBodies().giveBack(small);
        door.largeBodies().giveBack(large);
        small = 0;
        large = 0;
    }
}
