package io.berth.deploy.http;

import java.io.Serial;

/** A service did not do what was asked; the message is one line for the terminal. */
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
     * @param code of the first error in the answer, empty without one
     * @param passing nobody answered, or somebody who may do better in a moment
     */
    ApiFailure(String message, String code, boolean passing) {
        super(message);
        this.code = code;
        this.passing = passing;
    }

    /** Refused because somebody else wrote at the same moment: worth another attempt from its beginning. */
    public boolean isConcurrentUpdate() {
        return code.equals(CONCURRENT_UPDATE);
    }

    /** Worth another attempt after a while. A write may have been done all the same. */
    public boolean isPassing() {
        return passing;
    }
}
