package io.berth.identity.oidc;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Switches Quarkus' default OIDC tenant on for the strategy oidc and off for every other. */
public final class OidcActivation implements ConfigSourceFactory {
    /** Above application.properties (250), below the environment (300). */
    private static final int ORDINAL = 260;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue strategy = context.getValue("berth.auth.strategy");
        boolean chosen = strategy != null && "oidc".equals(strategy.getValue());
        return List.of(new PropertiesConfigSource(
                Map.of("quarkus.oidc.tenant-enabled", String.valueOf(chosen)), "berth.auth.strategy", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
