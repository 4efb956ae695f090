package io.berth.database;

/**
 * A database cannot serve a caller: it does not respond, too many callers wait for a connection or a read, the server
 * is not the primary, or its sessions lack start-up parameters. Has no stack trace, because the exception is not a bug.
 */
public final class DatabaseUnavailable extends RuntimeException {
    private final String reason;

    /** @param why the reason, as the end of a message that begins with "the database" */
    public DatabaseUnavailable(String why) {
        super(why, null, false, false);
        this.reason = why;
    }

    String reason() {
        return reason;
    }
}
