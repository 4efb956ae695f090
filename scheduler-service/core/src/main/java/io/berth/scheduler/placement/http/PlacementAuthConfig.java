package io.berth.scheduler.placement.http;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/**
 * Defines how the scheduler authenticates to placement. An unknown key under {@code berth.placement-auth} stops the
 * start.
 */
@ConfigMapping(prefix = "berth.placement-auth")
public interface PlacementAuthConfig {
    /**
     * {@code token}: {@code berth.placement-token} as x-auth-token; {@code keystone}: a token of the account in
     * {@code berth.auth.keystone}; {@code basic}: user name and password; {@code oidc}: client credentials. If unset,
     * {@code keystone} where Keystone identifies the callers of the scheduler, else {@code token}.
     */
    Optional<String> strategy();

    /** User name for the strategy {@code basic}. */
    Optional<String> username();

    /** Password for the strategy {@code basic}; a secret. */
    Optional<String> password();

    Oidc oidc();

    /** A client of an OpenID Connect provider. */
    interface Oidc {
        /** The provider's token endpoint. */
        Optional<String> tokenUrl();

        /** The scheduler's client id. */
        Optional<String> clientId();

        /** The scheduler's client secret. */
        Optional<String> clientSecret();

        /** The scope to request, if the provider requires one. */
        Optional<String> scope();
    }
}
