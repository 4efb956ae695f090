package io.berth.scheduler.signin;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Settings for signing in at the operator's page, in addition to {@code berth.auth}. */
@ConfigMapping(prefix = "berth.sign-in")
public interface SignInConfig {
    Oidc oidc();

    /**
     * The page's client at the OpenID Connect provider that issues tokens for this service. Ignored if there is no
     * client id.
     */
    interface Oidc {
        /** The URL of the provider's page where users sign in; required if there is a client id. */
        Optional<String> authorizationUrl();

        /** The URL at which this service reaches the provider's token endpoint; required if there is a client id. */
        Optional<String> tokenUrl();

        /**
         * The client id of the page at the provider, where {@code https://HOST/ui} is its redirect URI. Requires
         * {@code berth.auth.strategy=oidc}.
         */
        Optional<String> clientId();

        /** The client secret, if the provider issued one; the browser never sees it. */
        Optional<String> clientSecret();

        /** The requested scope. {@code berth.auth.strategy=oidc} must accept tokens of this scope. */
        @WithDefault("openid")
        String scope();
    }
}
