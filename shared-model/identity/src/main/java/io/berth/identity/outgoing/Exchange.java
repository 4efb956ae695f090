package io.berth.identity.outgoing;

/** The result of exchanging a password or a code for a token. */
public sealed interface Exchange {
    /**
     * The provider issued a token.
     *
     * @param issued a secret of the caller, which must not be kept or logged
     */
    record Granted(IssuedToken issued) implements Exchange {}

    /**
     * The provider refused the password or the code.
     *
     * @param why the reason in the provider's own words, for the caller
     */
    record Denied(String why) implements Exchange {}
}
