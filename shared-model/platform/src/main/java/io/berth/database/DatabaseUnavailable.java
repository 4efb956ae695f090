package io.berth.database;

/**
 * The database hangs, too many callers wait for it, or it is the wrong server, so no query was sent. Has no stack
 * trace, because it is not a bug.
 */
public final class DatabaseUnavailable extends RuntimeException {
    /** @param why the end of a message that begins with "the database" */
    public DatabaseUnavailable(String why) {
        super(why, null, false, false);
    }
}
