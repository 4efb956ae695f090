package io.berth.database;

/**
 * The database does not respond, too many callers wait for a connection or read, or the server is not the primary. The
 * caller's statement was not sent. Has no stack trace, because the exception is not a bug.
 */
public final class DatabaseUnavailable extends RuntimeException {
    private final String why;

    /** @param why the reason, as the end of a message that begins with "the database" */
    public DatabaseUnavailable(String why) {
        super(why, null, false, false);
        this.why = why;
    }

    String why() {
        return why;
    }
}
