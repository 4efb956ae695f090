package io.berth.placement.db;

import io.berth.database.DatabaseUnavailable;
import jakarta.inject.Singleton;

/**
 * Whether the database hangs: neither answers nor refuses. While it does, requests are refused at once instead of each
 * waiting until its connection gives up. The fleet's question, which goes on being asked every second, finds out that
 * it hangs and that it answers again; a database that refuses needs none of this, as a refusal takes no time.
 */
@Singleton
public final class HangingDatabase {
    private volatile boolean hangs;

    public boolean hangs() {
        return hangs;
    }

    /** A question was swallowed. */
    public void hasHung() {
        hangs = true;
    }

    public void answers() {
        hangs = false;
    }

    /** What a request is refused with. */
    public static DatabaseUnavailable refusal() {
        return new DatabaseUnavailable("it hangs");
    }
}
