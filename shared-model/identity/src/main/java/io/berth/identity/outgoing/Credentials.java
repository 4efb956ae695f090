package io.berth.identity.outgoing;

import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The credentials that a service presents to another one. */
public interface Credentials {
    /** Returns the header to send. Fails if none can be obtained now; bounded in time. */
    Uni<AuthHeader> header();

    /**
     * Reports that the other service returned 401. Returns true if other credentials may succeed, so that a retry makes
     * sense.
     */
    boolean refused(AuthHeader header);

    static Credentials fixed(AuthHeader header) {
        Uni<AuthHeader> always = Uni.createFrom().item(header);
        return new Credentials() {
            @Override
            public Uni<AuthHeader> header() {
                return always;
            }

            @Override
            public boolean refused(AuthHeader header) {
                return false;
            }
        };
    }

    /** Returns credentials for the strategies noauth2 and token: sent as x-auth-token. */
    static Credentials token(String token) {
        return fixed(new AuthHeader("x-auth-token", token));
    }

    static Credentials basic(String username, String password) {
        String pair = username + ":" + password;
        return fixed(new AuthHeader(
                "authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))));
    }

    /**
     * Returns credentials that send a renewed token in this header.
     *
     * @param prefix goes before the token, such as {@code "Bearer "}; may be empty
     */
    static Credentials renewed(RenewedToken token, String header, String prefix) {
        return new Credentials() {
            @Override
            public Uni<AuthHeader> header() {
                return token.get().map(text -> new AuthHeader(header, prefix + text));
            }

            @Override
            public boolean refused(AuthHeader header) {
                token.forget(header.value().substring(prefix.length()));
                return true;
            }
        };
    }
}
