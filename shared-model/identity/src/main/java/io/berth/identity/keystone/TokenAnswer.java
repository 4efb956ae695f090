package io.berth.identity.keystone;

import io.berth.identity.Caller;
import java.time.Instant;

/** What Keystone says of a token. No answer is a failure, not a value. */
sealed interface TokenAnswer {
    record Valid(Caller caller, Instant expiresAt) implements TokenAnswer {}

    /** Unknown, expired or revoked. */
    record Invalid() implements TokenAnswer {}
}
