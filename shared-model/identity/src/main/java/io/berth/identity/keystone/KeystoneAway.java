package io.berth.identity.keystone;

/** Keystone did not respond, refused this service's account, or returned an invalid response. Has no stack trace. */
class KeystoneAway extends RuntimeException {
    KeystoneAway(String why) {
        super(why, null, false, false);
    }
}
