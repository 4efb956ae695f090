package io.berth.database;

import io.berth.model.DatabaseUrl;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Turns {@code berth.database-url} (BERTH_DATABASE_URL) into Quarkus' datasource options, so that the URL is parsed in
 * one place. Options given to Quarkus directly win.
 */
public final class DatabaseOptions {
    /** Above application.properties (250), below the environment (300). */
    public static final int ORDINAL = 275;

    /** Where the database is: {@code postgresql://user:password@host:port/database}; needed. A secret. */
    private static final String KEY = "berth.database-url";

    /** Whether the service cannot do without: not while it is built, nor in tests that bring their own. */
    private static volatile boolean isNeeded;

    private DatabaseOptions() {}

    /** From now on a missing URL is told in one line, and ends the start. */
    public static void need() {
        isNeeded = true;
    }

    /**
     * One source, or none where no URL is configured.
     *
     * @param schema in which every connection starts
     * @param datasources prefixes of Quarkus' options, {@code quarkus.datasource} first: migrations run on that one
     */
    public static List<ConfigSource> sources(ConfigSourceContext context, String schema, List<String> datasources) {
        ConfigValue configured = context.getValue(KEY);
        if (isAbsent(configured)) {
            if (isNeeded && isAbsent(context.getValue(datasources.getFirst() + ".reactive.url"))) {
                throw new ConfigurationException(DatabaseUrl.ABSENT);
            }
            return List.of();
        }
        DatabaseUrl url = parsed(configured.getValue());
        Map<String, String> options = new HashMap<>();
        options.put(datasources.getFirst() + ".jdbc.url", url.jdbcUrl(schema));
        for (String datasource : datasources) {
            options.put(datasource + ".reactive.url", url.reactiveUrl(schema));
            options.put(datasource + ".username", url.user());
            options.put(datasource + ".password", url.password());
        }
        return List.of(new PropertiesConfigSource(options, KEY, ORDINAL));
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
}
