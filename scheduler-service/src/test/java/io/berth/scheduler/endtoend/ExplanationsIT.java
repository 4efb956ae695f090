package io.berth.scheduler.endtoend;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Seed;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explanations of why a host is not selected: each cause is reported with its values, and the proposed changes admit
 * the host once they are made.
 */
@Tag("process")
class ExplanationsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REFUSALS = Integer.getInteger("berth.test.refusals", 4);
    private static final int PAIRS = Integer.getInteger("berth.test.pairs", 6);
    private static final String OPTIONS = """
            [DEFAULT]
            service_down_time = 86400
            [filter_scheduler]
            enabled_filters = ComputeFilter, ComputeCapabilitiesFilter, ImagePropertiesFilter, AvailabilityZoneFilter,
                AggregateInstanceExtraSpecsFilter, AggregateMultiTenancyIsolation, AggregateTypeAffinityFilter,
                AggregateNumInstancesFilter, AggregateIoOpsFilter, JsonFilter, TrustedFilter, DifferentHostFilter,
                SameHostFilter, RetryFilter, AggregateImagePropertiesIsolation, ServerGroupAffinityFilter, ServerGroupAntiAffinityFilter,
                NUMATopologyFilter, PciPassthroughFilter
            [pci]
            alias = {"name": "gpu", "vendor_id": "10de", "product_id": "10d8"}
            """;

    private static Region region;

    @BeforeAll
    static void start() {
        region = Region.start(1, OPTIONS);
        Cause.prepare(region);
    }

    @AfterAll
    static void stop() {
        region.close();
    }

    private static JsonNode explain(ObjectNode request, String... hosts) {
        ObjectNode body = JSON.createObjectNode();
        body.put("timeout_s", 60).set("request_spec", request);
        if (hosts.length > 0) {
            ArrayNode named = body.putArray("hosts");
            List.of(hosts).forEach(named::add);
        }
        return read(region.scheduler(0).body(body.toString()).post("/v1/explanations"));
    }

    private static JsonNode read(Response response) {
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        try {
            return JSON.readTree(response.asString());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> codes(JsonNode host) {
        List<String> codes = new ArrayList<>();
        host.path("obstacles").forEach(each -> codes.add(
                each.path("by").asText() + " " + each.path("code").asText() + " " + each.path("wanted") + " "
                        + each.path("had")));
        return codes;
    }

    private static JsonNode explained(Scene scene) {
        return explain(scene.request, scene.host).path("hosts").get(0);
    }

    @Test
    void namesTheChosenHostAndTheWeighersThatRankIt() {
        Scene narrow = new Scene(region, "narrow");

        JsonNode response = explain(narrow.request, "narrow", "free");

        JsonNode admissible = response.path("hosts").get(0);
        assertThat(admissible.path("verdict").asText()).as(response.toString()).isEqualTo("admissible");
        assertThat(admissible.path("rank").asInt()).isGreaterThan(1);
        assertThat(admissible.path("behind").findValuesAsText("by")).contains("RAMWeigher", "CPUWeigher");
        assertThat(admissible.path("behind").get(0).path("best_score").asDouble())
                .isGreaterThan(admissible.path("behind").get(0).path("score").asDouble());
        assertThat(codes(admissible)).isEmpty();
        assertThat(admissible.has("admitted_by")).isFalse();
        JsonNode chosen = response.path("hosts").get(1);
        assertThat(chosen.path("verdict").asText()).isEqualTo("chosen");
        assertThat(chosen.path("rank").asInt()).isEqualTo(1);
        assertThat(codes(chosen)).isEmpty();
        assertThat(response.path("complete").asBoolean()).as(response.toString()).isTrue();
        assertThat(response.path("as_of").path("fleet_version").isIntegralNumber()).isTrue();
        JsonNode forTenants = read(region.scheduler(0)
                .body("{\"request_spec\": " + Scene.request(8, 512) + "}")
                .post("/v1/explanations?detail=tenant"));
        assertThat(forTenants.toString()).doesNotContain("narrow").contains("resources=VCPU:8");
    }

    @Test
    void tenantsDoNotSeeTheForcedHost() {
        Scene scene = new Scene(region, "asked-for");
        scene.request.putArray("force_hosts").add(scene.host);

        JsonNode forTenants = read(region.scheduler(0)
                .body("{\"request_spec\": " + scene.request + "}").post("/v1/explanations?detail=tenant"));

        assertThat(forTenants.path("obstacles").findValuesAsText("by")).contains("in_tree");
        assertThat(forTenants.toString()).doesNotContain(scene.uuid, scene.host);
    }

    @ParameterizedTest
    @EnumSource
    void reportsTheObstaclesOfEachCause(Cause cause) {
        Scene scene = new Scene(region, "only-" + cause);
        cause.spoil(scene);

        assertThat(codes(explained(scene))).containsExactlyInAnyOrderElementsOf(cause.codes(scene));
    }

    /** {@code -Dberth.test.pairs} sets the number of pairs. */
    @Test
    void reportsTheObstaclesOfTwoCausesTogether() {
        long seed = Seed.of(ExplanationsIT.class);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PAIRS; i++) {
            Cause one;
            Cause other;
            do {
                one = any(random);
                other = any(random);
            } while (!one.goesWith(other));
            Scene scene = new Scene(region, "pair-" + i);
            one.spoil(scene);
            other.spoil(scene);
            List<String> expected = new ArrayList<>(one.codes(scene));
            expected.addAll(other.codes(scene));

            assertThat(codes(explained(scene))).as("seed %d, %s and %s", seed, one, other)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static Cause any(SplittableRandom random) {
        return Cause.values()[random.nextInt(Cause.values().length)];
    }

    @Test
    void returnsTheHostsThatNeedTheFewestChanges() {
        List<String> near = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Scene scene = new Scene(region, "needy-" + i);
            scene.trait(scene.uuid, "CUSTOM_NEEDY");
            if (i % 3 == 0) {
                near.add(scene.host);
            } else {
                scene.service("forced_down", true);
                scene.aggregate("filter_tenant_id", "other");
            }
        }
        Scene template = new Scene(region, "needy");
        template.spec("trait:CUSTOM_NEEDY", "required");
        template.flavor().put("vcpus", 8);
        region.placement().delete("/resource_providers/" + template.uuid).then().statusCode(204);

        JsonNode response = explain(template.request);

        List<String> hosts = response.path("hosts").findValuesAsText("host");
        assertThat(hosts).hasSize(5).containsAll(near);
        assertThat(response.path("complete").asBoolean()).as(response.toString()).isTrue();
    }

    /** No other host has this many VCPUs. */
    @Test
    void anUnregisteredHostMayBeTheNearest() {
        Scene scene = new Scene(region, "registered");
        String unregistered = UUID.randomUUID().toString();
        scene.provider(unregistered, "unregistered", null, Map.of(
                "VCPU", Map.of("total", 5_000), "MEMORY_MB", Map.of("total", 8192), "DISK_GB", Map.of("total", 100)));
        scene.flavor().put("vcpus", 4_000);
        scene.spec("trait:CUSTOM_NOBODYS", "required");

        JsonNode hosts = explain(scene.request).path("hosts");

        region.placement().delete("/resource_providers/" + unregistered).then().statusCode(204);
        assertThat(hosts.get(0).path("host").asText()).as(hosts.toString()).isEqualTo("unregistered");
        assertThat(codes(hosts.get(0)))
                .containsExactly("required=CUSTOM_NOBODYS trait_missing [\"CUSTOM_NOBODYS\"] []");
    }

    @Test
    void reportsAHostThatPlacementDoesNotKnow() {
        Scene lost = new Scene(region, "lost");
        region.placement().delete("/resource_providers/" + lost.uuid).then().statusCode(204);

        JsonNode hosts = explain(Scene.request(1, 1), "lost", "free").path("hosts");

        assertThat(codes(hosts.get(0))).containsExactly("provider no_provider  ");
        assertThat(hosts.get(1).path("verdict").asText()).isEqualTo("chosen");
    }

    /** Placement may not know one of several nodes of a service. */
    @Test
    void proposesToEnableAServiceWithANodeUnknownToPlacement() {
        Scene scene = new Scene(region, "half");
        region.scheduler(0).body(Map.of("host", scene.host, "nodename", "half-lost"))
                .put("/v1/compute_nodes/" + UUID.randomUUID()).then().statusCode(201);
        scene.service("disabled", true);

        JsonNode hosts = explain(scene.request, scene.host).path("hosts");

        assertThat(hosts.findValuesAsText("change")).as(hosts.toString()).contains("enable_service");
    }

    @Test
    void namesTheInstancesThatWouldHaveToLeave() {
        Scene scene = new Scene(region, "crowded");
        String large = scene.instance(60);
        scene.instance(25);
        scene.instance(15);
        scene.flavor().put("root_gb", 50);

        JsonNode host = explained(scene);

        JsonNode sets = host.path("admitted_by");
        JsonNode last = sets.get(sets.size() - 1).get(0);
        assertThat(sets.findValuesAsText("instance")).as(host.toString()).contains(large);
        assertThat(last.path("change").asText()).as("sets that move instances come last: %s", host).isEqualTo("free");
        assertThat(last.path("instance").asText()).isEqualTo(large);
        assertThat(last.path("frees").path(scene.uuid).path("DISK_GB").asInt()).isEqualTo(60);
        assertThat(last.path("warning").asText()).contains("the instance runs on the host");
        assertThat(last.path("call").path("path").asText()).isEqualTo("/v1/moves");
        assertThat(sets.findValuesAsText("method")).doesNotContain("DELETE");
    }

    /** The instance of the request has been placed since the refusal. */
    @Test
    void reportsThatTheInstanceHasBeenPlaced() {
        Scene scene = new Scene(region, "placed-since");
        String instance = scene.instance(1);
        scene.flavor().put("vcpus", 9);
        scene.request.put("instance_uuid", instance);

        JsonNode placed = explain(scene.request, scene.host).path("placed");

        assertThat(placed).hasSize(1);
        assertThat(placed.get(0).path("instance").asText()).isEqualTo(instance);
        assertThat(placed.get(0).path("host").asText()).isEqualTo(scene.host);
    }

    @Test
    void marksChangesBeyondTheHardware() {
        Scene scene = new Scene(region, "beyond");
        scene.flavor().put("vcpus", 8);

        JsonNode sets = explained(scene).path("admitted_by");

        sets.forEach(set -> set.forEach(change -> assertThat(change.has("beyond")).as(change.toString())
                .isEqualTo(change.path("change").asText().equals("allocation_ratio"))));
        assertThat(sets.get(0).get(0).path("change").asText()).as("%s", sets).isEqualTo("request");
    }

    /** Enabling the host removes the trait of disabled hosts; the later write of traits must not restore it. */
    @Test
    void addingATraitAfterEnablingTheHostKeepsItEnabled() {
        Scene scene = new Scene(region, "enabled-first");
        scene.service("disabled", true);
        scene.spec("trait:CUSTOM_FAST", "required");
        JsonNode sets = explained(scene).path("admitted_by");
        JsonNode set = sets.valueStream()
                .filter(each -> each.findValuesAsText("change").contains("add_trait")).findFirst().orElseThrow();
        assertThat(set.findValuesAsText("change").getFirst()).as("%s", sets).isEqualTo("enable_service");

        assertThat(set.get(1).path("call").path("body").path("traits").toString())
                .doesNotContain("COMPUTE_STATUS_DISABLED");
    }

    /** The step size is 3 and 5 are free: 4 would be refused as no multiple. */
    @Test
    void proposesTheLargestAmountThatTheInventoryAllows() {
        Scene scene = new Scene(region, "in-steps");
        scene.inventory("DISK_GB", Map.of("total", 5, "step_size", 3));
        scene.flavor().put("root_gb", 6);

        JsonNode sets = explained(scene).path("admitted_by");

        JsonNode less = sets.valueStream()
                .filter(set -> set.get(0).path("path").asText().equals("/flavor/root_gb")).findFirst().orElseThrow();
        assertThat(less).as("%s", sets).hasSize(1);
        assertThat(less.get(0).path("to").asInt()).isEqualTo(3);
    }

    @Test
    void proposesToOmitDedicatedCpus() {
        Scene scene = new Scene(region, "no-pcpu");
        scene.report("numa_topology", """
                {"cells": [{"id": 0, "cpuset": [0, 1, 2, 3], "pcpuset": [], "memory": 8192, "siblings": [[0], [1], [2], [3]],
                            "mempages": [{"size_kb": 4, "total": 2097152}]}]}""");
        scene.spec("hw:cpu_policy", "dedicated");
        scene.spec("hw:cpu_thread_policy", "isolate");

        JsonNode host = explained(scene);

        assertThat(host.path("admitted_by").get(0).get(0).path("without").toString())
                .as("%s", host).contains("hw:cpu_policy", "hw:cpu_thread_policy");
    }

    /** The request group has two demands, but its omission is a single change. */
    @Test
    void proposesToOmitAWholeRequestGroup() {
        Scene scene = new Scene(region, "no-group");
        scene.card("card", scene.uuid, "CUSTOM_PORT", 1);
        scene.spec("resources1:CUSTOM_PORT", "4");
        scene.spec("trait1:CUSTOM_FAST", "required");

        JsonNode host = explained(scene);

        JsonNode first = host.path("admitted_by").get(0);
        assertThat(first).as("%s", host).hasSize(1);
        assertThat(first.get(0).path("without")).hasSize(2);
    }

    /** The host is both ignored and not among the forced hosts. */
    @Test
    void reportsAllHostRestrictionsOfTheRequest() {
        Scene scene = new Scene(region, "twice-out");
        scene.request.putArray("ignore_hosts").add(scene.host);
        scene.request.putArray("force_hosts").add("free");

        assertThat(codes(explained(scene))).contains(
                "ignore_hosts ignored [\"!twice-out\"] [\"twice-out\"]",
                "force_hosts host_not_forced [\"free\"] [\"twice-out\"]");
    }

    /** Filters see only the hosts that placement offers; the refusal lists and counts the other ones as well. */
    @Test
    void aRefusalReportsTheObstaclesOfBothPhases() {
        Scene down = new Scene(region, "both-down");
        down.trait(down.uuid, "CUSTOM_BOTH");
        down.service("forced_down", true);
        Scene small = new Scene(region, "both-small");
        small.trait(small.uuid, "CUSTOM_BOTH");
        small.inventory("MEMORY_MB", Map.of("total", 400));
        ObjectNode request = down.request.deepCopy();
        ((ObjectNode) request.path("flavor").path("extra_specs")).put("trait:CUSTOM_BOTH", "required");

        Response refused = region.scheduler(0)
                .body("{\"instance_uuids\": [\"" + UUID.randomUUID() + "\"], \"request_spec\": " + request + "}")
                .post("/v1/select_destinations");

        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(409);
        String detail = refused.path("errors[0].detail");
        assertThat(detail).contains("resources=MEMORY_MB:512 removed 1", "ComputeFilter removed 1",
                "required=CUSTOM_BOTH removed",
                "both-small: resources=MEMORY_MB:512: both-small: 400 MEMORY_MB free, 512 are wanted");
        assertThat(refused.<String>path("errors[0].explanation.tenant_detail"))
                .contains("resources=MEMORY_MB:512 removed 1").doesNotContain("both-");
        String record = "/v1/decisions/" + refused.path("errors[0].explanation.decision_id");
        JsonNode recorded = read(region.scheduler(0).get(record));
        assertThat(recorded.path("placement").path("candidates").asInt()).as("%s", recorded).isEqualTo(1);
        JsonNode then = read(region.scheduler(0).get(record + "/hosts/both-small"));
        assertThat(then.path("verdict").asText()).isEqualTo("not_offered");
        assertThat(codes(then)).containsExactly("resources=MEMORY_MB:512 capacity 512 400");
        assertThat(codes(read(region.scheduler(0).get(record + "/hosts/both-down"))).getFirst())
                .startsWith("ComputeFilter service_forced_down");
    }

    /** Child providers give all requested resources. */
    @Test
    void reportsATreeWhoseRootGivesNothing() {
        Scene scene = new Scene(region, "bare");
        region.placement().delete("/resource_providers/" + scene.uuid + "/inventories").then().statusCode(204);
        String cell = UUID.randomUUID().toString();
        scene.provider(cell, "bare-cell", scene.uuid,
                Map.of("VCPU", Map.of("total", 4), "MEMORY_MB", Map.of("total", 4096)));
        scene.trait(cell, "CUSTOM_BARE");
        scene.spec("trait:CUSTOM_BARE", "required");
        scene.flavor().put("root_gb", 0);

        JsonNode host = explained(scene);

        assertThat(host.path("verdict").asText()).as("%s", host).isEqualTo("rejected");
        assertThat(host.path("obstacles").findValuesAsText("code")).containsExactly("root_gives_nothing");
        ObjectNode body = JSON.createObjectNode();
        body.putArray("requests").addObject().put("name", "f").set("request_spec", scene.request);
        JsonNode counted = read(region.scheduler(0).body(body.toString()).post("/v1/capacity")).path("requests").get(0);
        assertThat(counted.path("count").asInt()).isZero();
        assertThat(counted.path("binding").path("root_provider").asInt()).as("%s", counted).isPositive();
    }

    /** A migration releases its allocations itself, when it is confirmed. */
    @Test
    void doesNotProposeToMoveAMigration() {
        Scene scene = new Scene(region, "left-behind");
        String instance = scene.instance(60);
        String migration = UUID.randomUUID().toString();
        ObjectNode moving = Scene.request(1, 1);
        ((ObjectNode) moving.path("flavor")).put("root_gb", 60);
        region.scheduler(0).body("""
                {"kind": "live", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s", "request_spec": %s}"""
                .formatted(instance, migration, scene.uuid, moving)).post("/v1/moves").then().statusCode(200);
        scene.flavor().put("root_gb", 50);

        JsonNode host = explained(scene);

        assertThat(codes(host)).containsExactly("resources=DISK_GB:50 capacity 50 40");
        assertThat(host.toString()).contains("allocation_ratio").doesNotContain(migration);
    }

    /**
     * Seven of nine ports each need one of eight cards, in too many combinations to try for one host; the other two
     * ports must share a card.
     */
    @Test
    void aHostWhoseSearchIsAbortedIsNotAdmissible() {
        Scene scene = new Scene(region, "endless");
        for (int card = 0; card < 10; card++) {
            String uuid = scene.card("card" + card, scene.uuid, "CUSTOM_PORT", 1);
            if (card > 1) {
                scene.trait(uuid, "CUSTOM_FAST");
            }
        }
        scene.spec("group_policy", "isolate");
        for (int port = 0; port < 9; port++) {
            scene.spec("resources_" + port + ":CUSTOM_PORT", "1");
            if (port > 1) {
                scene.spec("trait_" + port + ":CUSTOM_FAST", "required");
            }
        }
        scene.request.putObject("request_level_params").putArray("same_subtree").addArray().add("_0").add("_1");
        ObjectNode body = JSON.createObjectNode();
        body.put("timeout_s", 60).set("request_spec", scene.request);
        body.putArray("hosts").add(scene.host);

        JsonNode response = read(region.scheduler(0).body(body.toString()).post("/v1/explanations"));

        JsonNode host = response.path("hosts").get(0);
        assertThat(host.path("verdict").asText()).as(response.toString()).isEqualTo("rejected");
        assertThat(codes(host)).contains("provider not_evaluated  ");
        assertThat(host.path("admitted_by")).isEmpty();
        assertThat(response.path("complete").asBoolean()).isFalse();
    }

    @Test
    void doesNotProposeToChangeReportedValuesInPlacement() {
        Scene scene = new Scene(region, "reporting");
        scene.report("inventories", """
                {"VCPU": {"total": 4}, "MEMORY_MB": {"total": 8192}, "DISK_GB": {"total": 100, "allocation_ratio": 1.0}}""");
        eventually("placement knows the report", () -> Integer.valueOf(0).equals(region.placement()
                .get("/resource_providers/" + scene.uuid + "/inventories/VCPU").path("reserved")));
        scene.flavor().put("root_gb", 150);

        JsonNode host = explained(scene);

        List<JsonNode> ratios = new ArrayList<>();
        host.path("admitted_by").forEach(set -> set.forEach(change -> {
            if (change.path("change").asText().equals("allocation_ratio")) {
                ratios.add(change);
            }
        }));
        assertThat(ratios).as(host.toString()).hasSize(1);
        assertThat(ratios.getFirst().path("set_by").asText()).isEqualTo("compute_node");
        assertThat(ratios.getFirst().has("call")).isFalse();
    }

    @Test
    void reportsObstaclesToTheClaimOfAForcedRequest() {
        Scene scene = new Scene(region, "forced");
        scene.instance(scene.host, 1, scene.group("anti-affinity"));
        scene.service("forced_down", true);
        scene.request.putArray("force_hosts").add(scene.host);

        JsonNode host = explained(scene);

        assertThat(host.path("verdict").asText()).as(host.toString()).isEqualTo("rejected");
        assertThat(codes(host)).containsExactly("ServerGroupAntiAffinityFilter group_here 1 1");
        assertThat(host.path("obstacles").get(0).path("stage").asText()).isEqualTo("claim");
        assertThat(host.path("admitted_by").size()).isPositive();
    }

    /** 115 of 100 GB are needed, but 100 times 1.15 is less than 115 in placement's arithmetic. */
    @Test
    void theProposedRatioIsSufficient() {
        Scene scene = new Scene(region, "a-little-small");
        scene.flavor().put("root_gb", 115);

        JsonNode host = explained(scene);

        assertThat(host.path("admitted_by").findValuesAsText("to")).as(host.toString()).contains("1.1501");
    }

    @Test
    void refusesUnknownHosts() {
        Response response = region.scheduler(0)
                .body("{\"hosts\": [\"free\", \"nobody\"], \"request_spec\": " + Scene.request(1, 1) + "}")
                .post("/v1/explanations");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.asString()).contains("$.hosts[1]");
    }

    /**
     * Sets up random hosts with random causes and makes the proposed changes. {@code -Dberth.test.refusals} sets the
     * number of hosts.
     */
    @Test
    void theProposedChangesAdmitTheHost() {
        long seed = Seed.of(ExplanationsIT.class);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < REFUSALS; i++) {
            Scene scene = new Scene(region, "h" + i);
            Set<Cause> causes = causes(random);
            causes.forEach(cause -> cause.spoil(scene));
            String at = "seed " + seed + " refusal " + i + " " + causes;
            JsonNode host = explained(scene);
            assertThat(host.path("verdict").asText()).as(at + " " + host).isEqualTo("rejected");
            JsonNode sets = host.path("admitted_by");
            assertThat(sets.size()).as(at + " " + host).isPositive();

            // Mostly the first set, sometimes one of the others.
            JsonNode set = sets.get(random.nextBoolean() ? 0 : random.nextInt(sets.size()));
            ObjectNode admitted = apply(scene.request, set, at);

            ObjectNode again = admitted.deepCopy();
            again.putObject("requested_destination").put("host", scene.host);
            String body = "{\"instance_uuids\": [\"" + UUID.randomUUID() + "\"], \"request_spec\": " + again + "}";
            eventually(at + " lands on " + scene.host + " after " + set + ": " + host, () -> {
                Response response = region.scheduler(0).body(body).post("/v1/select_destinations");
                return response.statusCode() == 200
                        && scene.host.equals(response.path("selections[0][0].host"));
            });
        }
    }

    /** One to three causes that can apply at once. */
    private static Set<Cause> causes(SplittableRandom random) {
        Cause first = any(random);
        // A destination becomes in_tree, which excludes providers that share with the tree.
        boolean shares = first == Cause.SHARED_DISK || first == Cause.NOT_SHARED;
        Set<Cause> causes = EnumSet.of(shares ? Cause.DISK : first);
        for (int i = random.nextInt(3); i > 0; i--) {
            Cause more = any(random);
            if (causes.stream().allMatch(more::goesWith)) {
                causes.add(more);
            }
        }
        return causes;
    }

    /** Makes the changes through the APIs, in order, and returns the changed request. */
    private static ObjectNode apply(ObjectNode request, JsonNode set, String at) {
        ObjectNode admitted = request.deepCopy();
        for (JsonNode change : set) {
            JsonNode call = change.path("call");
            if (call.has("patch")) {
                call.path("patch").forEach(step -> patch(admitted, step));
                continue;
            }
            boolean ofPlacement = call.path("service").asText().equals("placement");
            // The placement sync or an earlier call of the set may have written the provider.
            eventually(at + " " + call, () -> {
                RequestSpecification to = ofPlacement ? region.placement() : region.scheduler(0);
                if (call.has("body")) {
                    ObjectNode body = call.path("body").deepCopy();
                    if (ofPlacement) {
                        String provider = call.path("path").asText().split("/")[2];
                        body.put("resource_provider_generation",
                                region.placement().get("/resource_providers/" + provider).<Integer>path("generation"));
                    }
                    to.body(body.toString());
                }
                return to.request(call.path("method").asText(), call.path("path").asText()).statusCode() < 300;
            });
            if (change.path("change").asText().equals("free")) {
                region.placement().delete("/allocations/" + call.path("body").path("migration_uuid").asText()).then()
                        .statusCode(204);
            }
        }
        return admitted;
    }

    private static void patch(ObjectNode request, JsonNode step) {
        String[] parts = step.path("path").asText().split("/");
        JsonNode parent = request;
        for (int i = 2; i < parts.length - 1; i++) {
            parent = parent.path(parts[i]);
        }
        String name = parts[parts.length - 1];
        if (step.path("op").asText().equals("remove")) {
            ((ObjectNode) parent).remove(name);
        } else {
            ((ObjectNode) parent).set(name, step.path("value"));
        }
    }
}
