package io.berth.identity.outgoing;

/** The result of exchanging a password or a code for a token. */
public sealed interface Exchange {
    /** @param issued a secret of the caller, which must not be kept or logged */
    record Granted(IssuedToken issued) implements Exchange {}

    /** @param why the reason in the provider's own words, for the caller */
    record Denied(String why) implements Exchange {}
}
