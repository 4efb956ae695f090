package io.berth.identity;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Builds the configuration from a service's options, without the service. */
public final class Configured {
    private Configured() {}

    /** @param mapping a ConfigMapping */
    public static <T> T of(Class<T> mapping, Map<String, String> options) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withSources(new PropertiesConfigSource(options, "a test", 250))
                .withMapping(mapping)
                .build()
                .getConfigMapping(mapping);
    }
}
