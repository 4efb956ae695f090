package io.berth.identity;

import io.berth.identity.file.BasicIdentity;
import io.berth.identity.file.TokenIdentity;
import io.berth.identity.header.HeaderIdentity;
import io.berth.identity.keystone.KeystoneIdentity;
import io.berth.identity.oidc.OidcIdentity;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Provides the identity strategies; only the configured one is ever created. */
@Singleton
class Strategies {
    private static final Logger LOG = Logger.getLogger(Strategies.class);

    private final IdentityConfig config;
    private final Instance<HeaderIdentity> header;
    private final Instance<BasicIdentity> basic;
    private final Instance<TokenIdentity> token;
    private final Instance<KeystoneIdentity> keystone;
    private final Instance<OidcIdentity> oidc;

    Strategies(
            IdentityConfig config,
            Instance<HeaderIdentity> header,
            Instance<BasicIdentity> basic,
            Instance<TokenIdentity> token,
            Instance<KeystoneIdentity> keystone,
            Instance<OidcIdentity> oidc) {
        this.config = config;
        this.header = header;
        this.basic = basic;
        this.token = token;
        this.keystone = keystone;
        this.oidc = oidc;
    }

    /** Creates the configured strategy. An unknown name stops the start. */
    IdentityStrategy configured() {
        IdentityStrategy strategy = switch (config.strategy()) {
            case "noauth2" -> header.get();
            case "basic" -> basic.get();
            case "token" -> token.get();
            case "keystone" -> keystone.get();
            case "oidc" -> oidc.get();
            default -> throw StartRefusal.because("berth.auth.strategy=" + config.strategy()
                    + ": must be one of keystone, oidc, basic, token, noauth2");
        };
        LOG.infof("identity strategy=%s", config.strategy());
        return strategy;
    }
}
