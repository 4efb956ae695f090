package io.berth.observability;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Registers the metric {@code berth_build_info}: always 1, with the service's name, its version and the Java version as
 * labels.
 */
@Singleton
class BuildInfo {
    void register(
            @Observes StartupEvent started,
            MeterRegistry meters,
            @ConfigProperty(name = "quarkus.application.name") String service,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        Gauge.builder("berth.build.info", () -> 1)
                .description("Always 1: which version of which service runs, and on which Java")
                .tag("service", service)
                .tag("version", version)
                .tag("java", Runtime.version().feature() + "." + Runtime.version().interim())
                .register(meters);
    }
}
