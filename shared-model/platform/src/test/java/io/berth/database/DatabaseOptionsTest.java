package io.berth.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DatabaseOptionsTest {
    @Test
    void aPasswordIsNoExpression() {
        ConfigSourceFactory options = context -> DatabaseOptions.sources(context, "s", List.of("quarkus.datasource"));
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(
                        Map.of("berth.database-url", "postgresql://u%24%24:pa%24%24w%24%7Bx%7D@h/d"), "a test", 300))
                .withSources(options)
                .build();
        assertThat(config.getValue("quarkus.datasource.username", String.class)).isEqualTo("u$$");
        assertThat(config.getValue("quarkus.datasource.password", String.class)).isEqualTo("pa$$w${x}");
    }
}
