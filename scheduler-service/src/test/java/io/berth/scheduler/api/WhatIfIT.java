package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forecasts random changes of random clouds with {@code POST /v1/what_if}, makes the changes through the APIs and
 * compares the results. {@code -Dberth.test.clouds} sets the number of clouds, {@code -Dberth.test.seed} the seed of
 * the first.
 */
@Tag("process")
class WhatIfIT {
    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 3);
    private static final long SEED = Seed.of(WhatIfIT.class);

    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(Map.of(
            "berth.placement-sync.enabled", "true",
            "berth.placement-sync.compare-every", "1S",
            "berth.instances-compared-pause", "1S",
            "berth.scheduler.filter-scheduler.enabled-filters",
            "ComputeFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,"
                    + "AggregateMultiTenancyIsolation,AggregateNumInstancesFilter"));

    private static Response postWhatIf(String changes, String query) {
        return admin().body("{\"changes\": [" + changes + "], \"ask\": {" + query + "}, \"timeout_s\": 60}")
                .post("/v1/what_if");
    }

    private static JsonPath evaluate(String changes, String query) {
        Response response = postWhatIf(changes, query);
        assertThat(response.statusCode()).as(changes + response.asString()).isEqualTo(200);
        return response.jsonPath();
    }

    private static String capacity(String spec) {
        return "\"capacity\": {\"requests\": [{\"name\": \"f\", \"max\": 500, \"request_spec\": " + spec
                + "}], \"by\": [\"host\"]}";
    }

    private static void register(Fleet fleet, String name, String uuid) {
        admin().body(Map.of("host", fleet.name(name))).put("/v1/compute_nodes/" + uuid).then().statusCode(201);
    }

    @Test
    void returnsBeforeAfterAndDifference() {
        Fleet fleet = new Fleet();
        fleet.host("a", 4);
        register(fleet, "b", fleet.host("b", 4));
        String like = fleet.name("b");
        JsonPath more = evaluate(
                "{\"add\": {\"like\": \"" + like + "\", \"count\": 2}}, {\"disable\": {\"hosts\": [\"" + fleet.name("a")
                        + "\"]}}",
                capacity(fleet.spec(2, "")) + ", \"placements\": [" + fleet.spec(4, "") + "," + fleet.spec(9, "")
                        + "]");
        assertThat(more.getBoolean("complete")).as(more.prettify()).isTrue();
        assertThat(more.getInt("before.capacity[0].count")).isEqualTo(4);
        assertThat(more.getInt("after.capacity[0].count")).isEqualTo(6);
        assertThat(more.getInt("difference.capacity[0].count")).isEqualTo(2);
        assertThat(more.getMap("difference.capacity[0].by.host")).isEqualTo(
                Map.of(fleet.name("a"), -2, like + "-like-1", 2, like + "-like-2", 2));
        assertThat(more.getString("after.placements[0].hosts[0].host")).isIn(like, like + "-like-1", like + "-like-2");
        assertThat(more.getList("after.placements[1].hosts")).isEmpty();
        assertThat(more.getString("after.placements[1].code")).isEqualTo("scheduler.no_valid_host");
        assertThat(more.getLong("as_of.fleet_version")).isPositive();
        assertThat(admin().get("/v1/compute_nodes?host=" + like + "-like-1").asString()).doesNotContain("like-1\"");
    }

    /** The template host may be registered or not. */
    @Test
    void selectorsIncludeHostsThatAnEarlierChangeAdded() {
        Fleet fleet = new Fleet();
        fleet.host("a", 4);
        register(fleet, "b", fleet.host("b", 4));
        for (String like : List.of("a", "b")) {
            String zone = fleet.name("zone-" + like);
            String add =
                    "{\"add\": {\"like\": \"" + fleet.name(like) + "\", \"count\": 2, \"zone\": \"" + zone + "\"}}, ";
            JsonPath disabled =
                    evaluate(add + "{\"disable\": {\"zone\": \"" + zone + "\"}}", capacity(fleet.spec(2, "")));
            assertThat(disabled.getInt("after.capacity[0].count")).as(disabled.prettify()).isEqualTo(4);
            assertThat(evaluate(add + "{\"disable\": {\"all\": true}}", capacity(fleet.spec(2, "")))
                    .getInt("after.capacity[0].count")).isZero();
        }
    }

    /** One node of the host is unknown to placement; the other one still counts. */
    @Test
    void selectorsSkipNodesThatPlacementDoesNotKnow() {
        Fleet fleet = new Fleet();
        String host = fleet.name("ironic");
        for (String uuid : List.of(fleet.host("a", 4), UUID.randomUUID().toString())) {
            admin().body(Map.of("host", host, "nodename", uuid)).put("/v1/compute_nodes/" + uuid).then()
                    .statusCode(201);
        }
        JsonPath disabled = evaluate("{\"disable\": {\"all\": true}}", capacity(fleet.spec(2, "")));
        assertThat(disabled.getInt("before.capacity[0].count")).as(disabled.prettify()).isEqualTo(2);
        assertThat(disabled.getInt("after.capacity[0].count")).isZero();
    }

    /** This holds for every selector and every kind of change. */
    @Test
    void changesSkipNodesThatPlacementDoesNotKnow() {
        Fleet fleet = new Fleet();
        String host = fleet.name("ironic");
        for (String uuid : List.of(fleet.host("a", 4), UUID.randomUUID().toString())) {
            admin().body(Map.of("host", host, "nodename", uuid)).put("/v1/compute_nodes/" + uuid).then()
                    .statusCode(201);
        }
        register(fleet, "lost", UUID.randomUUID().toString());
        String lost = "{\"hosts\": [\"" + fleet.name("lost") + "\"]}";
        String aggregate = UUID.randomUUID().toString();
        admin().body(Map.of("name", fleet.name("agg"), "hosts", List.of(host, fleet.name("lost"))))
                .put("/v1/host_aggregates/" + aggregate).then().statusCode(202);
        Map<String, Integer> after = new LinkedHashMap<>();
        for (String selector : List.of(
                "{\"hosts\": [\"" + host + "\", \"" + fleet.name("lost") + "\"]}",
                "{\"trait\": \"" + fleet.trait() + "\"}", "{\"aggregate\": \"" + aggregate + "\"}")) {
            after.put("{\"disable\": " + selector + "}", 0);
            after.put("{\"remove\": " + selector + "}", 0);
            after.put("{\"inventory\": {\"hosts\": " + selector + ", \"resource_class\": \"VCPU\", \"total\": 2}}", 1);
            after.put("{\"traits\": {\"hosts\": " + selector + ", \"remove\": [\"" + fleet.trait() + "\"]}}", 0);
            after.put("{\"aggregate\": {\"uuid\": \"" + aggregate + "\", \"hosts\": " + selector + "}}", 2);
        }
        after.put("{\"aggregate\": {\"uuid\": \"" + aggregate + "\", \"hosts\": []}}", 2);
        after.put("{\"add\": {\"like\": \"" + host + "\", \"count\": 2}}", 6);
        after.put("{\"disable\": " + lost + "}, {\"remove\": " + lost + "}", 2);
        after.forEach((changes,
                count) -> assertThat(evaluate(changes, capacity(fleet.spec(2, ""))).getInt("after.capacity[0].count"))
                        .as(changes).isEqualTo(count));
        for (String nothing : List.of(
                "{\"inventory\": {\"hosts\": " + lost + ", \"resource_class\": \"VCPU\", \"total\": 2}}",
                "{\"traits\": {\"hosts\": " + lost + ", \"add\": [\"" + fleet.trait() + "\"]}}")) {
            postWhatIf(nothing, capacity(fleet.spec(2, ""))).then().statusCode(400)
                    .body("errors[0].detail",
                            containsString(".hosts.hosts: none of the hosts has a resource provider"));
        }
        postWhatIf("{\"add\": {\"like\": \"" + fleet.name("lost") + "\"}}", capacity(fleet.spec(2, ""))).then()
                .statusCode(400)
                .body("errors[0].detail", containsString("has no resource provider to be copied"));
    }

    /** Each lookup in placement is delayed, and the host has more instances than are looked up at once. */
    @Tag("long")
    @Test
    void stopsRemovingAHostWithManyInstancesAtTheDeadline() {
        Fleet fleet = new Fleet();
        register(fleet, "a", fleet.host("a", 4));
        List<String> instances = instances(600);
        instances.forEach(uuid -> admin().body(Map.of("host", fleet.name("a"))).put("/v1/instances/" + uuid).then()
                .statusCode(201));
        PackagedPlacement.proxy().rule(call -> call.startsWith("GET /allocations/") ? Fate.DELAYED : Fate.PASSED);
        try {
            admin()
                    .body("{\"changes\": [{\"remove\": {\"hosts\": [\"" + fleet.name("a") + "\"]}}], \"ask\": {"
                            + capacity(fleet.spec(1, "")) + "}, \"timeout_s\": 1}")
                    .post("/v1/what_if").then().statusCode(200)
                    .body("gaps", equalTo(
                            List.of("changes: time: the deadline passed before all changes were applied and the"
                                    + " hosts to drain were found")));
        } finally {
            PackagedPlacement.restore();
            instances.forEach(uuid -> admin().delete("/v1/instances/" + uuid).then().statusCode(204));
        }
    }

    @Test
    void aReplayUnderTheSameOptionsSelectsTheSameHosts() {
        Fleet fleet = new Fleet();
        register(fleet, "a", fleet.host("a", 4));
        register(fleet, "b", fleet.host("b", 4));
        String since = Instant.now().toString();
        for (int i = 0; i < 4; i++) {
            select(fleet.body(instances(1), "")).then().statusCode(200);
        }
        String replay = "\"replay\": {\"since\": \"" + since + "\", \"limit\": 100}";
        JsonPath same = evaluate("", replay);
        assertThat(same.getInt("after.replay.instances_placed")).as(same.prettify()).isEqualTo(4);
        assertThat(same.getInt("difference.replay.elsewhere")).isZero();
        JsonPath first = admin().body("{\"ask\": {" + replay.replace("\"limit\": 100", "\"limit\": 3") + "}}")
                .post("/v1/what_if").jsonPath();
        assertThat(first.getInt("after.replay.recorded")).as(first.prettify()).isEqualTo(3);
        assertThat(first.getList("gaps"))
                .isEqualTo(List.of("after: replay: records: the first 3 are replayed, and there are more"));
        assertThat(evaluate("{\"option\": {\"ram_weight_multiplier\": 1.0}}", replay)
                .getInt("difference.replay.elsewhere"))
                .isZero();
        JsonPath packed = evaluate(
                "{\"option\": {\"ram_weight_multiplier\": -1.0, \"cpu_weight_multiplier\": -1.0, "
                        + "\"disk_weight_multiplier\": -1.0}}",
                replay);
        assertThat(packed.getInt("before.replay.hosts_used")).isEqualTo(2);
        assertThat(packed.getInt("after.replay.hosts_used")).as(packed.prettify()).isEqualTo(1);
        assertThat(packed.getInt("difference.replay.elsewhere")).isEqualTo(2);
        assertThat(packed.getInt("after.replay.packing.empty_hosts"))
                .isEqualTo(packed.getInt("before.replay.packing.empty_hosts") + 1);
    }

    /** An evacuated instance holds allocations on both hosts until its old one returns. */
    @Test
    void removesAHostWithTheAllocationsOfAnEvacuatedInstance() {
        Fleet fleet = new Fleet();
        String dead = fleet.host("dead", 4);
        String left = fleet.host("left", 4);
        register(fleet, "dead", dead);
        register(fleet, "left", left);
        String since = Instant.now().toString();
        String instance = fleet.instanceOn("left");
        placement().body(Map.of(
                "allocations", Map.of(
                        dead, Map.of("resources", Fleet.amounts(1)), left, Map.of("resources", Fleet.amounts(1))),
                "consumer_generation", 1, "project_id", "p", "user_id", "u"))
                .put("/allocations/" + instance).then().statusCode(204);
        String replay = "\"replay\": {\"since\": \"" + since + "\", \"limit\": 1}";
        for (String gone : List.of("dead", "left")) {
            JsonPath result = evaluate("{\"remove\": {\"hosts\": [\"" + fleet.name(gone) + "\"]}}", replay);
            assertThat(result.getInt("before.replay.instances_placed")).as(result.prettify()).isEqualTo(1);
        }
        String gone = "{\"remove\": {\"hosts\": [\"" + fleet.name("dead") + "\"]}}";
        evaluate(gone + ", {\"instances\": {\"remove\": [\"" + instance + "\"]}}", capacity(fleet.spec(1, "")));
        String other = "{\"remove\": {\"hosts\": [\"" + fleet.name("left") + "\"]}}";
        assertThat(evaluate(other, capacity(fleet.spec(1, ""))).getInt("after.capacity[0].count"))
                .as("the instance's allocations on the other host are free as well").isEqualTo(4);
    }

    /** AggregateNumInstancesFilter uses the number that the node reports if it is larger. */
    @Test
    void subtractsRemovedInstancesFromTheNodesReport() {
        Fleet fleet = new Fleet();
        String uuid = fleet.host("a", 4);
        admin().body(Map.of("host", fleet.name("a"), "num_instances", 2)).put("/v1/compute_nodes/" + uuid).then()
                .statusCode(201);
        String gone = fleet.instanceOn("a");
        fleet.instanceOn("a");
        admin()
                .body(Map.of("name", fleet.name("agg"), "metadata", Map.of("max_instances_per_host", "2"),
                        "hosts", List.of(fleet.name("a"))))
                .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
        JsonPath fewer = evaluate("{\"instances\": {\"remove\": [\"" + gone + "\"]}}", capacity(fleet.spec(1, "")));
        assertThat(fewer.getInt("before.capacity[0].count")).isZero();
        assertThat(fewer.getInt("after.capacity[0].count")).as(fewer.prettify()).isEqualTo(1);
    }

    /** RamFilter uses the node's report, which does not know the changed total. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\"total_usable_ram_mb\": 1024, \"free_ram_mb\": 1024,"})
    void appliesAChangedTotalToTheNodesReportAsWell(String stated) {
        Fleet fleet = new Fleet();
        admin().body("""
                {"host": "%s", %s "inventories": {"VCPU": {"total": 4}, "DISK_GB": {"total": 100},
                 "MEMORY_MB": {"total": 1024, "reserved": 0, "max_unit": 8192}}}""".formatted(fleet.name("a"), stated))
                .put("/v1/compute_nodes/" + fleet.host("a", 2)).then().statusCode(201);
        awaitSync(fleet.name("a"));
        JsonPath more = evaluate(
                "{\"option\": {\"enabled_filters\": [\"RamFilter\"]}}, {\"inventory\": {\"hosts\": {\"hosts\": [\""
                        + fleet.name("a") + "\"]}, \"resource_class\": \"MEMORY_MB\", \"total\": 4096}}",
                capacity(fleet.spec(3, "")));
        assertThat(more.getInt("before.capacity[0].count")).isZero();
        assertThat(more.getInt("after.capacity[0].count")).as(more.prettify()).isEqualTo(1);
    }

    private static void awaitSync(String host) {
        eventually("placement has the host's inventories",
                () -> admin().get("/v1/placement_sync?host=" + host).<Integer>path("pending") == 0);
    }

    /** An administrator's allocation ratio does not change the number of CPUs, which limits a single instance. */
    @Test
    void reservingMoreDoesNotReduceTheHostsCpus() {
        Fleet fleet = new Fleet();
        String node = fleet.host("a", 2);
        admin().body("""
                {"host": "%s", "inventories": {"VCPU": {"total": 16}, "DISK_GB": {"total": 1000},
                 "MEMORY_MB": {"total": 16384}}}""".formatted(fleet.name("a")))
                .put("/v1/compute_nodes/" + node).then().statusCode(201);
        awaitSync(fleet.name("a"));
        JsonPath inventory = placement().get("/resource_providers/" + node + "/inventories/VCPU").jsonPath();
        Map<String, Object> ofAnAdmin = new HashMap<>(inventory.getMap(""));
        ofAnAdmin.put("allocation_ratio", 1.0);
        placement().body(ofAnAdmin).put("/resource_providers/" + node + "/inventories/VCPU").then().statusCode(200);
        JsonPath less = evaluate(
                "{\"option\": {\"enabled_filters\": [\"CoreFilter\"]}}, {\"inventory\": {\"hosts\": {\"hosts\": [\""
                        + fleet.name("a") + "\"]}, \"resource_class\": \"VCPU\", \"reserved\": 2}}",
                capacity(fleet.spec(6, "")));
        assertThat(less.getInt("before.capacity[0].count")).as(less.prettify()).isEqualTo(2);
        assertThat(less.getInt("after.capacity[0].count")).as(less.prettify()).isEqualTo(2);
    }

    @Test
    void evaluatesScenariosUnderOtherFilters() {
        Fleet fleet = new Fleet();
        register(fleet, "a", fleet.host("a", 4));
        admin()
                .body(Map.of("name", fleet.name("agg"), "metadata", Map.of("filter_tenant_id", "other"),
                        "hosts", List.of(fleet.name("a"))))
                .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
        JsonPath open = evaluate(
                "{\"option\": {\"enabled_filters\": [\"ComputeFilter\"]}}", capacity(fleet.spec(1, "")));
        assertThat(open.getInt("before.capacity[0].count")).isZero();
        assertThat(open.getInt("after.capacity[0].count")).isEqualTo(4);
    }

    /** One node is unknown to placement; the request for dedicated CPUs falls back to shared ones. */
    @Test
    void reportsWhyADrainIsStuck() {
        Fleet fleet = new Fleet();
        register(fleet, "a", fleet.host("a", 4));
        register(fleet, "b", fleet.host("b", 1));
        // With a single other host, the reason is worded differently.
        register(fleet, "c", fleet.host("c", 1));
        register(fleet, "lost", UUID.randomUUID().toString());
        String pinned =
                fleet.spec(2, "").replace("\"extra_specs\": {", "\"extra_specs\": {\"hw:cpu_policy\": \"dedicated\", ");
        select("{\"instance_uuids\": " + "[\"" + UUID.randomUUID() + "\"], \"request_spec\": " + pinned + "}")
                .then().statusCode(200);
        JsonPath drain = evaluate("", "\"drain\": {\"hosts\": [\"" + fleet.name("a") + "\"]}");
        assertThat(drain.getString("after.drain.instances[0].code")).as(drain.prettify()).isEqualTo("no_valid_host");
        assertThat(drain.getList("after.drain.instances[0].obstacles.by", String.class)).as(drain.prettify())
                .contains("resources=MEMORY_MB:1024", "resources=PCPU:2", "resources=VCPU:2");
        assertThat(drain.getString("after.drain.instances[0].reason")).startsWith("None of ");
    }

    /** Each query to placement is delayed, and no two requests share a query. */
    @Test
    void returnsPartialResultsAtTheDeadline() {
        Fleet fleet = new Fleet();
        fleet.host("a", 600);
        String many =
                IntStream.rangeClosed(1, 100).mapToObj(vcpus -> fleet.spec(vcpus, "")).collect(Collectors.joining(","));
        PackagedPlacement.proxy().rule(call -> Fate.DELAYED);
        try {
            JsonPath cut = admin().body("{\"ask\": {\"placements\": [" + many + "]}, \"timeout_s\": 1}")
                    .post("/v1/what_if").jsonPath();
            assertThat(cut.getBoolean("complete")).isFalse();
            assertThat(cut.getString("gaps[0]")).contains("placements: time:");
            assertThat(cut.getList("after.placements").size()).isLessThan(100);
        } finally {
            PackagedPlacement.restore();
        }
    }

    @Test
    void refusesInvalidScenarios() {
        Fleet fleet = new Fleet();
        String uuid = fleet.host("a", 4);
        register(fleet, "a", uuid);
        select(fleet.body(instances(3), "")).then().statusCode(200);
        String a = "{\"hosts\": [\"" + fleet.name("a") + "\"]}";
        String spec = fleet.spec(1, "");
        Map<String, String> wrong = new LinkedHashMap<>();
        wrong.put("{}", "$.changes[0]: must have exactly one of inventory");
        wrong.put("{\"disable\": {}}", "$.changes[0].disable: must have exactly one of hosts");
        wrong.put("{\"disable\": {\"hosts\": []}}", "$.changes[0].disable.hosts: must not be empty");
        wrong.put("{\"disable\": {\"all\": false}}", "$.changes[0].disable.all: must be true");
        wrong.put("{\"disable\": {\"zone\": \"" + fleet.name("z") + "\"}}",
                "$.changes[0].disable.zone: selects no host");
        wrong.put("{\"remove\": {\"aggregate\": \"" + UUID.randomUUID() + "\"}}",
                "$.changes[0].remove.aggregate: selects no host");
        wrong.put("{\"enable\": {\"trait\": \"CUSTOM_NOBODY_HAS\"}}",
                "$.changes[0].enable.trait: no trait CUSTOM_NOBODY_HAS");
        wrong.put("{\"disable\": " + a + "}, {\"enable\": " + a + "}",
                "$.changes[1].enable: contradicts $.changes[0].disable");
        wrong.put("{\"remove\": " + a + "}, {\"disable\": " + a + "}",
                "$.changes[1].disable.hosts[0]: host " + fleet.name("a") + " is removed by $.changes[0].remove");
        wrong.put("{\"inventory\": {\"hosts\": " + a + ", \"resource_class\": \"VCPU\", \"allocation_ratio\": 0.5}}",
                "$.changes[0].inventory.allocation_ratio: 0.5 leaves a capacity of 2");
        wrong.put("{\"inventory\": {\"hosts\": " + a + ", \"resource_class\": \"VCPU\", \"reserved\": 9}}",
                "$.changes[0].inventory.reserved: 9 reserves 9 of 4");
        wrong.put("{\"inventory\": {\"hosts\": " + a + ", \"resource_class\": \"VCPU\"}}",
                "$.changes[0].inventory: must set at least one of total");
        wrong.put("{\"inventory\": {\"hosts\": " + a + ", \"resource_class\": \"PCPU\", \"total\": 9}}",
                "$.changes[0].inventory.resource_class: none of the providers has an inventory of PCPU");
        wrong.put("{\"inventory\": {\"hosts\": " + a + ", \"resource_class\": \"VCPU\", \"total\": 9}}, "
                + "{\"inventory\": {\"hosts\": " + a + ", \"resource_class\": \"VCPU\", \"total\": 10}}",
                "$.changes[1].inventory.total: 10 contradicts $.changes[0].inventory");
        wrong.put("{\"traits\": {\"hosts\": " + a + "}}", "$.changes[0].traits: must have add or remove");
        wrong.put("{\"traits\": {\"hosts\": " + a + ", \"add\": [\"CUSTOM_NOBODY_HAS\"]}}",
                "$.changes[0].traits.add[0]: no trait CUSTOM_NOBODY_HAS");
        wrong.put("{\"add\": {\"like\": \"" + fleet.name("a") + "\", \"count\": 0}}",
                "$.changes[0].add.count: must be at least 1");
        wrong.put("{\"option\": {\"ram_weight\": 1}}", "$.changes[0].option.ram_weight: unknown option");
        wrong.put("{\"option\": {\"ram_weight_multiplier\": \"x\"}}",
                "$.changes[0].option.ram_weight_multiplier: must be a number");
        wrong.put("{\"option\": {\"enabled_filters\": [\"NoFilter\"]}}", "$.changes[0].option.enabled_filters: ");
        wrong.put("{\"option\": {\"ram_weight_multiplier\": 1}}, {\"option\": {\"ram_weight_multiplier\": 2}}",
                "$.changes[1].option.ram_weight_multiplier: contradicts $.changes[0].option");
        wrong.put("{\"instances\": {\"remove\": []}}", "$.changes[0].instances.remove: is required");
        wrong.put("{\"aggregate\": {\"uuid\": \"" + UUID.randomUUID() + "\"}}",
                "$.changes[0].aggregate: must have hosts or metadata");
        wrong.forEach((changes, detail) -> postWhatIf(changes, capacity(spec)).then().statusCode(400)
                .body("errors[0].detail", containsString(detail)));
        Map<String, String> absent = new LinkedHashMap<>();
        absent.put("{\"disable\": {\"hosts\": [\"" + fleet.name("a") + "\", \"unknown-host\"]}}",
                "$.changes[0].disable.hosts[1]: there is no host unknown-host");
        absent.put("{\"add\": {\"like\": \"unknown-host\"}}", "$.changes[0].add.like: there is no host unknown-host");
        absent.put("{\"aggregate\": {\"uuid\": \"" + UUID.randomUUID() + "\", \"hosts\": []}}",
                "$.changes[0].aggregate.uuid: there is no host aggregate");
        absent.put("{\"instances\": {\"remove\": [\"" + UUID.randomUUID() + "\"]}}",
                "$.changes[0].instances.remove[0]: there is no instance");
        absent.forEach((changes, detail) -> postWhatIf(changes, capacity(spec)).then().statusCode(404)
                .body("errors[0].detail", containsString(detail)));
        invalid("", "$.ask: must have at least one of");
        invalid("\"capacity\": []", "$.ask.capacity: is required and must not be empty");
        invalid("\"capacity\": [{}]", "$.ask.capacity[0].name: is required");
        invalid("\"placements\": [{}]", "$.ask.placements[0].flavor: is required");
        invalid("\"placements\": [" + fleet.spec(1, ", \"availability_zone\": \"nowhere\"") + "]",
                "$.ask.placements[0]: there is no");
        invalid("\"capacity\": [{\"name\": \"f\", \"request_spec\": "
                + fleet.spec(1, ", \"availability_zone\": \"nowhere\"") + "}]",
                "$.ask.capacity[0].request_spec: there is no");
        invalid("\"drain\": {\"hosts\": 1}", "$.ask.drain.hosts: must be a list");
        invalid("\"replay\": {\"limit\": 1001}", "$.ask.replay.limit: must be between 1 and 1000");
        invalid("\"replay\": {\"since\": \"yesterday\"}", "$.ask.replay.since: must be a time");
        invalid("\"drains\": {}", "$.ask.drains: unknown member");
        postWhatIf("", "\"drain\": {\"hosts\": [\"unknown-host\"]}").then().statusCode(404)
                .body("errors[0].detail", containsString("$.ask.drain.hosts[0]: there is no host unknown-host"));
        admin().body("{}").post("/v1/what_if").then().statusCode(400)
                .body("errors[0].detail", containsString("$.ask: is required"));
        String many = String.join(",", Collections.nCopies(10_001, "{}"));
        postWhatIf(many, capacity(spec)).then().statusCode(413)
                .body("errors[0].detail", containsString("$.changes: has more than 10000 elements"));
        postWhatIf("", "\"placements\": [" + many.replace("{}", "{\"flavor\": {}}") + "]").then().statusCode(413);
        postWhatIf("", "\"capacity\": [" + many + "]").then().statusCode(413);
        postWhatIf("{\"add\": {\"like\": \"x\", \"count\": 10001}}", capacity(spec)).then().statusCode(413);
        String adds = String.join(",", Collections.nCopies(3, "{\"add\": {\"like\": \"x\", \"count\": 4000}}"));
        postWhatIf(adds, capacity(spec)).then().statusCode(413)
                .body("errors[0].detail", containsString("hosts are added: 12000"));
    }

    private static void invalid(String query, String detail) {
        postWhatIf("", query).then().statusCode(400).body("errors[0].detail", containsString(detail));
    }

    @Test
    void forecastsMatchTheResultsOfRealChanges() {
        Set<String> kinds = new TreeSet<>();
        for (long i = 0; i < CLOUDS; i++) {
            new Cloud(SEED + i).check(kinds);
        }
        assertThat(kinds).isNotEmpty();
        if (CLOUDS >= 100) {
            assertThat(kinds).contains(
                    "inventory", "disable", "enable", "remove", "add", "traits", "aggregate", "instances");
        }
    }

    /** A few random hosts with instances, random changes, and a random flavor. */
    private static final class Cloud {
        private final long seed;
        private final Random random;
        private final Fleet fleet = new Fleet();
        private final String pool = UUID.randomUUID().toString();
        private final String other =
                "CUSTOM_O" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
        private final boolean sharedDisk;
        private final boolean nested;
        private final Map<String, Host> hosts = new LinkedHashMap<>();
        private final Map<String, Map<String, Object>> aggregates = new LinkedHashMap<>();
        private final Map<String, String> placed = new LinkedHashMap<>();
        private final Set<String> gone = new LinkedHashSet<>();
        private final Set<String> touched = new LinkedHashSet<>();
        private final List<Runnable> realChanges = new ArrayList<>();
        private final List<String> changes = new ArrayList<>();
        private final int vcpus;

        /** @param service null if the host has no service */
        private record Host(String name, String uuid, boolean registered, String service, List<String> children) {}

        Cloud(long seed) {
            this.seed = seed;
            this.random = new Random(new SplittableRandom(seed).nextLong());
            sharedDisk = random.nextInt(4) == 0;
            nested = random.nextInt(4) == 0;
            vcpus = 1 + random.nextInt(2);
            placement().put("/traits/" + other).then().statusCode(201);
            if (sharedDisk) {
                Providers.add(pool, fleet.name("pool"), null, Map.of("DISK_GB", inventory(2 + random.nextInt(20))),
                        List.of("MISC_SHARES_VIA_AGGREGATE"));
                Providers.join(pool, List.of(pool));
            }
            for (int i = 2 + random.nextInt(3); i > 0; i--) {
                host("h" + i);
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                List<String> some = hosts.keySet().stream().filter(name -> random.nextBoolean()).toList();
                aggregate(UUID.randomUUID().toString(), fleet.name("agg" + i), metadata(), some, 201);
            }
        }

        private Map<String, String> metadata() {
            return switch (random.nextInt(4)) {
                case 0 -> Map.of("availability_zone", fleet.name("zone"));
                case 1 -> Map.of("filter_tenant_id", random.nextBoolean() ? fleet.name("p") : "other");
                case 2 -> Map.of("max_instances_per_host", "" + (1 + random.nextInt(4)));
                default -> Map.of();
            };
        }

        private void aggregate(String uuid, String name, Map<String, String> metadata, List<String> members,
                int status) {
            Map<String, Object> body = new HashMap<>(Map.of("name", name, "metadata", metadata, "hosts", members));
            aggregates.put(uuid, body);
            admin().body(body).put("/v1/host_aggregates/" + uuid).then().statusCode(status);
        }

        private Map<String, Object> inventory(int total) {
            Map<String, Object> inventory = new HashMap<>(Map.of("total", total));
            if (random.nextInt(3) == 0) {
                inventory.put("allocation_ratio", List.of(1.5, 2.0).get(random.nextInt(2)));
            }
            if (random.nextInt(4) == 0) {
                inventory.put("reserved", random.nextInt(total));
            }
            return inventory;
        }

        private void host(String suffix) {
            Map<String, Object> inventories = new HashMap<>();
            inventories.put("VCPU", inventory(3 + random.nextInt(10)));
            inventories.put("MEMORY_MB", inventory(1024 * (2 + random.nextInt(6))));
            if (!sharedDisk) {
                inventories.put("DISK_GB", inventory(10 + random.nextInt(60)));
            }
            List<Map<String, ?>> children = new ArrayList<>();
            for (int i = nested ? 1 + random.nextInt(2) : 0; i > 0; i--) {
                children.add(Map.of("SRIOV_NET_VF", inventory(1 + random.nextInt(5))));
            }
            List<String> traits = random.nextInt(6) == 0 ? List.of() : List.of(fleet.trait());
            make(fleet.name(suffix), inventories, children, traits, random.nextInt(4) > 0, random.nextInt(3) > 0);
        }

        private Host make(
                String name, Map<String, ?> inventories, List<? extends Map<String, ?>> children, List<String> traits,
                boolean registered, boolean served) {
            String uuid = UUID.randomUUID().toString();
            Providers.add(uuid, name, null, inventories, traits);
            if (sharedDisk) {
                Providers.join(uuid, List.of(pool));
            }
            List<String> childUuids = new ArrayList<>();
            for (Map<String, ?> child : children) {
                childUuids.add(UUID.randomUUID().toString());
                Providers.add(childUuids.getLast(), name + "-" + childUuids.size(), uuid, child, List.of());
            }
            if (registered) {
                admin().body(Map.of("host", name)).put("/v1/compute_nodes/" + uuid).then().statusCode(201);
            }
            String service = registered && served ? UUID.randomUUID().toString() : null;
            if (service != null) {
                admin().body(Map.of("host", name, "disabled", random.nextInt(4) == 0)).put("/v1/services/" + service)
                        .then().statusCode(201);
            }
            Host made = new Host(name, uuid, registered, service, childUuids);
            hosts.put(name, made);
            return made;
        }

        private String spec() {
            String extra = nested ? ", \"resources1:SRIOV_NET_VF\": \"1\"" : "";
            return """
                    {"project_id": "%s", "user_id": "u",
                      "flavor": {"id": 1, "name": "f", "vcpus": %d, "memory_mb": %d, "root_gb": %d,
                                 "extra_specs": {"trait:%s": "required"%s}}}"""
                    .formatted(fleet.name("p"), vcpus, 256 * (1 + random.nextInt(3)), random.nextInt(3), fleet.trait(),
                            extra);
        }

        /** The host of the instance; null if there was none. */
        private String place(String spec) {
            String uuid = instances(1).getFirst();
            Response response = select("{\"instance_uuids\": [\"" + uuid + "\"], \"request_spec\": " + spec + "}");
            assertThat(response.statusCode()).as(response.asString()).isIn(200, 409);
            String host = response.statusCode() == 200 ? response.path("selections[0][0].host") : null;
            if (host != null) {
                placed.put(uuid, host);
            }
            return host;
        }

        void check(Set<String> kinds) {
            String spec = spec();
            for (int i = random.nextInt(4); i > 0; i--) {
                place(spec());
            }
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                change(kinds);
            }
            String wanted = spec();
            String queries = capacity(spec) + ", \"placements\": [" + wanted + "," + spec + "," + wanted + "]";
            settle();
            String changeList = String.join(", ", changes);
            Response[] forecast = new Response[1];
            eventually("the forecast is complete", () -> {
                forecast[0] = postWhatIf(changeList, queries);
                return forecast[0].statusCode() != 200 || forecast[0].jsonPath().getBoolean("complete");
            });
            String about = "seed " + seed + ": " + changeList + forecast[0].asPrettyString();
            if (forecast[0].statusCode() != 200) {
                // The real APIs refuse such a change as well, for example a capacity below what is used.
                assertThat(forecast[0].statusCode()).as(about).isEqualTo(400);
                assertThat(forecast[0].asString()).as(about)
                        .containsAnyOf("leaves a capacity", "reserves", "selects no host",
                                "contradicts", "is removed by", "none of the hosts has", "none of the providers has");
                return;
            }
            JsonPath result = forecast[0].jsonPath();
            JsonPath now = CapacityIT.count(spec, ", \"by\": [\"host\"]");
            assertThat(result.getInt("before.capacity[0].count")).as(about).isEqualTo(now.getInt("requests[0].count"));
            realChanges.forEach(Runnable::run);
            settle();
            JsonPath then = CapacityIT.count(spec, ", \"by\": [\"host\"]");
            assertThat(then.getInt("requests[0].count")).as(about + then.prettify())
                    .isEqualTo(result.getInt("after.capacity[0].count"));
            assertThat(new TreeMap<>(then.getMap("requests[0].by.host"))).as(about)
                    .isEqualTo(new TreeMap<>(result.getMap("after.capacity[0].by.host")));
            for (int i = 0; i < 3; i++) {
                String host = place(i == 1 ? spec : wanted);
                assertThat(host).as(about + " placement " + i)
                        .isEqualTo(result.getString("after.placements[" + i + "].hosts[0].host"));
            }
        }

        private void settle() {
            for (String host : hosts.keySet()) {
                for (String name : List.of(host, host + "-like-1", host + "-like-2")) {
                    eventually("placement matches the registry for " + name,
                            () -> admin().get("/v1/placement_sync?host=" + name).<Integer>path("pending") == 0);
                }
            }
        }

        private List<String> some() {
            List<String> left =
                    hosts.keySet().stream().filter(name -> !gone.contains(name)).collect(Collectors.toList());
            Collections.shuffle(left, random);
            return left.subList(0, Math.min(left.size(), 1 + random.nextInt(2)));
        }

        private static String named(List<String> names) {
            return "{\"hosts\": [\"" + String.join("\", \"", names) + "\"]}";
        }

        /** Each host gets at most one change of a kind, because changes must not contradict each other. */
        private void change(Set<String> kinds) {
            List<String> some = some();
            String kind = List.of("inventory", "disable", "enable", "remove", "add", "traits", "aggregate", "instances")
                    .get(random.nextInt(8));
            if (some.isEmpty()
                    || some.stream().anyMatch(name -> !touched.add(kind.replace("enable", "disable") + name))) {
                return;
            }
            int before = changes.size();
            switch (kind) {
                case "inventory" -> changeInventory(some);
                case "disable", "enable" -> {
                    boolean disabled = kind.equals("disable");
                    changes.add("{\"" + kind + "\": " + named(some) + "}");
                    realChanges.add(() -> some.forEach(name -> serve(hosts.get(name), disabled)));
                }
                // Adding and removing are not combined: an added tree may take the position of a removed one, and then
                // the order of two equal hosts is not predictable.
                case "remove" -> {
                    if (touched.add("coming or going")) {
                        remove(some.getFirst());
                    }
                }
                case "add" -> {
                    if (touched.add("coming or going")) {
                        add(some.getFirst());
                    }
                }
                case "traits" -> traits(some);
                case "aggregate" -> changeAggregate(some);
                default -> removeInstances();
            }
            if (changes.size() > before) {
                kinds.add(kind);
            }
        }

        private void changeInventory(List<String> some) {
            String name = List.of("VCPU", "MEMORY_MB").get(random.nextInt(2));
            String member = List.of("allocation_ratio", "reserved", "total", "max_unit").get(random.nextInt(4));
            Number value = switch (member) {
                case "allocation_ratio" -> List.of(1.0, 1.5, 3.0).get(random.nextInt(3));
                case "reserved" -> random.nextInt(3);
                case "total" -> name.equals("VCPU") ? 4 + random.nextInt(16) : 1024 * (2 + random.nextInt(8));
                default -> name.equals("VCPU") ? 1 + random.nextInt(3) : 512 * (1 + random.nextInt(3));
            };
            changes.add("{\"inventory\": {\"hosts\": %s, \"resource_class\": \"%s\", \"%s\": %s}}"
                    .formatted(named(some), name, member, value));
            realChanges.add(() -> some.forEach(host -> {
                String path = "/resource_providers/" + hosts.get(host).uuid() + "/inventories/" + name;
                Providers.written(() -> {
                    Map<String, Object> inventory = new HashMap<>(placement().get(path).jsonPath().getMap(""));
                    inventory.put(member, value);
                    return placement().body(inventory).put(path);
                }).then().statusCode(200);
            }));
        }

        private static void serve(Host host, boolean disabled) {
            if (host.service() != null) {
                admin().body(Map.of("host", host.name(), "disabled", disabled)).put("/v1/services/" + host.service())
                        .then().statusCode(200);
            } else if (disabled) {
                admin().body(Map.of("host", host.name(), "disabled", true)).put("/v1/services/" + UUID.randomUUID())
                        .then().statusCode(201);
            }
        }

        private void remove(String name) {
            if (touched.stream().anyMatch(each -> !each.startsWith("remove") && each.endsWith(name))) {
                return;
            }
            gone.add(name);
            changes.add("{\"remove\": " + named(List.of(name)) + "}");
            Host host = hosts.get(name);
            realChanges.add(() -> {
                List.copyOf(placed.keySet()).stream().filter(uuid -> name.equals(placed.get(uuid)))
                        .forEach(this::delete);
                if (host.service() != null) {
                    admin().delete("/v1/services/" + host.service()).then().statusCode(204);
                }
                if (host.registered()) {
                    admin().delete("/v1/compute_nodes/" + host.uuid()).then().statusCode(204);
                }
                host.children()
                        .forEach(child -> placement().delete("/resource_providers/" + child).then().statusCode(204));
                placement().delete("/resource_providers/" + host.uuid()).then().statusCode(204);
            });
        }

        private void delete(String instance) {
            admin().delete("/v1/instances/" + instance).then().statusCode(204);
            placement().delete("/allocations/" + instance).then();
            placed.remove(instance);
        }

        private void removeInstances() {
            List<String> there = placed.keySet().stream()
                    .filter(uuid -> !gone.contains(placed.get(uuid)) && touched.add("left" + uuid))
                    .limit(2)
                    .toList();
            if (!there.isEmpty()) {
                changes.add("{\"instances\": {\"remove\": [\"" + String.join("\", \"", there) + "\"]}}");
                there.forEach(uuid -> touched.add("remove" + placed.get(uuid)));
                realChanges.add(() -> there.forEach(this::delete));
            }
        }

        private void add(String like) {
            int count = 1 + random.nextInt(2);
            boolean zoned = random.nextInt(3) == 0;
            String zone = random.nextBoolean() ? fleet.name("zone") : fleet.name("zone-new");
            changes.add("{\"add\": {\"like\": \"%s\", \"count\": %d%s}}"
                    .formatted(like, count, zoned ? ", \"zone\": \"" + zone + "\"" : ""));
            Host original = hosts.get(like);
            touched.add("disable" + like);
            touched.add("inventory" + like);
            touched.add("traits" + like);
            realChanges.add(() -> {
                for (int i = 1; i <= count; i++) {
                    copy(original, like + "-like-" + i, zoned ? zone : null);
                }
            });
        }

        private void copy(Host original, String name, String zone) {
            List<Map<String, Map<String, Object>>> children = new ArrayList<>();
            original.children().forEach(child -> children.add(inventories(child)));
            List<String> traits = new ArrayList<>(
                    placement().get("/resource_providers/" + original.uuid() + "/traits").jsonPath().getList("traits"));
            traits.remove("COMPUTE_STATUS_DISABLED");
            String uuid = UUID.randomUUID().toString();
            Providers.add(uuid, name, null, inventories(original.uuid()), traits);
            if (sharedDisk) {
                Providers.join(uuid, List.of(pool));
            }
            for (int i = 0; i < children.size(); i++) {
                Providers.add(UUID.randomUUID().toString(), name + "-" + i, uuid, children.get(i), List.of());
            }
            if (original.registered()) {
                admin().body(Map.of("host", name)).put("/v1/compute_nodes/" + uuid).then().statusCode(201);
            }
            if (original.service() != null) {
                admin().body(Map.of("host", name)).put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
            }
            boolean isIn = false;
            for (String each : List.copyOf(aggregates.keySet())) {
                Map<String, Object> body = aggregates.get(each);
                List<String> members = members(body);
                Map<String, String> metadata = metadata(body);
                String stated = metadata.get("availability_zone");
                boolean joins =
                        members.contains(original.name()) && (zone == null || stated == null || stated.equals(zone));
                if (joins) {
                    join(each, body, members, metadata, name);
                    isIn |= zone != null && zone.equals(stated);
                }
            }
            if (zone == null || isIn) {
                return;
            }
            for (String each : new TreeSet<>(aggregates.keySet().stream().map(UUID::fromString).toList()).stream()
                    .map(UUID::toString).toList()) {
                Map<String, Object> body = aggregates.get(each);
                List<String> members = members(body);
                Map<String, String> metadata = metadata(body);
                if (zone.equals(metadata.get("availability_zone"))) {
                    join(each, body, members, metadata, name);
                    return;
                }
            }
            aggregate(UUID.randomUUID().toString(), zone, Map.of("availability_zone", zone), List.of(name), 201);
        }

        private void join(
                String uuid, Map<String, Object> body, List<String> members, Map<String, String> metadata,
                String name) {
            List<String> more = new ArrayList<>(members);
            more.add(name);
            aggregate(uuid, (String) body.get("name"), metadata, more, 200);
        }

        private static Map<String, Map<String, Object>> inventories(String provider) {
            return placement().get("/resource_providers/" + provider + "/inventories").jsonPath().getMap("inventories");
        }

        private void traits(List<String> some) {
            boolean adds = random.nextBoolean();
            changes.add("{\"traits\": {\"hosts\": %s, \"%s\": [\"%s\"], \"%s\": [\"%s\"]}}".formatted(
                    named(some), adds ? "add" : "remove", fleet.trait(), adds ? "remove" : "add", other));
            realChanges.add(() -> some.forEach(name -> {
                String path = "/resource_providers/" + hosts.get(name).uuid() + "/traits";
                Providers.written(() -> {
                    JsonPath is = placement().get(path).jsonPath();
                    Set<String> traits = new TreeSet<>(is.getList("traits"));
                    traits.removeAll(List.of(fleet.trait(), other));
                    traits.add(adds ? fleet.trait() : other);
                    return placement()
                            .body(Map.of(
                                    "resource_provider_generation", is.getInt("resource_provider_generation"), "traits",
                                    traits))
                            .put(path);
                }).then().statusCode(200);
            }));
        }

        private void changeAggregate(List<String> some) {
            if (aggregates.isEmpty() || !touched.add("aggregates")) {
                return;
            }
            String uuid = aggregates.keySet().iterator().next();
            String name = (String) aggregates.get(uuid).get("name");
            if (random.nextBoolean()) {
                Map<String, String> metadata = metadata();
                String stated = metadata.entrySet().stream()
                        .map(each -> "\"" + each.getKey() + "\": \"" + each.getValue() + "\"")
                        .collect(Collectors.joining(", ", "{", "}"));
                changes.add("{\"aggregate\": {\"uuid\": \"" + uuid + "\", \"metadata\": " + stated + "}}");
                realChanges.add(() -> aggregate(uuid, name, metadata, members(aggregates.get(uuid)), 200));
            } else {
                changes.add("{\"aggregate\": {\"uuid\": \"" + uuid + "\", \"hosts\": " + named(some) + "}}");
                realChanges.add(() -> aggregate(uuid, name, metadata(aggregates.get(uuid)), some, 200));
            }
        }

        @SuppressWarnings("unchecked")
        private static List<String> members(Map<String, Object> aggregate) {
            return (List<String>) aggregate.get("hosts");
        }

        @SuppressWarnings("unchecked")
        private static Map<String, String> metadata(Map<String, Object> aggregate) {
            return (Map<String, String>) aggregate.get("metadata");
        }
    }
}
