package io.berth.identity.keystone;

/** Keystone responded with a status of 5xx. Counts as a failure for the circuit breaker. */
final class KeystoneFailed extends KeystoneUnavailable {
    KeystoneFailed(String why) {
        super(why);
    }
}
