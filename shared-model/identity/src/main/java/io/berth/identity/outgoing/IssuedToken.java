package io.berth.identity.outgoing;

import java.time.Instant;

/** A token that a provider issued to this service or to a user, with its expiry. Its text is a secret. */
public record IssuedToken(String token, Instant expiresAt) {
    @Override
    public String toString() {
        return "token until " + expiresAt;
    }
}
