package io.berth.placement.db;

import io.berth.model.DatabaseUrl;
import io.quarkus.runtime.configuration.ConfigurationException;
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
 * Turns {@code berth.database-url} (BERTH_DATABASE_URL) into Quarkus' datasource options, so that the URL is
 * parsed in one place. Options given to Quarkus directly win.
 */
public final class DatabaseUrlConfig implements ConfigSourceFactory {
    static final String SCHEMA = "placement";
    private static final List<String> DATASOURCES =
            List.of("quarkus.datasource", "quarkus.datasource.fleet", "quarkus.datasource.ledger");
    /** Above application.properties (250), below the environment (300). */
    private static final int ORDINAL = 275;

    /** Whether the service cannot do without: not while it is built, nor in tests that bring their own. */
    private static volatile boolean isNeeded;

    /** From now on a missing URL is told in one line, and ends the start. */
    public static void need() {
        isNeeded = true;
    }

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue configured = context.getValue("berth.database-url");
        if (isAbsent(configured)) {
            if (isNeeded && isAbsent(context.getValue("quarkus.datasource.reactive.url"))) {
                throw new ConfigurationException(DatabaseUrl.ABSENT);
            }
            return List.of();
        }
        DatabaseUrl url = parsed(configured.getValue());
        Map<String, String> options = new HashMap<>();
        options.put("quarkus.datasource.jdbc.url", url.jdbcUrl(SCHEMA));
        for (String datasource : DATASOURCES) {
            options.put(datasource + ".reactive.url", url.reactiveUrl(SCHEMA));
            options.put(datasource + ".username", url.user());
            options.put(datasource + ".password", url.password());
        }
        return List.of(new PropertiesConfigSource(options, "berth.database-url", ORDINAL));
    }

    private static boolean isAbsent(ConfigValue configured) {
        return configured == null || configured.getValue() == null || configured.getValue().isBlank();
    }

    /** Quarkus ends with the message alone, and no trace, if this is what was thrown first. */
    private static DatabaseUrl parsed(String text) {
        try {
            return DatabaseUrl.parse(text);
        } catch (IllegalArgumentException bad) {
            throw new ConfigurationException(bad.getMessage());
        }
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
