package io.berth.deploy.load;

import java.io.Serial;

/**
 * Thrown if a service cannot be measured, for example because it is not empty. The message is one line for the user.
 */
final class NotMeasurable extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    NotMeasurable(String message) {
        super(message);
    }
}
