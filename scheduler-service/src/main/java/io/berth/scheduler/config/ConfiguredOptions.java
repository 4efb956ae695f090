package io.berth.scheduler.config;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.Config;

/** The options of the running service, read once at start. Another producer of {@link Options} takes its place. */
final class ConfiguredOptions {
    @Produces
    @Singleton
    @DefaultBean
    Options options(Config config) {
        return Options.parse(OptionSource.ofText(
                key -> config.getOptionalValue(key, String.class).orElse(null)));
    }
}
