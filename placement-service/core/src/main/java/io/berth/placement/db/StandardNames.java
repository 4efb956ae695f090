package io.berth.placement.db;

import io.berth.model.StandardResourceClasses;
import io.berth.model.StandardTraits;
import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import java.util.Map;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Passes the standard resource classes and traits, each joined by commas, to the migration {@code
 * R__standard_names.sql}.
 */
@Singleton
public final class StandardNames implements FlywayConfigurationCustomizer {
    @Override
    public void customize(FluentConfiguration migrations) {
        migrations.placeholders(Map.of(
                "standard-resource-classes", String.join(",", StandardResourceClasses.NAMES),
                "standard-traits", String.join(",", StandardTraits.NAMES)));
    }
}
