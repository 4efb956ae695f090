package io.berth.placement.db;

import io.berth.model.DatabaseUrl;
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

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        ConfigValue configured = context.getValue("berth.database-url");
        if (configured == null || configured.getValue() == null || configured.getValue().isBlank()) {
            return List.of();
        }
        DatabaseUrl url = DatabaseUrl.parse(configured.getValue());
        Map<String, String> options = new HashMap<>();
        options.put("quarkus.datasource.jdbc.url", url.jdbcUrl(SCHEMA));
        for (String datasource : DATASOURCES) {
            options.put(datasource + ".reactive.url", url.reactiveUrl(SCHEMA));
            options.put(datasource + ".username", url.user());
            options.put(datasource + ".password", url.password());
        }
        return List.of(new PropertiesConfigSource(options, "berth.database-url", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
