package io.berth.scheduler.db;

import io.berth.database.DatabaseOptions;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import java.util.List;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Derives the Quarkus datasource properties of the scheduler's two pools from Berth's database options. */
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
