package io.berth.identity.outgoing;

/** What came of a password or a code that was to become a token. */
public sealed interface Exchange {
    /** @param issued a secret of the caller's: nothing of it is kept or logged */
    record Granted(IssuedToken issued) implements Exchange {}

    /** @param why the provider's own words, for the caller */
    record Denied(String why) implements Exchange {}
}
