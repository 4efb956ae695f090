package io.berth.database;

/** The database hangs, or too many wait for it already: nothing was asked. Carries no stack trace, it is no bug. */
public final class DatabaseUnavailable extends RuntimeException {
    public DatabaseUnavailable(String why) {
        super(why, null, false, false);
    }
}
