package io.berth.deploy.demo;

import java.io.Serial;

/** A service answered with another status than the demo needs; the message is one line for the terminal. */
final class UnexpectedAnswer extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    UnexpectedAnswer(String message) {
        super(message);
    }
}
