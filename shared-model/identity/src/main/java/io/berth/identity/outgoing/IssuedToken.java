package io.berth.identity.outgoing;

import java.time.Instant;

/** A token of ours and when it runs out. */
public record IssuedToken(String token, Instant expiresAt) {
    @Override
    public String toString() {
        return "token until " + expiresAt;
    }
}
