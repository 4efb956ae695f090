package io.berth.identity.keystone;

import io.berth.identity.Caller;
import java.time.Instant;

/** Keystone's response about a token. A missing response is a failure, not a value. */
sealed interface TokenAnswer {
    record Valid(Caller caller, Instant expiresAt) implements TokenAnswer {}

    /** Unknown, expired or revoked. */
    record Invalid() implements TokenAnswer {}
}
