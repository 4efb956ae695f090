package io.berth.deploy.http;

import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Supplies the header that identifies the caller to a service. Implementations are thread-safe. */
public interface Credential {
    /** Identifies no caller: requests are sent without such a header. */
    Credential NONE = () -> null;

    /** A header of a request. */
    record Header(String name, String value) {
        /**
         * Checks the value, because the JDK's HTTP client would report an invalid one with the secret in its message.
         *
         * @throws IllegalArgumentException if the value has a character that is not allowed in a header; the message is
         *         one line for the user
         */
        public Header {
            if (!value.matches("[\\t -~\\x80-\\xff]*")) {
                throw new IllegalArgumentException(
                        name + ": the value has a line break or another character that a header must not have");
            }
        }

        /** Returns the name only, so that the value stays out of messages. */
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Returns the header for the next request; null to send none. May block until a login is done.
     *
     * @throws ApiFailure if a login fails
     */
    @Nullable Header header() throws ApiFailure, InterruptedException;

    /**
     * Reports that a service refused this header (401), so that the credential can obtain another.
     *
     * @return whether {@link #header} returns another header from now on, so that the request can be sent again
     */
    default boolean renewAfter(Header refused) {
        return false;
    }

    /**
     * Returns a credential that always sends this token.
     *
     * @param token the token; surrounding white space, such as the line break at the end of a file, is removed
     */
    static Credential token(String token) {
        var header = new Header("x-auth-token", token.strip());
        return () -> header;
    }

    /** Returns a credential that always sends this name and password as HTTP's basic authentication. */
    static Credential basic(String name, String password) {
        String encoded = Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        var header = new Header("authorization", "Basic " + encoded);
        return () -> header;
    }
}
