package io.berth.deploy.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Identifies the caller to a service. Thread-safe. */
public interface Credential {
    /** Sends no identity. */
    Credential NONE = () -> null;

    /** A header of a request. */
    record Header(String name, String value) {
        /** @throws IllegalArgumentException with one line for the user; that of the JDK's client shows the value */
        public Header {
            if (!value.matches("[\\t -~\\x80-\\xff]*")) {
                throw new IllegalArgumentException(
                        name + " cannot hold what was given: there is a line break in it, or another character that is no text");
            }
        }

        /** Returns the name only, so that the value stays out of messages. */
        @Override
        public String toString() {
            return name;
        }
    }

    /** Returns null for none. */
    Header header() throws ApiFailure, InterruptedException;

    /**
     * Reports that a service refused this header (401).
     *
     * @return whether there is, or can be got, another one
     */
    default boolean isRenewedAfter(Header refused) {
        return false;
    }

    /** @param token surrounding blanks, such as the line break at the end of a file, are removed */
    static Credential token(String token) {
        var header = new Header("x-auth-token", token.strip());
        return () -> header;
    }

    static Credential basic(String name, String password) {
        String both = Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        var header = new Header("authorization", "Basic " + both);
        return () -> header;
    }
}
