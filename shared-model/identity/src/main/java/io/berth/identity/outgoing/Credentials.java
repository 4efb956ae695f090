package io.berth.identity.outgoing;

import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The credentials that this service presents to another service. */
public interface Credentials {
    /** Returns the header to send. Emits or fails within a bounded time; fails if no credential can be obtained. */
    Uni<AuthHeader> header();

    /**
     * Reports that the other service returned 401 for this header. Returns true if {@link #header} will then obtain new
     * credentials, so that a retry makes sense; false if the credentials are fixed.
     */
    boolean renewAfterRefusal(AuthHeader header);

    /** Returns credentials that always send the same header. */
    static Credentials fixed(AuthHeader header) {
        Uni<AuthHeader> always = Uni.createFrom().item(header);
        return new Credentials() {
            @Override
            public Uni<AuthHeader> header() {
                return always;
            }

            @Override
            public boolean renewAfterRefusal(AuthHeader header) {
                return false;
            }
        };
    }

    /** Returns credentials for the strategies noauth2 and token: sent as x-auth-token. */
    static Credentials token(String token) {
        return fixed(new AuthHeader("x-auth-token", token));
    }

    /** Returns credentials for the strategy basic. */
    static Credentials basic(String username, String password) {
        String pair = username + ":" + password;
        return fixed(new AuthHeader(
                "authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))));
    }

    /**
     * Returns credentials that send a renewed token in the given header.
     *
     * @param prefix text before the token, such as {@code "Bearer "}; may be empty
     */
    static Credentials renewed(RenewedToken token, String header, String prefix) {
        return new Credentials() {
            @Override
            public Uni<AuthHeader> header() {
                return token.get().map(text -> new AuthHeader(header, prefix + text));
            }

            @Override
            public boolean renewAfterRefusal(AuthHeader header) {
                token.forget(header.value().substring(prefix.length()));
                return true;
            }
        };
    }
}
