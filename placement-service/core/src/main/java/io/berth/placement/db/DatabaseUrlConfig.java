package io.berth.placement.db;

import io.berth.database.DatabaseOptions;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import java.util.List;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Derives the connection options of all of placement's datasources from {@code BERTH_DATABASE_URL}. */
public final class DatabaseUrlConfig implements ConfigSourceFactory {
    private static final String SCHEMA = "placement";
    private static final List<String> DATASOURCES =
            List.of("quarkus.datasource", "quarkus.datasource.fleet", "quarkus.datasource.ledger",
                    "quarkus.datasource.reads");

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        return DatabaseOptions.sources(context, SCHEMA, DATASOURCES);
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(DatabaseOptions.ORDINAL);
    }
}
