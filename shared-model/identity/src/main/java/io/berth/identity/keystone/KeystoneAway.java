package io.berth.identity.keystone;

/** Keystone does not respond, refuses our account, or its response is invalid. Has no stack trace. */
class KeystoneAway extends RuntimeException {
    KeystoneAway(String why) {
        super(why, null, false, false);
    }
}
