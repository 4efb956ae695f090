package io.berth.identity.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.PreventFurtherStepsException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how options and environment variables that no service reads are refused. */
class UnknownKeysTest {
    private static SmallRyeConfig config(Map<String, String> properties, Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(properties, "a file", 250))
                .withSources(new EnvConfigSource(environment, 300))
                .build();
    }

    private static void check(String service, SmallRyeConfig config) {
        UnknownKeys.check(KnownKeys.of(service), config);
    }

    @ParameterizedTest
    @CsvSource({
        "placement, berth.auth.stratgy, berth.auth.strategy",
        "scheduler, berth.auth.stratgy, berth.auth.strategy",
        "placement, berth.auth.keystone.cachetime, berth.auth.keystone.cache-time",
        "placement, berth.placement.cors.allowed-origins, berth.placement.cors.allowed-origin",
        "placement, berth.policy.file.path, berth.policy.file",
        "scheduler, berth.placement-sync.enable, berth.placement-sync.enabled",
        "scheduler, berth.placement-url-2, berth.placement-url"})
    void refusesAKeyThatNoServiceReads(String service, String key, String meant) {
        assertThatThrownBy(() -> check(service, config(Map.of(key, "1"), Map.of())))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage(key + " is not an option of " + service + "-service: did you mean " + meant + "?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void suggestsTheNearestKeyHoweverFar(String service) {
        assertThat(KnownKeys.of(service).refusalOfKey("berth.profile").orElseThrow())
                .startsWith("berth.profile is not an option of " + service + "-service: did you mean berth.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void acceptsKeysOfTheOtherServiceAndOfOtherSoftware(String service) {
        assertThatCode(() -> check(service, config(
                Map.of(
                        "berth.placement-sync.enabled", "false",
                        "berth.placement.cors.allowed-origin", "*",
                        "berth.scheduler.filter-scheduler.host-subset-size", "2",
                        "berthing.place", "3",
                        "example.carbon-limit", "3",
                        "quarkus.http.port", "0"),
                Map.of("BERTH_PLACEMENT_SYNC_ENABLED", "false", "BERTH_PLACEMENT_CORS_ALLOWED_ORIGIN", "*",
                        "BERTH_SCHEDULER_FILTER_SCHEDULER_HOST_SUBSET_SIZE", "2"))))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesAVariableWithATypo() {
        assertThatThrownBy(() -> check("placement", config(Map.of(), Map.of("BERTH_AUTH_STRATEGI", "keystone"))))
                .rootCause()
                .hasMessage("BERTH_AUTH_STRATEGI is not an option of placement-service: did you mean"
                        + " BERTH_AUTH_STRATEGY?");
    }

    /** Only the scheduler refuses it, even if both services get the same environment. */
    @Test
    void ignoresTyposInVariablesOfTheOtherService() {
        SmallRyeConfig config = config(Map.of(), Map.of("BERTH_PLACEMENT_SINC_ENABLED", "false"));
        assertThatCode(() -> check("placement", config)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check("scheduler", config)).hasRootCauseInstanceOf(PreventFurtherStepsException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "BERTH_STATE_DIR", "BERTH_JAVA_OPTS", "BERTH_JDK_MIN", "BERTH_MAVEN_CACHE", "BERTH_SHARED", "BERTH_URL",
        "BERTH_BENCH_DATABASE_URL", "BERTH_CONTAINER_ENGINE", "BERTH_BASE_CACHE", "BERTH_BASE_SUITE",
        "BERTH_BASE_MIRROR", "BERTH_TEST_PORT", "BERTH_TEST_CLOCK", "BERTH_FROM_TOKEN", "BERTH_TO_TOKEN",
        "BERTH_COMMAND_JAVA_OPTS", "BERTH_FROM_DATABASE", "BERTH_TO_DATABASE", "BERTH_PROFILE",
        "BERTH_DATABASE_PASSWORD", "BERTH_PLACEMENT_PORT", "BERTH_PLACEMENT_IMAGE", "BERTH_PLACEMENT_SERVICE_HOST",
        "BERTH_PLACEMENT_PORT_8778_TCP_ADDR"})
    void warnsOnlyAboutVariablesOfScriptsAndPlatforms(String name) {
        for (String service : new String[] {"placement", "scheduler"}) {
            assertThat(KnownKeys.of(service).isUnknownVariable(name)).isTrue();
            assertThatCode(() -> check(service, config(Map.of(), Map.of(name, "1")))).doesNotThrowAnyException();
        }
    }
}
