package io.berth.identity;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Builds a config mapping from options, without a running service. */
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
