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

/**
 * Publishes the options of the file at {@code berth.placement-conf} under Berth's own configuration keys. Omits options
 * with invalid values, for which {@link PlacementConfCheck} stops the start later.
 */
public final class PlacementConfSource implements ConfigSourceFactory {
    /** The precedence of this source: above application.properties (250), below environment variables (300). */
    private static final int ORDINAL = 260;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue path = context.getValue(PlacementConf.PATH_KEY);
        if (path == null || path.getValue() == null || path.getValue().isBlank()) {
            return List.of();
        }
        Map<String, String> properties = new HashMap<>();
        PlacementConf.read(path.getValue()).values().forEach(
                // Escapes dollar signs, so that Berth's configuration does not evaluate them as the start of an
                // expression.
                (option, value) -> properties.put(option.key(), value.replace("$", "\\$")));
        return List.of(new PropertiesConfigSource(properties, "placement.conf " + path.getValue(), ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
