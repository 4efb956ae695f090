package io.berth.deploy.migration.http;

import java.io.Serial;

/** A service did not do what was asked; the message is one line for the terminal. */
public final class ApiFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    public ApiFailure(String message) {
        super(message);
    }
}
