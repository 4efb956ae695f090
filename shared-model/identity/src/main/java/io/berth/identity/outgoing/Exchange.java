package io.berth.identity.outgoing;

/** The result of exchanging a password or a code for a token. */
public sealed interface Exchange {
    /** @param issued a secret of the caller's: nothing of it is kept or logged */
    record Granted(IssuedToken issued) implements Exchange {}

    /** @param why the provider's own words, for the caller */
    record Denied(String why) implements Exchange {}
}
