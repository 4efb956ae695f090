package io.berth.identity.keystone;

/** Keystone responded with an error of its own: 5xx. */
final class KeystoneFailed extends KeystoneAway {
    KeystoneFailed(String why) {
        super(why);
    }
}
