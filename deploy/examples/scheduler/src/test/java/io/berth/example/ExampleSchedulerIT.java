package io.berth.example;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.response.ValidatableResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the packaged scheduler with the example extension over HTTP; the environment configures the extension. */
class ExampleSchedulerIT {
    private static final String FILTERS = "BERTH_SCHEDULER_FILTER_SCHEDULER_ENABLED_FILTERS";
    private static final Map<String, String> CONFIGURED = Map.of(
            "BERTH_SCHEDULER_FILTER_SCHEDULER_AVAILABLE_FILTERS",
            "nova.scheduler.filters.all_filters,io.berth.example.CarbonLimitFilter",
            FILTERS, "ComputeFilter,CarbonLimitFilter",
            "BERTH_SCHEDULER_FILTER_SCHEDULER_WEIGHT_CLASSES",
            "nova.scheduler.weights.all_weighers,io.berth.example.CarbonWeigher");
    private static final String HOSTS = """
            [{"host": "coal", "free_ram_mb": 64000, "aggregates": [{"metadata": {"carbon_grams_per_kwh": "900"}}]},
             {"host": "gas", "free_ram_mb": 32000, "aggregates": [{"metadata": {"carbon_grams_per_kwh": "400"}}]},
             {"host": "wind", "free_ram_mb": 1000, "aggregates": [{"metadata": {"carbon_grams_per_kwh": "12"}}]}]
            """;

    private static ServiceProcess scheduler;

    @BeforeAll
    static void startTheScheduler() {
        scheduler = start(CONFIGURED);
    }

    @AfterAll
    static void stopTheScheduler() {
        scheduler.close();
    }

    @Test
    void runsTheExtensionsClassesBesideTheBuiltInOnes() {
        given().header("x-auth-token", "admin")
                .get(scheduler.url() + "/v1/options")
                .then()
                .statusCode(200)
                .body("filters", contains("ComputeFilter", "CarbonLimitFilter"))
                .body("weighers", hasItem("RAMWeigher"))
                .body("weighers", hasItem("CarbonWeigher"));
    }

    @Test
    void servesTheSpecificationFromItsPackage() {
        given().get(scheduler.url() + "/q/openapi?format=json")
                .then()
                .statusCode(200)
                .body("info.title", equalTo("Berth scheduler"))
                .body("paths", hasKey("/v1/select_destinations"));
    }

    @Test
    void theWeigherReversesTheRanking() {
        simulate("{}", "\"configured\"").body("instances[0].ranked.host", contains("wind", "gas", "coal"));
        simulate("{}", "{}").body("instances[0].ranked.host", contains("coal", "gas", "wind"));
    }

    @Test
    void theFilterRemovesHostsAndReportsTheReason() {
        simulate("{\"carbon:max_grams_per_kwh\": \"100\"}", "\"configured\"")
                .body("instances[0].filters[1].name", equalTo("CarbonLimitFilter"))
                .body("instances[0].filters[1].rejected.host", contains("coal", "gas"))
                .body("instances[0].filters[1].rejected[0].reason", equalTo("emits 900 g/kWh, flavor allows 100"))
                .body("selections[0].host", contains("wind"));
        simulate("{\"carbon:max_grams_per_kwh\": \"100\"}", "{}")
                .body("selections[0].host", contains("coal", "gas", "wind"));
    }

    @Test
    void allWeighersDoesNotIncludeTheExtensionsWeigher() {
        simulate("{}", "{\"weight_classes\": [\"nova.scheduler.weights.all_weighers\"]}")
                .body("instances[0].weighers.name", not(hasItem("CarbonWeigher")));
    }

    @Test
    void doesNotStartWithAFilterThatIsEnabledButNotAvailable() {
        assertThatThrownBy(() -> start(Map.of(FILTERS, "CarbonLimitFilter")))
                .hasStackTraceContaining("berth.scheduler.filter-scheduler.enabled-filters: filter 'CarbonLimitFilter' "
                        + "is not available: add io.berth.example.CarbonLimitFilter to available_filters");
    }

    private static ServiceProcess start(Map<String, String> environment) {
        var all = new HashMap<>(environment);
        all.put("BERTH_DATABASE_URL", PostgresForTests.url());
        return ServiceProcess.start(Path.of("."), all);
    }

    private static ValidatableResponse simulate(String extraSpecs, String options) {
        return given().header("x-auth-token", "admin")
                .contentType("application/json")
                .body("""
                        {"hosts": %s, "options": %s, "request_spec": {
                            "flavor": {"vcpus": 1, "memory_mb": 512, "extra_specs": %s}}}
                        """.formatted(HOSTS, options, extraSpecs))
                .post(scheduler.url() + "/v1/simulations")
                .then()
                .statusCode(200);
    }
}
