package io.berth.deploy.http;

import java.io.Serial;

/** A failed call to a service; the message is one line for the terminal. */
public final class ApiFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String CONCURRENT_UPDATE = "placement.concurrent_update";

    private final String code;
    private final boolean passing;

    public ApiFailure(String message) {
        this(message, "", false);
    }

    /**
     * @param code of the first error in the response, empty without one
     * @param passing whether a retry may succeed: there was no response, or one of a temporary failure
     */
    ApiFailure(String message, String code, boolean passing) {
        super(message);
        this.code = code;
        this.passing = passing;
    }

    /** Returns whether the write was refused because of a concurrent one: a retry from its beginning may succeed. */
    public boolean isConcurrentUpdate() {
        return code.equals(CONCURRENT_UPDATE);
    }

    /** Returns whether a retry after a while may succeed. A write may nevertheless have been made. */
    public boolean isPassing() {
        return passing;
    }
}
