package io.berth.deploy.migration.http;

import java.io.Serial;

/** A service did not do what was asked; the message is one line for the terminal. */
public final class ApiFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String CONCURRENT_UPDATE = "placement.concurrent_update";

    private final String code;

    public ApiFailure(String message) {
        this(message, "");
    }

    /** @param code of the first error in the answer, empty without one */
    ApiFailure(String message, String code) {
        super(message);
        this.code = code;
    }

    /** Refused because somebody else wrote at the same moment: worth another attempt from its beginning. */
    public boolean isConcurrentUpdate() {
        return code.equals(CONCURRENT_UPDATE);
    }
}
