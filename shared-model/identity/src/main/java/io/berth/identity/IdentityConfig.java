package io.berth.identity;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Configures how callers are identified. An unknown key under {@code berth.auth} stops the start. */
@ConfigMapping(prefix = "berth.auth")
public interface IdentityConfig {
    /** One of {@link Strategies}: noauth2, keystone, oidc, basic, token. */
    @WithDefault("noauth2")
    String strategy();

    /** Lets noauth2 listen on addresses that others can reach. */
    @WithDefault("false")
    boolean noauth2Anywhere();

    /** Path of the file with the entries of the strategies basic and token. */
    Optional<String> file();

    Keystone keystone();

    Oidc oidc();

    /** Keystone v3, and the service's own account there, which validates tokens and calls other services. */
    interface Keystone {
        /** URL of Keystone, with or without {@code /v3}. */
        Optional<String> url();

        /** User name of the service's own account. */
        Optional<String> username();

        /** Password of that account; a secret. */
        Optional<String> password();

        /** Domain of the account. */
        @WithDefault("Default")
        String userDomainName();

        /** Project in which the account has its role. */
        @WithDefault("service")
        String projectName();

        /** Domain of that project. */
        @WithDefault("Default")
        String projectDomainName();

        /** Application credential, instead of user name, password and project. */
        Optional<String> applicationCredentialId();

        /** Its secret. */
        Optional<String> applicationCredentialSecret();

        /**
         * How long a validated token is trusted without another validation; a revocation takes effect only after it.
         */
        @WithDefault("60S")
        Duration cacheTime();

        /** Number of validated tokens kept, at least 1. */
        @WithDefault("10000")
        int cacheMax();

        /** Limit of one call, including the wait for a connection. A busy Keystone takes its time. */
        @WithDefault("30S")
        Duration timeout();

        /**
         * Connections to Keystone, at least 1; as many again for tokens that were valid before and for our own login.
         */
        @WithDefault("32")
        int connections();

        /** Calls that may wait for a connection of either kind; more get 503 at once. */
        @WithDefault("1000")
        int queue();
    }

    /** Claims of a token that Quarkus OIDC has verified; {@code quarkus.oidc.*} configures the verification. */
    interface Oidc {
        /** The claim that holds the project id; absent from a token without project. */
        @WithDefault("project_id")
        String projectClaim();

        /** A token whose claim is {@code all} is system scoped. */
        @WithDefault("system_scope")
        String systemScopeClaim();

        /** Limit of one verification; Quarkus OIDC itself only limits connecting. */
        @WithDefault("5S")
        Duration timeout();

        /** Concurrent verifications, at least 1; more get 503 at once. */
        @WithDefault("1000")
        int verifications();
    }
}
