package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Seed;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Compares the counts of {@code POST /v1/capacity} with real placements: fills random clouds until the first refusal.
 * {@code -Dberth.test.clouds} sets the number of clouds, {@code -Dberth.test.seed} the seed of the first.
 */
@Tag("process")
class CapacityIT {
    static final int CLOUDS = Integer.getInteger("berth.test.clouds", 3);
    static final long SEED = Seed.of(CapacityIT.class);

    /** Filters of every kind: they depend on nothing, on the host, on its candidates, or on the server group. */
    static final Map<String, String> MANY_FILTERS = Map.of(
            "berth.scheduler.filter-scheduler.enabled-filters",
            "ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,"
                    + "ServerGroupAffinityFilter,AggregateMultiTenancyIsolation,AggregateNumInstancesFilter,"
                    + "AggregateImagePropertiesIsolation,AggregateInstanceExtraSpecsFilter,RamFilter,DiskFilter,"
                    + "NUMATopologyFilter,PciPassthroughFilter",
            "berth.scheduler.scheduler.limit-tenants-to-placement-aggregate", "true",
            "berth.scheduler.scheduler.enable-isolated-aggregate-filtering", "true",
            "berth.scheduler.capacity.interval", "3S",
            "berth.scheduler.pci.alias",
            "[{\"name\": \"gpu\", \"vendor_id\": \"10de\", \"product_id\": \"10d8\"},"
                    + "{\"name\": \"nic\", \"vendor_id\": \"8086\", \"product_id\": \"1520\"}]");

    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(MANY_FILTERS);

    private static Response postCapacity(String body) {
        return admin().body(body).post("/v1/capacity");
    }

    private static String capacityBody(String spec, String more) {
        return "{\"requests\": [{\"name\": \"f\", \"request_spec\": " + spec + ", \"max\": 500}], \"timeout_s\": 60"
                + more + "}";
    }

    /** Repeats the request while other tests change the fleet. */
    static JsonPath count(String spec, String more) {
        Response[] answer = new Response[1];
        eventually("the count is complete", () -> {
            answer[0] = postCapacity(capacityBody(spec, more));
            return answer[0].statusCode() != 200 || answer[0].jsonPath().getBoolean("complete");
        });
        assertThat(answer[0].statusCode()).as(answer[0].asString()).isEqualTo(200);
        return answer[0].jsonPath();
    }

    @Test
    void countsWhatFitsAndNamesTheResourceThatLimitsIt() {
        Fleet fleet = new Fleet();
        fleet.host("a", 4);
        fleet.host("b", 7);
        JsonPath counted = count(fleet.spec(2, ""), ", \"by\": [\"host\", \"zone\"]");
        assertThat(counted.getInt("requests[0].count")).isEqualTo(5);
        assertThat(counted.getString("requests[0].method")).isEqualTo("each_host");
        assertThat(counted.getMap("requests[0].by.host")).isEqualTo(Map.of(fleet.name("a"), 2, fleet.name("b"), 3));
        assertThat(counted.getMap("requests[0].by.zone")).isEqualTo(Map.of("nova", 5));
        // All resources are equally short, so binding names the first one of the query.
        assertThat(counted.getMap("requests[0].binding")).isEqualTo(Map.of("DISK_GB", 2));
        assertThat(counted.getLong("as_of.fleet_version")).isPositive();
    }

    /** Two instances use sibling threads and two use whole cores; a third pair finds one free CPU in each cell. */
    @Test
    void chargesPinnedCpusBetweenTheInstancesOfOneRequest() {
        Fleet fleet = new Fleet();
        String uuid = UUID.randomUUID().toString();
        Providers.add(uuid, fleet.name("a"), null,
                Map.of("PCPU", Map.of("total", 6), "MEMORY_MB", Map.of("total", 8192), "DISK_GB", Map.of("total", 100)),
                List.of(fleet.trait()));
        admin().body("""
                {"host": "%s", "numa_topology": {"cells": [
                    {"id": 0, "pcpuset": [0, 1, 2], "memory": 4096, "siblings": [[0, 1], [2]]},
                    {"id": 1, "pcpuset": [4, 5, 6], "memory": 4096, "siblings": [[4], [5], [6]]}]}}""".formatted(fleet.name("a")))
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
        String spec = fleet.spec(2, "").replace("\"required\"}", "\"required\", \"hw:cpu_policy\": \"dedicated\"}");
        JsonPath counted = count(spec, "");
        assertThat(counted.getInt("requests[0].count")).as(counted.prettify()).isEqualTo(2);
        assertThat(counted.getMap("requests[0].binding")).isEqualTo(Map.of("NUMATopologyFilter", 1));
        assertThat(place(spec, 3)).isNull();
        assertThat(place(spec, 2)).isEqualTo(fleet.name("a"));
    }

    @Test
    void pagesTheCountsByHost() {
        Fleet fleet = new Fleet();
        for (String name : List.of("a", "b", "c")) {
            fleet.host(name, 1);
        }
        JsonPath first = count(fleet.spec(1, ""), ", \"by\": [\"host\"], \"limit\": 2");
        assertThat(first.getMap("requests[0].by.host")).hasSize(2);
        String marker = first.getString("requests[0].next_marker");
        assertThat(marker).isEqualTo(fleet.name("b"));
        JsonPath second =
                count(fleet.spec(1, ""), ", \"by\": [\"host\"], \"limit\": 2, \"marker\": \"" + marker + "\"");
        assertThat(second.getMap("requests[0].by.host")).isEqualTo(Map.of(fleet.name("c"), 1));
        assertThat(second.getString("requests[0].next_marker")).isNull();
    }

    @Test
    void stopsCountingAtMax() {
        Fleet fleet = new Fleet();
        fleet.host("a", 9);
        postCapacity(
                "{\"requests\": [{\"name\": \"f\", \"max\": 3, \"request_spec\": " + fleet.spec(1, "") + "}]}").then()
                .statusCode(200)
                .body("requests[0].count", equalTo(3))
                .body("requests[0].capped", equalTo(true));
    }

    @Test
    void countsJointRequestsInTheirProportions() {
        Fleet fleet = new Fleet();
        fleet.host("a", 12);
        fleet.host("b", 5);
        JsonPath joint = postCapacity("""
                {"joint": true, "requests": [
                  {"name": "small", "proportion": 2, "request_spec": %s}, {"name": "large", "request_spec": %s}]}"""
                .formatted(fleet.spec(1, ""), fleet.spec(3, ""))).jsonPath();
        int small = joint.getInt("requests[0].count");
        int large = joint.getInt("requests[1].count");
        List<String> placed = new ArrayList<>();
        boolean room = true;
        for (int i = 0; room; i++) {
            int vcpus = i % 3 < 2 ? 1 : 3;
            room = place(fleet.spec(vcpus, "")) != null;
            placed.add(room ? "" + vcpus : "none");
        }
        placed.removeLast();
        assertThat(small).isEqualTo(placed.stream().filter("1"::equals).count());
        assertThat(large).isEqualTo(placed.stream().filter("3"::equals).count());
        assertThat(small + large).isGreaterThan(4);
    }

    @Test
    void recountsWatchesWhenInstancesArePlaced() {
        Fleet fleet = new Fleet();
        fleet.host("a", 3);
        // The service belongs to no zone, so the watch reports the default zone even when nothing fits.
        admin().body(Map.of("host", fleet.name("b"))).put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
        String name = fleet.name("watch");
        String path = "/v1/capacity/watches/" + name;
        try {
            admin().body("{\"request_spec\": " + fleet.spec(1, "") + "}").put(path).then().statusCode(201);
            admin().body("{\"request_spec\": " + fleet.spec(1, "") + ", \"max\": 50}").put(path).then()
                    .statusCode(200)
                    .body("max", equalTo(50));
            eventually("three instances fit",
                    () -> shown(name) == 3 && Integer.valueOf(3).equals(admin().get(path).path("last.count")));
            assertThat(admin().get("/v1/capacity/watches").jsonPath().getList("watches.name")).contains(name);
            place(fleet.spec(1, ""));
            eventually("two instances fit", () -> shown(name) == 2);
            place(fleet.spec(2, ""));
            eventually("the watch reports that nothing fits", () -> shown(name) == 0);
        } finally {
            admin().delete(path).then().statusCode(204);
        }
        admin().delete(path).then().statusCode(404);
        admin().get(path).then().statusCode(404);
        eventually("the metric is gone", () -> shown(name) == -1);
        admin().body("{\"request_spec\": " + fleet.spec(1, "") + ", \"by\": []}").put(path).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith("$.by: unknown member"));
        admin().body("{}").put("/v1/capacity/watches/a%20b").then().statusCode(400);
    }

    @Test
    void refusesAWatchThatIsTooLongAndSkipsOneThatIsAlreadyStored() {
        Fleet fleet = new Fleet();
        fleet.host("a", 2);
        String large = fleet.name("a-large");
        String small = fleet.name("b-small");
        String body = "{\"request_spec\": {\"flavor\": {\"vcpus\": 1}, \"limits\": {\"a\": [" + "{},".repeat(30_000)
                + "0]}}}";
        admin().body(body).put("/v1/capacity/watches/" + large).then()
                .statusCode(413)
                .body("errors[0].detail", equalTo("the body of a watch must not be larger than 16384 bytes"));
        PostgresForTests.run(
                SCHEDULER.databaseUrl(),
                "INSERT INTO scheduler.capacity_watches VALUES ('" + large + "', '" + body + "')");
        try {
            watch(small, fleet.spec(1, ""));
            eventually("two instances fit", () -> shown(small) == 2);
            admin().get("/v1/capacity/watches").then().statusCode(200)
                    .body("watches.find { it.name == '" + large + "' }.why",
                            startsWith("its body has more than 65536"));
        } finally {
            admin().delete("/v1/capacity/watches/" + large).then().statusCode(204);
            admin().delete("/v1/capacity/watches/" + small).then().statusCode(204);
        }
    }

    /** The availability_zone value is near the longest permitted text and lists 10,900 zones. */
    @Test
    void aWatchReportsOnlyTheFirstTenThousandZones() {
        Fleet fleet = new Fleet();
        fleet.host("a", 2);
        String zones = IntStream.range(10_000, 20_900).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String aggregate = UUID.randomUUID().toString();
        admin()
                .body(Map.of("name", fleet.name("zones"), "hosts", List.of(fleet.name("a")),
                        "metadata", Map.of("availability_zone", zones)))
                .put("/v1/host_aggregates/" + aggregate).then().statusCode(201);
        String name = fleet.name("watch");
        String path = "/v1/capacity/watches/" + name;
        try {
            watch(name, fleet.spec(1, ""));
            eventually("the watch is counted", () -> admin().get(path).path("last.count") != null);
            JsonPath last = admin().get(path).jsonPath();
            assertThat(last.getInt("last.count")).isEqualTo(2);
            assertThat(last.getInt("last.zones_left_out")).isBetween(900, 1_000);
            assertThat(last.getMap("last.zones")).hasSize(10_000).containsEntry("10000", 2);
            eventually("the metric shows the watch",
                    () -> given().get("/q/metrics").asString().contains("watch=\"" + name + "\",zone=\"10000\""));
        } finally {
            admin().delete(path).then().statusCode(204);
            admin().delete("/v1/host_aggregates/" + aggregate).then().statusCode(204);
        }
    }

    /** The slow watch counts one by one up to a million and comes first by name. */
    @Test
    void aSlowWatchIsCutOffAndDoesNotBlockOthers() {
        Fleet fleet = new Fleet();
        fleet.host("a", 1_000_000);
        admin()
                .body(Map.of("name", fleet.name("many"), "hosts", List.of(fleet.name("a")),
                        "metadata", Map.of("max_instances_per_host", "1000000")))
                .post("/v1/host_aggregates").then().statusCode(201);
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\": \"affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        String slow = fleet.name("a-slow");
        String quick = fleet.name("b-quick");
        try {
            watch(slow, fleet.spec(1, ", \"scheduler_hints\": {\"group\": \"" + group + "\"}"));
            watch(quick, fleet.spec(400_000, ""));
            eventually("two instances fit", () -> shown(quick) == 2);
            eventually("the slow watch is cut off",
                    () -> admin().get("/v1/capacity/watches/" + slow).path("last.why") != null);
            admin().get("/v1/capacity/watches/" + slow).then()
                    .body("last.complete", equalTo(false))
                    .body("last.method", equalTo("one_by_one"));
            assertThat(shown(slow)).as("an incomplete count is not in the metric").isEqualTo(-1);
        } finally {
            admin().delete("/v1/capacity/watches/" + slow).then().statusCode(204);
            admin().delete("/v1/capacity/watches/" + quick).then().statusCode(204);
        }
    }

    private static void watch(String name, String spec) {
        admin().body("{\"request_spec\": " + spec + "}").put("/v1/capacity/watches/" + name).then().statusCode(201);
    }

    /** The value of the watch's metric for zone nova; -1 if there is none. */
    private static int shown(String watch) {
        Matcher line = Pattern.compile("berth_capacity_instances\\{watch=\"" + watch + "\",zone=\"nova\"\\} ([0-9.]+)")
                .matcher(given().get("/q/metrics").asString());
        return line.find() ? (int) Double.parseDouble(line.group(1)) : -1;
    }

    @Test
    void refusesInvalidCapacityRequests() {
        String spec = new Fleet().spec(1, "");
        invalid("{}", "$.requests: is required");
        invalid("{\"requests\": []}", "$.requests: is required");
        invalid("{\"requests\": [{\"name\": \"f\"}]}", "$.requests[0].request_spec: is required");
        invalid("{\"requests\": [{\"request_spec\": " + spec + "}]}", "$.requests[0].name: is required");
        invalid(capacityBody(spec, ", \"b\": 1"), "$.b: unknown member");
        invalid(capacityBody(spec, ", \"by\": [\"rack\"]"), "$.by[0]: must be one of");
        invalid(capacityBody(spec, "").replace("500", "0"), "$.requests[0].max: must be between 1 and 1000000");
        invalid(capacityBody(spec, "").replace("500", "1000001"), "$.requests[0].max: must be between");
        invalid(capacityBody(spec, "").replace("60", "61"), "$.timeout_s: must be between 1 and 60");
        invalid(capacityBody(new Fleet().spec(1, ", \"wrong\": 1"), ""),
                "$.requests[0].request_spec.wrong: unknown member");
        invalid(capacityBody(new Fleet().spec(1, ", \"availability_zone\": \"nowhere\""), ""),
                "$.requests[0].request_spec: there is no availability zone nowhere", "scheduler.unknown_zone");
        String many = String.join(",", Collections.nCopies(10_001, "{}"));
        postCapacity("{\"requests\": [" + many + "]}").then().statusCode(413)
                .body("errors[0].detail", startsWith("$.requests: must have at most 10000 requests"));
    }

    private static void invalid(String body, String detail) {
        invalid(body, detail, "scheduler.request_invalid");
    }

    private static void invalid(String body, String detail, String code) {
        postCapacity(body).then().statusCode(400)
                .body("errors[0].code", equalTo(code))
                .body("errors[0].detail", startsWith(detail));
    }

    /** The host of the first instance; null if the request was refused. */
    private static String place(String spec) {
        return place(spec, 1);
    }

    private static String place(String spec, int count) {
        List<String> uuids = instances(count);
        Response answer = select("{\"instance_uuids\": [\"" + String.join("\",\"", uuids) + "\"], \"request_spec\": "
                + spec + "}");
        assertThat(answer.statusCode()).as(answer.asString()).isIn(200, 409);
        return answer.statusCode() == 200 ? answer.path("selections[0][0].host") : null;
    }

    /**
     * A request of a server group, on hosts a, b and c with 4, 3 and 5 VCPUs.
     *
     * @param policy of a registered group, with its rule if any; empty for no registered group
     * @param before host of an existing member of the group; empty for no member
     * @param forced the request's force_hosts; empty for any host
     * @param inlineGroup the request's instance_group, formatted with the uuid of the group and the name of host c
     * @param fits instances by host
     */
    private record InGroup(
            String policy, String before, List<String> forced, String inlineGroup, Map<String, Integer> fits) {}

    private static final List<InGroup> IN_GROUPS = List.of(
            new InGroup("anti-affinity", "", List.of("a"), "", Map.of("a", 1)),
            // Of several forced hosts the first one counts, as in nova.
            new InGroup("anti-affinity 2", "", List.of("b", "a"), "", Map.of("b", 2)),
            new InGroup("anti-affinity 9", "", List.of("a"), "", Map.of("a", 4)),
            new InGroup("anti-affinity", "a", List.of("b"), "", Map.of("b", 1)),
            new InGroup("anti-affinity", "b", List.of("b"), "", Map.of()),
            new InGroup("affinity", "", List.of("a"), "", Map.of("a", 4)),
            new InGroup("affinity", "b", List.of("b"), "", Map.of("b", 2)),
            new InGroup("affinity", "c", List.of("a"), "", Map.of()),
            new InGroup("soft-anti-affinity", "a", List.of("a"), "", Map.of("a", 3)),
            // Claims ignore an instance_group of the request; filters apply it.
            new InGroup("", "", List.of("a"), "{'uuid': '%s', 'policy': 'affinity', 'hosts': ['%s']}", Map.of("a", 4)),
            new InGroup("", "", List.of(), "{'uuid': '%s', 'policy': 'affinity', 'hosts': ['%s']}", Map.of("c", 5)),
            // A group without a uuid cannot be recognized in a later request.
            new InGroup("", "", List.of("a"), "{'policy': 'anti-affinity'}", Map.of("a", 4)),
            new InGroup("", "", List.of(), "{'policy': 'anti-affinity'}", Map.of("a", 4, "b", 3, "c", 5)));

    @Tag("long")
    @Test
    void appliesServerGroupRulesToForcedRequests() {
        for (InGroup row : IN_GROUPS) {
            Fleet fleet = new Fleet();
            fleet.host("a", 4);
            fleet.register(fleet.host("b", 3), "b", Fleet.cell("cell"));
            fleet.host("c", 5);
            String group = UUID.randomUUID().toString();
            String more = "";
            if (!row.policy().isEmpty()) {
                String[] policy = row.policy().split(" ");
                String rules = policy.length == 1 ? "" : ", \"rules\": {\"max_server_per_host\": " + policy[1] + "}";
                admin().body("{\"policy\": \"" + policy[0] + "\"" + rules + "}").put("/v1/server_groups/" + group)
                        .then()
                        .statusCode(201);
                more = ", \"scheduler_hints\": {\"group\": \"" + group + "\"}";
                if (!row.before().isEmpty()) {
                    assertThat(place(fleet.spec(1, forced(fleet, List.of(row.before())) + more))).as("%s", row)
                            .isNotNull();
                }
            } else {
                more = ", \"instance_group\": " + row.inlineGroup()
                        .replace('\'', '"').formatted(group, fleet.name("c"));
            }
            String spec = fleet.spec(1, forced(fleet, row.forced()) + more);
            Map<String, Integer> fits = new TreeMap<>();
            row.fits().forEach((host, count) -> fits.put(fleet.name(host), count));
            JsonPath counted = count(spec, ", \"by\": [\"host\"]");
            assertThat(counted.getMap("requests[0].by.host")).as("%s: %s", row, counted.prettify()).isEqualTo(fits);
            assertThat(fill(spec)).as("%s", row).isEqualTo(fits);
            assertThat(count(spec, "").getMap("requests[0].binding")).as("%s", row)
                    .isEqualTo(counted.getMap("requests[0].binding"));
        }
    }

    /** Several nodes share one compute service, as with ironic. */
    @Test
    void antiAffinityCountsComputeServicesInsteadOfTheirNodes() {
        Fleet fleet = new Fleet();
        for (String node : List.of("n1", "n2", "n3")) {
            admin().body(Map.of("host", fleet.name("service"), "nodename", fleet.name(node)))
                    .put("/v1/compute_nodes/" + fleet.host(node, 4)).then().statusCode(201);
        }
        String group = UUID.randomUUID().toString();
        admin().body(Map.of("policy", "anti-affinity")).put("/v1/server_groups/" + group).then().statusCode(201);
        String spec = fleet.spec(1, ", \"scheduler_hints\": {\"group\": \"" + group + "\"}");
        assertThat(count(spec, "").getInt("requests[0].count")).isEqualTo(1);
        assertThat(fill(spec)).isEqualTo(Map.of(fleet.name("service"), 1));
    }

    private static String forced(Fleet fleet, List<String> hosts) {
        return ", \"force_hosts\": " + hosts.stream().map(host -> '"' + fleet.name(host) + '"').toList();
    }

    /** Places instances until the first refusal; returns their number by host. */
    static Map<String, Integer> fill(String spec) {
        Map<String, Integer> hosts = new TreeMap<>();
        for (String host = place(spec); host != null; host = place(spec)) {
            hosts.merge(host, 1, Integer::sum);
        }
        return hosts;
    }

    @Test
    void capacityEqualsTheNumberOfInstancesThatCanBePlaced() {
        for (long i = 0; i < CLOUDS; i++) {
            check(SEED + i, true);
        }
    }

    /** Compares the forecast for one random cloud with real placements. */
    static void check(long seed, boolean reports) {
        try (var cloud = new RandomCloud(seed, reports)) {
            check(cloud);
        }
    }

    private static void check(RandomCloud cloud) {
        String spec = cloud.request();
        cloud.placedBefore().forEach(CapacityIT::place);
        JsonPath forecast = count(spec, ", \"by\": [\"host\"]");
        String about = cloud + ": " + spec + ": " + forecast.prettify();
        int wanted = forecast.getInt("requests[0].count");
        if (cloud.isReportedByHosts()) {
            // The hosts report free cells and devices themselves, so only instances of one request are charged against
            // each other.
            assertThat(place(spec, wanted + 1)).as(about).isNull();
            assertThat(wanted == 0 || place(spec, wanted) != null).as(about).isTrue();
            return;
        }
        Map<String, Integer> hosts = fill(spec);
        assertThat(hosts.values().stream().mapToInt(count -> count).sum()).as(about).isEqualTo(wanted);
        assertThat(hosts).as(about).isEqualTo(new TreeMap<>(forecast.getMap("requests[0].by.host")));
        JsonPath full = count(spec, "");
        assertThat(full.getInt("requests[0].count")).as(about).isZero();
        assertThat(forecast.getMap("requests[0].binding")).as(about).isEqualTo(full.getMap("requests[0].binding"));
    }
}
