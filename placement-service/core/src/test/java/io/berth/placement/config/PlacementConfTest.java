package io.berth.placement.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.model.conf.OsloConf;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the options that are read from {@code placement.conf}. */
class PlacementConfTest {
    private static final String TYPICAL = """
            [DEFAULT]
            debug = False
            [api]
            auth_strategy = keystone
            [placement]
            randomize_allocation_candidates = True
            allocation_conflict_retry_count = 20
            incomplete_consumer_project_id = 11111111-1111-1111-1111-111111111111
            incomplete_consumer_user_id = us$er
            max_allocation_candidates = 5000
            allocation_candidates_generation_strategy = depth-first
            [placement_database]
            connection = mysql+pymysql://placement:secret@controller/placement
            [cors]
            allowed_origin = https://dashboard.example.org
            [oslo_middleware]
            enable_proxy_headers_parsing = Yes
            """;

    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("placement.conf"), text).toString();
    }

    private static SmallRyeConfig config(String path, Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(Map.of("berth.placement-conf", path), "test", 250))
                .withSources(new EnvConfigSource(environment, 300))
                .withSources(new PlacementConfSource())
                .build();
    }

    private static PlacementConf parse(String text) {
        return PlacementConf.parse(OsloConf.parse(text.lines().toList()));
    }

    @Test
    void mapsOptionsToTheKeysOfTheService() throws IOException {
        SmallRyeConfig config = config(file(TYPICAL), Map.of());
        assertThat(config.getValue("berth.placement.placement.randomize-allocation-candidates", Boolean.class))
                .isTrue();
        assertThat(config.getValue("berth.placement.placement.allocation-conflict-retry-count", Integer.class))
                .isEqualTo(20);
        assertThat(config.getValue("berth.placement.placement.incomplete-consumer-project-id", String.class))
                .isEqualTo("11111111-1111-1111-1111-111111111111");
        assertThat(config.getValue("berth.placement.placement.incomplete-consumer-user-id", String.class))
                .isEqualTo("us$er");
        assertThat(config.getValue("berth.placement.placement.max-allocation-candidates", Integer.class))
                .isEqualTo(5000);
        assertThat(config.getValue("berth.placement.placement.allocation-candidates-generation-strategy", String.class))
                .isEqualTo("depth-first");
        assertThat(config.getValue("berth.placement.cors.allowed-origin", String.class))
                .isEqualTo("https://dashboard.example.org");
        assertThat(config.getValue(
                "berth.placement.oslo-middleware.enable-proxy-headers-parsing", Boolean.class)).isTrue();
    }

    @Test
    void theEnvironmentOverridesTheFile() throws IOException {
        SmallRyeConfig config = config(
                file(TYPICAL), Map.of("BERTH_PLACEMENT_PLACEMENT_MAX_ALLOCATION_CANDIDATES", "7"));
        assertThat(config.getValue("berth.placement.placement.max-allocation-candidates", Integer.class)).isEqualTo(7);
    }

    @Test
    void countsUnknownOptions() {
        assertThat(parse(TYPICAL).ignoredCount()).isEqualTo(3);
        assertThat(parse(TYPICAL).values()).hasSize(8);
        assertThat(parse(TYPICAL).unusable()).isEmpty();
    }

    @Test
    void parsesOsloBooleansAndUsesTheLastNonEmptyValue() {
        String group = "[placement]\nrandomize_allocation_candidates = ";
        assertThat(parse(group + "on").values()).containsValue("true");
        assertThat(parse(group + "0").values()).containsValue("false");
        assertThat(parse(group).values()).isEmpty();
        assertThat(parse("[placement]\nmax_allocation_candidates = 1\nmax_allocation_candidates = -1").values())
                .containsEntry(PlacementOption.MAX_ALLOCATION_CANDIDATES, "-1");
    }

    @Test
    void refusesToStartWithOneLineForAllInvalidValues() throws IOException {
        String wrong = file("[placement]\nrandomize_allocation_candidates = maybe\nmax_allocation_candidates = 1e3\n"
                + "allocation_candidates_generation_strategy = width\n");
        assertThatThrownBy(() -> start(wrong))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage("berth.placement-conf=" + wrong
                        + ": [placement] randomize_allocation_candidates = maybe: must be true or false"
                        + "; [placement] max_allocation_candidates = 1e3: must be an integer"
                        + "; [placement] allocation_candidates_generation_strategy = width: must be depth-first or"
                        + " breadth-first");
        String nowhere = folder.resolve("nowhere").toString();
        assertThatThrownBy(() -> start(nowhere))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessageStartingWith("berth.placement-conf=" + nowhere + ": cannot read the file");
        start(file(TYPICAL));
    }

    private static void start(String path) {
        new PlacementConfCheck(new SmallRyeConfigBuilder().build(), Optional.of(path)).start(new StartupEvent());
    }
}
