package io.berth.identity.keystone;

/** Keystone does not answer, or not to us, or nothing that makes sense. Carries no stack trace. */
class KeystoneAway extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeystoneAway(String why) {
        super(why, null, false, false);
    }
}
