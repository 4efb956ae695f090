package io.berth.identity.keystone;

/** Keystone does not answer, or not to us, or nothing that makes sense. Carries no stack trace. */
class KeystoneAway extends RuntimeException {
    KeystoneAway(String why) {
        super(why, null, false, false);
    }
}
