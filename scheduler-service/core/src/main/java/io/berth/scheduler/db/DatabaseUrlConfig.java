package io.berth.scheduler.db;

import io.berth.database.DatabaseOptions;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import java.util.List;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Configures the database URLs of the scheduler's pools. */
public final class DatabaseUrlConfig implements ConfigSourceFactory {
    private static final String SCHEMA = "scheduler";
    private static final List<String> DATASOURCES = List.of("quarkus.datasource", "quarkus.datasource.decisions");

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        return DatabaseOptions.sources(context, SCHEMA, DATASOURCES);
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(DatabaseOptions.ORDINAL);
    }
}
