package io.berth.placement.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Makes the options of the {@code placement.conf} at {@code berth.placement-conf} known under Berth's own keys. */
public final class PlacementConfSource implements ConfigSourceFactory {
    /** Above application.properties (250), below the environment (300). */
    private static final int ORDINAL = 260;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue path = context.getValue(PlacementConf.PATH_KEY);
        if (path == null || path.getValue() == null || path.getValue().isBlank()) {
            return List.of();
        }
        Map<String, String> properties = new HashMap<>();
        PlacementConf.read(path.getValue()).values().forEach(
                // Escapes the dollar sign, which would start an expression of Berth's configuration. In placement.conf
                // it starts one of oslo.config, or is plain text.
                (option, value) -> properties.put(option.key(), value.replace("$", "\\$")));
        return List.of(new PropertiesConfigSource(properties, "placement.conf " + path.getValue(), ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
