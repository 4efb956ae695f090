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

    /** Permits the strategy noauth2 on addresses other than loopback. */
    @WithDefault("false")
    boolean noauth2Anywhere();

    /** Path of the file with the entries of the strategies basic and token. */
    Optional<String> file();

    Keystone keystone();

    Oidc oidc();

    /**
     * Keystone (API v3), and this service's own account in Keystone. The service uses the account to validate callers'
     * tokens and to call other services.
     */
    interface Keystone {
        /** URL of Keystone, with or without {@code /v3}. */
        Optional<String> url();

        /** User name of the service's own account. */
        Optional<String> username();

        /** Password of the service's own account; a secret. */
        Optional<String> password();

        /** Domain of the service's own account. */
        @WithDefault("Default")
        String userDomainName();

        /** Project in which the service's own account has its role. */
        @WithDefault("service")
        String projectName();

        /** Domain of the project of the service's own account. */
        @WithDefault("Default")
        String projectDomainName();

        /** Id of an application credential. If it is set, user name, password and project are ignored. */
        Optional<String> applicationCredentialId();

        /** Secret of the application credential. */
        Optional<String> applicationCredentialSecret();

        /**
         * Time for which a validated token is accepted without another validation, at most until it expires. A token
         * that is revoked is accepted until this time is over.
         */
        @WithDefault("60S")
        Duration cacheTime();

        /** Maximum number of validated tokens in the cache, at least 1. */
        @WithDefault("10000")
        int cacheMax();

        /** Timeout of one call to Keystone, including the wait for a connection. */
        @WithDefault("30S")
        Duration timeout();

        /**
         * Maximum number of connections to Keystone in each of two pools; a number below 1 counts as 1. One pool is for
         * tokens that were valid at their last validation and for the service's own login; the other is for all other
         * tokens and logins.
         */
        @WithDefault("32")
        int connections();

        /** Maximum number of calls that wait for a connection, in each pool. Further requests get 503 at once. */
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

        /** Timeout of one verification. Quarkus OIDC itself has a timeout for connecting only. */
        @WithDefault("5S")
        Duration timeout();

        /** Maximum number of concurrent verifications; should be at least 1. Further requests get 503 at once. */
        @WithDefault("1000")
        int verifications();
    }
}
