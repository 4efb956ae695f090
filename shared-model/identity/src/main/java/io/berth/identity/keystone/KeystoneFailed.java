package io.berth.identity.keystone;

/** Keystone answered that it cannot: 5xx. */
final class KeystoneFailed extends KeystoneAway {
    KeystoneFailed(String why) {
        super(why);
    }
}
