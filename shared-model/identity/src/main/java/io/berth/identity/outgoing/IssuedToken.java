package io.berth.identity.outgoing;

import java.time.Instant;

/**
 * A token that an identity provider issued to this service or to a user, with its expiry. The token is a secret, which
 * {@link #toString} omits.
 */
public record IssuedToken(String token, Instant expiresAt) {
    @Override
    public String toString() {
        return "token until " + expiresAt;
    }
}
