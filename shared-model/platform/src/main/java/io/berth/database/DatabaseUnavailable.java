package io.berth.database;

/**
 * The database hangs, too many wait for it already, or it is not the one that is needed: nothing was asked. Carries no
 * stack trace, it is no bug.
 */
public final class DatabaseUnavailable extends RuntimeException {
    /** @param why what follows "the database" */
    public DatabaseUnavailable(String why) {
        super(why, null, false, false);
    }
}
