package io.berth.identity.keystone;

/** Keystone answered that it cannot: 5xx. */
final class KeystoneFailed extends KeystoneAway {
    private static final long serialVersionUID = 1L;

    KeystoneFailed(String why) {
        super(why);
    }
}
