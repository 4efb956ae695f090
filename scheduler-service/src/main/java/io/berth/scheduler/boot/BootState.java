package io.berth.scheduler.boot;

import java.util.Locale;

/** Where a boot stands. A started one is open: left alone too long, it is finished or taken back. */
enum BootState {
    STARTED,
    PLACED,
    /** Nothing of it is left; the same request may be started again. */
    FAILED;

    static BootState of(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
