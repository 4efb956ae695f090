package io.berth.identity.keystone;

import io.berth.identity.Caller;
import java.time.Instant;

/** Keystone's verdict on a token. If Keystone gives no verdict, the validation fails instead. */
sealed interface TokenValidation {
    record Valid(Caller caller, Instant expiresAt) implements TokenValidation {}

    /** The token is malformed, unknown, expired or revoked. */
    record Invalid() implements TokenValidation {}
}
