package io.berth.scheduler.config.service;

import io.berth.scheduler.config.OptionSource;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Provides the options of the {@code nova.conf} at {@code berth.nova-conf} under Berth's own keys. */
public final class NovaConfSource implements ConfigSourceFactory {
    /** The key whose value is the path of a {@code nova.conf}. */
    static final String PATH_KEY = "berth.nova-conf";
    /** The prefix of this source's name, before the path. */
    private static final String NAME = "nova.conf ";
    /** Overrides application.properties, whose ordinal is 250; the environment, 300, overrides this source. */
    private static final int ORDINAL = 260;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue path = context.getValue(PATH_KEY);
        if (path == null || path.getValue() == null || path.getValue().isBlank()) {
            return List.of();
        }
        Map<String, String> properties = new HashMap<>();
        read(path.getValue()).values().forEach((group, options) -> options.forEach(
                // Escapes dollar signs: in Berth's configuration they would start an expression; in nova.conf they are
                // plain text, or refer to another option of nova.
                (option, value) -> properties.put(OptionSource.key(group, option), value.replace("$", "\\$"))));
        return List.of(new PropertiesConfigSource(properties, NAME + path.getValue(), ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    /**
     * Returns whether a configuration value comes from this source.
     *
     * @param sourceName name of the value's source as the configuration returns it, with a prefix before {@link #NAME}
     */
    static boolean isNamed(String sourceName) {
        return sourceName.contains("[source=" + NAME);
    }

    /** Reads the file. Throws UncheckedIOException, whose message names the file, if the file cannot be read. */
    static NovaConf read(String path) {
        try {
            return NovaConf.read(Path.of(path.strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(PATH_KEY + ": cannot read " + path, e);
        }
    }
}
