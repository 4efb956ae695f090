package io.berth.deploy.load;

import java.io.Serial;

/** The service cannot be measured; the message is one line for the terminal. */
final class Unusable extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
        super(message);
    }
}
