package io.berth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the data source options that are derived from the database's URL. */
class DatabaseOptionsTest {
    @Test
    void doesNotExpandExpressionsInThePassword() {
        SmallRyeConfig config = read("postgresql://u%24%24:pa%24%24w%24%7Bx%7D@h/d");
        assertThat(config.getValue("quarkus.datasource.username", String.class)).isEqualTo("u$$");
        assertThat(config.getValue("quarkus.datasource.password", String.class)).isEqualTo("pa$$w${x}");
    }

    /** The services start without a database, so the first connection would be too late. */
    @Test
    void refusesAFileWithoutAuthoritiesAtTheStart() {
        DatabaseOptions.requireUrl();
        assertThatThrownBy(() -> read("postgresql://u@h/d?sslmode=verify-full&sslrootcert=/no/ca.pem"))
                .hasStackTraceContaining("BERTH_DATABASE_URL: /no/ca.pem does not exist; name a PEM file");
        assertThat(read("postgresql://u@h/d?sslmode=require&sslrootcert=/no/ca.pem")
                .getValue("quarkus.datasource.reactive.trust-all", String.class)).isEqualTo("true");
    }

    private static SmallRyeConfig read(String url) {
        ConfigSourceFactory options = context -> DatabaseOptions.sources(context, "s", List.of("quarkus.datasource"));
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(Map.of("berth.database-url", url), "a test", 300))
                .withSources(options)
                .build();
    }
}
