package io.berth.deploy.http;

import java.io.Serial;

/**
 * A failure of a call to a service or database, or of work that depends on what it returned. The message is one line
 * for the user.
 */
public final class ApiFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String CONCURRENT_UPDATE = "placement.concurrent_update";

    private final String code;
    private final boolean isTemporary;

    public ApiFailure(String message) {
        this(message, "", false);
    }

    /**
     * @param code the code of the first error in the response; empty if there is none
     * @param isTemporary whether a retry may succeed: the status means a temporary failure, or there was no response,
     *         although the service had responded before and TLS did not fail
     */
    ApiFailure(String message, String code, boolean isTemporary) {
        super(message);
        this.code = code;
        this.isTemporary = isTemporary;
    }

    /**
     * Returns whether placement refused the write because of a concurrent write. The caller may read the present state
     * and write again.
     */
    public boolean isConcurrentUpdate() {
        return code.equals(CONCURRENT_UPDATE);
    }

    /**
     * Returns whether a later retry may succeed. If this is true and the request was a write, it may have had its
     * effect.
     */
    public boolean isTemporary() {
        return isTemporary;
    }
}
