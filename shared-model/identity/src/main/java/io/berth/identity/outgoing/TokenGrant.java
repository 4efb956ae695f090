package io.berth.identity.outgoing;

/** The result of exchanging a password (Keystone) or an authorization code (OpenID Connect) for a token. */
public sealed interface TokenGrant {
    /**
     * The provider issued a token.
     *
     * @param issued a secret of the user, which must not be stored or logged
     */
    record Granted(IssuedToken issued) implements TokenGrant {}

    /**
     * The provider refused the password or the code.
     *
     * @param reason the status and the provider's error message, for the user
     */
    record Denied(String reason) implements TokenGrant {}
}
