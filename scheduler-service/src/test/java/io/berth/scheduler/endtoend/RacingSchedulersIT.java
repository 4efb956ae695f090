package io.berth.scheduler.endtoend;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Two schedulers fill a fleet that is too small for all requests. All hosts have equal weights, so every request tries
 * the same host first.
 */
@Tag("process")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RacingSchedulersIT {
    private static final int HOSTS = 8;
    private static final int PLACES_PER_HOST = 4;
    private static final int PLACES = HOSTS * PLACES_PER_HOST;
    private static final int REQUESTS = PLACES + 20;
    private static final int REQUESTS_AT_ONCE = 16;

    /** A request for more than any host of the race has. */
    private static final String WATCHED = """
            {"request_spec": {"project_id": "p", "user_id": "u", "flavor": {"vcpus": 100, "memory_mb": 512}}}""";

    private static Region region;

    /** The result of a request: its instance, its host, and the host that was ranked first. */
    private record Placed(String instance, String computeNode, String host, String preferred) {}

    @BeforeAll
    static void start() {
        // Without weighers the order is that of placement, the same for every request.
        region = Region.start(2, "[filter_scheduler]\nweight_classes =\n");
        for (int i = 0; i < HOSTS; i++) {
            String uuid = UUID.randomUUID().toString();
            region.placement()
                    .body(Map.of("name", "host" + i, "uuid", uuid))
                    .post("/resource_providers")
                    .then().statusCode(200);
            region.placement()
                    .body(Map.of("resource_provider_generation", 0, "inventories", Map.of(
                            "VCPU", Map.of("total", PLACES_PER_HOST),
                            "MEMORY_MB", Map.of("total", PLACES_PER_HOST * 512))))
                    .put("/resource_providers/" + uuid + "/inventories")
                    .then().statusCode(200);
        }
    }

    @AfterAll
    static void stop() {
        region.close();
    }

    /** This test comes last, because it stops one scheduler. */
    @Test
    @Order(2)
    void oneSchedulerCountsWatchesAndTheOtherTakesOver() {
        String watch = "/v1/capacity/watches/w";
        region.scheduler(0).body(WATCHED).put(watch).then().statusCode(201);
        // The counts must be equal to the microsecond of their time, which two separate counts would not be.
        eventually("both show the same count", () -> {
            String last = last(0, watch);
            return !last.equals("null") && last.equals(last(1, watch));
        });
        eventually("both show the same gauge", () -> shown(0).equals(List.of("0.0")) && shown(1).equals(shown(0)));

        region.stopScheduler(0);
        String uuid = UUID.randomUUID().toString();
        region.placement().body(Map.of("name", "another", "uuid", uuid)).post("/resource_providers").then()
                .statusCode(200);
        region.placement()
                .body(Map.of("resource_provider_generation", 0, "inventories", Map.of(
                        "VCPU", Map.of("total", 900), "MEMORY_MB", Map.of("total", 900_000))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        eventually("the other scheduler counts", () -> shown(1).equals(List.of("9.0")));
    }

    private static String last(int scheduler, String watch) {
        return String.valueOf(region.scheduler(scheduler).get(watch).<Map<String, Object>>path("last"));
    }

    private static List<String> shown(int scheduler) {
        return region.scheduler(scheduler).get("/q/metrics").asString().lines()
                .filter(line -> line.startsWith("berth_capacity_instances{"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .toList();
    }

    @Test
    @Order(1)
    void concurrentRequestsFillEveryPlaceOnceAndRetryOnOtherHosts() throws InterruptedException, ExecutionException {
        List<Future<Response>> responses = new ArrayList<>();
        List<String> instances = new ArrayList<>();
        try (var clients = Executors.newFixedThreadPool(REQUESTS_AT_ONCE)) {
            for (int i = 0; i < REQUESTS; i++) {
                String instance = UUID.randomUUID().toString();
                instances.add(instance);
                responses.add(clients.submit(selectCall(i, instance)));
            }
        }
        List<Placed> placed = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            Response response = responses.get(i).get();
            if (response.statusCode() == 200) {
                placed.add(new Placed(
                        instances.get(i),
                        response.path("selections[0][0].compute_node_uuid"),
                        response.path("selections[0][0].host"),
                        response.path("explanation.instances[0].ranked[0].host")));
            } else {
                assertThat(response.statusCode()).as(response.asString()).isEqualTo(409);
                assertThat(response.<String>path("errors[0].code")).isEqualTo("scheduler.no_valid_host");
                refused.add(instances.get(i));
            }
        }
        assertThat(placed).hasSize(PLACES);
        assertThat(placed).anySatisfy(each -> assertThat(each.host()).isNotEqualTo(each.preferred()));
        placed.forEach(each -> assertThat(allocations(each.instance())).containsOnlyKeys(each.computeNode()));
        refused.forEach(instance -> assertThat(allocations(instance)).isEmpty());
        Map<String, Integer> perHost = new HashMap<>();
        placed.forEach(each -> perHost.merge(each.computeNode(), 1, Integer::sum));
        assertThat(perHost).hasSize(HOSTS).allSatisfy((host, instancesThere) -> {
            assertThat(instancesThere).isEqualTo(PLACES_PER_HOST);
            assertThat(used(host)).isEqualTo(PLACES_PER_HOST);
        });
    }

    private static Callable<Response> selectCall(int number, String instance) {
        String body = """
                {"instance_uuids": ["%s"], "request_spec": {"project_id": "p", "user_id": "u",
                  "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 0}}}"""
                .formatted(instance);
        return () -> region.scheduler(number).body(body).post("/v1/select_destinations?explain=true");
    }

    private static Map<String, Object> allocations(String consumer) {
        return region.placement().get("/allocations/" + consumer).jsonPath().getMap("allocations");
    }

    private static int used(String provider) {
        return region.placement().get("/resource_providers/" + provider + "/usages").path("usages.VCPU");
    }
}
