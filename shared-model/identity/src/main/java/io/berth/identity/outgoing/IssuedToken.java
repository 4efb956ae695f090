package io.berth.identity.outgoing;

import java.time.Instant;

/** A token of this service with its expiry. */
public record IssuedToken(String token, Instant expiresAt) {
    @Override
    public String toString() {
        return "token until " + expiresAt;
    }
}
