package io.berth.identity.oidc;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Enables Quarkus' default OIDC tenant for the strategy oidc and disables it for every other. Without a configured
 * client, introspection is off: the provider would refuse it for every text that a request presents as a token.
 */
public final class OidcActivation implements ConfigSourceFactory {
    /** Above application.properties (250), below the environment (300). */
    private static final int ORDINAL = 260;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue strategy = context.getValue("berth.auth.strategy");
        boolean chosen = strategy != null && "oidc".equals(strategy.getValue());
        ConfigValue client = context.getValue("quarkus.oidc.client-id");
        String mayAsk = String.valueOf(client != null && client.getValue() != null);
        return List.of(new PropertiesConfigSource(
                Map.of(
                        "quarkus.oidc.tenant-enabled", String.valueOf(chosen),
                        // A token with an unknown key triggers a refresh, and the next one is possible only after this
                        // interval. It is short, because the provider may rotate its key right after.
                        "quarkus.oidc.token.forced-jwk-refresh-interval", "10S",
                        "quarkus.oidc.token.allow-jwt-introspection", mayAsk,
                        "quarkus.oidc.token.allow-opaque-token-introspection", mayAsk),
                "berth.auth.strategy", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
