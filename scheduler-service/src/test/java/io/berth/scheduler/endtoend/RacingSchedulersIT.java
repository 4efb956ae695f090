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
 * Two schedulers fill a fleet that is too small for all who ask. Every host weighs the same, so that all of them want
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

    /** More than any host of the race has. */
    private static final String WATCHED = """
            {"request_spec": {"project_id": "p", "user_id": "u", "flavor": {"vcpus": 100, "memory_mb": 512}}}""";

    private static Region region;

    /** What a request got: its instance, where it was placed, and the host it would have liked best. */
    private record Placed(String instance, String computeNode, String host, String liked) {}

    @BeforeAll
    static void start() {
        // Without weighers the order is placement's own, the same for everybody.
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

    /** The last one: only one scheduler is left. */
    @Test
    @Order(2)
    void oneOfThemCountsWatchedRequestsAndTheOtherTakesOver() {
        String watch = "/v1/capacity/watches/w";
        region.scheduler(0).body(WATCHED).put(watch).then().statusCode(201);
        // Of the same moment to the microsecond: no two of them would count just then.
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
        eventually("the other counts", () -> shown(1).equals(List.of("9.0")));
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
    void fillEveryPlaceOnceAndLosersMoveOnToTheirNextHost() throws InterruptedException, ExecutionException {
        List<Future<Response>> answers = new ArrayList<>();
        List<String> instances = new ArrayList<>();
        try (var clients = Executors.newFixedThreadPool(REQUESTS_AT_ONCE)) {
            for (int i = 0; i < REQUESTS; i++) {
                String instance = UUID.randomUUID().toString();
                instances.add(instance);
                answers.add(clients.submit(asking(i, instance)));
            }
        }
        List<Placed> placed = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            Response answer = answers.get(i).get();
            if (answer.statusCode() == 200) {
                placed.add(new Placed(
                        instances.get(i),
                        answer.path("selections[0][0].compute_node_uuid"),
                        answer.path("selections[0][0].host"),
                        answer.path("explanation.instances[0].ranked[0].host")));
            } else {
                assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(409);
                assertThat(answer.<String>path("errors[0].code")).isEqualTo("scheduler.no_valid_host");
                refused.add(instances.get(i));
            }
        }
        assertThat(placed).hasSize(PLACES);
        assertThat(placed).anySatisfy(each -> assertThat(each.host()).isNotEqualTo(each.liked()));
        placed.forEach(each -> assertThat(allocations(each.instance())).containsOnlyKeys(each.computeNode()));
        refused.forEach(instance -> assertThat(allocations(instance)).isEmpty());
        Map<String, Integer> perHost = new HashMap<>();
        placed.forEach(each -> perHost.merge(each.computeNode(), 1, Integer::sum));
        assertThat(perHost).hasSize(HOSTS).allSatisfy((host, instancesThere) -> {
            assertThat(instancesThere).isEqualTo(PLACES_PER_HOST);
            assertThat(used(host)).isEqualTo(PLACES_PER_HOST);
        });
    }

    private static Callable<Response> asking(int number, String instance) {
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
