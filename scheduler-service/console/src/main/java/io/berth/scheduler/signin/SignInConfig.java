package io.berth.scheduler.signin;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Settings for signing in at the operator's page, in addition to {@code berth.auth}. */
@ConfigMapping(prefix = "berth.sign-in")
public interface SignInConfig {
    Oidc oidc();

    /** A client at the OpenID Connect provider that issues tokens for this service; unused without a client id. */
    interface Oidc {
        /** The provider's page where users sign in. */
        Optional<String> authorizationUrl();

        /** The provider's token endpoint, as the service reaches it. */
        Optional<String> tokenUrl();

        /** The client id of the page at the provider, where {@code https://HOST/ui} is its redirect URI. */
        Optional<String> clientId();

        /** The client secret, if the provider issued one; the browser never sees it. */
        Optional<String> clientSecret();

        /** The requested scope: the token must be one that {@code berth.auth.strategy=oidc} accepts. */
        @WithDefault("openid")
        String scope();
    }
}
