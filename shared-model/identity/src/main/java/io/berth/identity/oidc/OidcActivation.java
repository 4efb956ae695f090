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
 * Enables Quarkus' default OIDC tenant if the strategy is oidc, and disables it otherwise. Without {@code
 * quarkus.oidc.client-id}, disables the introspection of tokens: any made-up token would cause a call that the identity
 * provider refuses. Also sets the shortest interval at which tokens with an unknown key make Quarkus fetch the
 * provider's keys. Environment variables and system properties override these values.
 */
public final class OidcActivation implements ConfigSourceFactory {
    /** The ordinal of this configuration source: above application.properties (250), below the environment (300). */
    private static final int ORDINAL = 260;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue strategy = context.getValue("berth.auth.strategy");
        boolean isOidc = strategy != null && "oidc".equals(strategy.getValue());
        ConfigValue client = context.getValue("quarkus.oidc.client-id");
        String mayIntrospect = String.valueOf(client != null && client.getValue() != null);
        return List.of(new PropertiesConfigSource(
                Map.of(
                        "quarkus.oidc.tenant-enabled", String.valueOf(isOidc),
                        // A token that is signed with an unknown key triggers a refresh of the provider's keys. The
                        // next refresh is possible only after this interval, which is short because the provider may
                        // rotate its keys right after a refresh.
                        "quarkus.oidc.token.forced-jwk-refresh-interval", "10S",
                        "quarkus.oidc.token.allow-jwt-introspection", mayIntrospect,
                        "quarkus.oidc.token.allow-opaque-token-introspection", mayIntrospect),
                "berth.auth.strategy", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
