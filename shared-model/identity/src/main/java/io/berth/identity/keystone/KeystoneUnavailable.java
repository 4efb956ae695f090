package io.berth.identity.keystone;

/** Keystone did not respond, refused this service's account, or returned an invalid response. Has no stack trace. */
class KeystoneUnavailable extends RuntimeException {
    KeystoneUnavailable(String why) {
        super(why, null, false, false);
    }
}
