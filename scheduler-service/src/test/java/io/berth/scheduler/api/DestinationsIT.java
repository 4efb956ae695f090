package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Runs requests from the API to claims in a real Placement. Each test has its own fleet, selected by a trait. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class DestinationsIT {
    private final Fleet fleet = new Fleet();

    @Test
    void claimsTheEmptiestHostAndReturnsAlternates() {
        String large = fleet.host("large", 8);
        String small = fleet.host("small", 4);
        List<String> one = instances(1);
        Response response = select(fleet.body(one, ""));
        response.then()
                .statusCode(200)
                .body("selections", hasSize(1))
                .body("selections[0]", hasSize(2))
                .body("selections[0][0].host", equalTo(fleet.name("large")))
                .body("selections[0][0].nodename", equalTo(fleet.name("large")))
                .body("selections[0][0].compute_node_uuid", equalTo(large))
                .body("selections[0][0].weight", equalTo(3.0f))
                .body("selections[0][0].allocation_request_version", equalTo("1.36"))
                .body("selections[0][0].allocation_request.allocations.'" + large + "'.resources.VCPU", equalTo(1))
                .body("selections[0][1].compute_node_uuid", equalTo(small));
        assertThat(allocations(one.getFirst())).containsOnlyKeys(large);
        admin().get("/v1/decisions/" + response.jsonPath().getString("decision_id")).then()
                .statusCode(200)
                .body("result", equalTo("selected"))
                .body("instances[0].filters.name", hasItem("ComputeFilter"));
        admin().get("/v1/decisions/" + UUID.randomUUID()).then().statusCode(404);
    }

    @Test
    void placesSeveralInstancesAndChargesHostsBetweenThem() {
        String a = fleet.host("a", 2);
        String b = fleet.host("b", 2);
        List<String> four = instances(4);
        select(fleet.body(four, "")).then().statusCode(200).body("selections", hasSize(4));
        assertThat(four).allSatisfy(instance -> assertThat(allocations(instance)).hasSize(1));
        for (String host : List.of(a, b)) {
            placement().get("/resource_providers/" + host + "/usages").then().body("usages.VCPU", equalTo(2));
        }
    }

    @Test
    void namesTheDemandThatLeftNoCandidate() {
        String only = fleet.host("only", 2);
        String body = fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900");
        Response response = select(body);
        response.then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", containsString("resources=VCPU:900 removed "))
                .body("errors[0].detail", containsString(
                        "; needs 900 VCPU, the best provider " + fleet.name("only")
                                + " has 2 free; see /v1/decisions/"))
                .body("errors[0].explanation.tenant_detail", containsString("resources=VCPU:900 removed "))
                .body("errors[0].explanation.tenant_detail", not(containsString(fleet.name("only"))))
                .body("errors[0].explanation.placement.candidates", equalTo(0))
                .body("errors[0].explanation.placement.query", containsString("VCPU%3A900"))
                .body("errors[0].explanation.placement.nearest_miss.provider_uuid", equalTo(only))
                .body("errors[0].explanation.placement.emptied_by", equalTo(List.of("resources=VCPU:900")));
        String decision = response.jsonPath().getString("errors[0].explanation.decision_id");
        assertThat(response.jsonPath().getString("errors[0].detail")).endsWith("; see /v1/decisions/" + decision);
        admin().get("/v1/decisions/" + decision).then().statusCode(200).body("placement.candidates", equalTo(0));
    }

    /** The first sentence of a refusal's detail. Its counts include the fleets of other tests. */
    private static String detail(Response response) {
        String detail = response.then().statusCode(409).extract().path("errors[0].detail");
        assertThat(detail).contains("; see /v1/decisions/");
        return detail.substring(0, detail.indexOf("; see /v1/decisions/"));
    }

    @Test
    void namesEveryDemandThatIsShort() {
        fleet.host("only", 2);
        String two = fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900")
                .replace("\"memory_mb\": 512", "\"memory_mb\": 90000");
        assertThat(detail(select(two)))
                .contains("resources=MEMORY_MB:90000 removed ")
                .endsWith("; needs 90000 MEMORY_MB, the best provider " + fleet.name("only") + " has 1024 free"
                        + "; needs 900 VCPU, the best provider " + fleet.name("only") + " has 2 free");
        String iron = fleet.body(instances(1), "").replace("\"extra_specs\": {", """
                "extra_specs": {"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources:DISK_GB": "0",
                    "resources:IPV4_ADDRESS": "1",\s""");
        assertThat(detail(select(iron))).endsWith("; needs 1 IPV4_ADDRESS, no provider has any");
    }

    @Test
    void reportsThatOnlyProvidersWithoutTheTraitHaveTheResource() {
        fleet.host("with-the-trait", 2);
        Providers.add(UUID.randomUUID().toString(), fleet.name("with-gpu"), null, Map.of("VGPU", Map.of("total", 1)),
                List.of());
        String gpu = fleet.body(instances(1), "")
                .replace("\"extra_specs\": {", "\"extra_specs\": {\"resources:VGPU\": \"1\", ");
        Response refused = select(gpu);
        assertThat(detail(refused)).endsWith("; needs 1 VGPU, no provider that meets the rest has any");
        refused.then().body("errors[0].explanation.placement.demands.find { it.demand == 'resources=VGPU:1' }.alone",
                equalTo(0));
    }

    @Test
    void reportsWhatTheHostOfTheServerGroupLacks() {
        String cell = Fleet.cell("one");
        fleet.register(fleet.host("full", 1), "full", cell);
        fleet.register(fleet.host("other", 8), "other", cell);
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\": \"affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        String hint = ",\"scheduler_hints\": {\"group\": \"" + group + "\"}";
        select(fleet.body(instances(1), hint + ",\"force_hosts\": [\"" + fleet.name("full") + "\"]")).then()
                .statusCode(200);
        assertThat(detail(select(fleet.body(instances(1), hint))))
                .contains(", ServerGroupAffinityFilter removed 1; nearest is " + fleet.name("other"))
                .contains("; the group is on " + fleet.name("full") + ", which placement does not offer: ")
                .contains("resources=VCPU:1: " + fleet.name("full") + ": 0 VCPU free, 1 are wanted");
    }

    /** Where no host has PCPU, placement is queried for VCPU as well. */
    @Test
    void reportsWhatTheFallbackOfAPinnedRequestLacks() {
        String full = fleet.host("full", 2);
        String pinned = fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 4")
                .replace("\"extra_specs\": {", "\"extra_specs\": {\"hw:cpu_policy\": \"dedicated\", ");
        Response refused = select(pinned);
        assertThat(detail(refused)).contains("; needs 4 VCPU, the best provider").contains(fleet.name("full"))
                .endsWith(" has 2 free");
        refused.then()
                .body("errors[0].explanation.placement.nearest_miss.provider_uuid", equalTo(full))
                .body("errors[0].explanation.placement.query", containsString("VCPU%3A4"))
                .body("errors[0].explanation.placement.query", not(containsString("PCPU%3A")));
    }

    @Test
    void reportsMaxUnitAsTheLimit() {
        String uuid = fleet.host("only", 16);
        placement()
                .body(Map.of(
                        "resource_provider_generation", 2, "total", 16, "max_unit", 4, "allocation_ratio", 4.0))
                .put("/resource_providers/" + uuid + "/inventories/VCPU").then().statusCode(200);
        String body = fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 8");
        assertThat(detail(select(body)))
                .endsWith("; needs 8 VCPU, " + fleet.name("only") + " gives at most 4 at a time (max_unit)");
    }

    @Test
    void reportsAnAllocatedDeviceAsShortOfCapacity() {
        String host = fleet.host("host", 8);
        String other = "CUSTOM_OTHER_" + fleet.name("x").replace('-', '_').toUpperCase(Locale.ROOT);
        placement().put("/traits/" + other).then().statusCode(201);
        device(host, "taken", "COMPUTE_NET_VIF_MODEL_VIRTIO");
        device(host, "free", other);
        String port = """
                ,"requested_resources": [{"requester_id": "p", "resources": {"SRIOV_NET_VF": 1},
                    "required_traits": ["COMPUTE_NET_VIF_MODEL_VIRTIO"]}]""";
        select(fleet.body(instances(1), port)).then().statusCode(200);
        Response second = select(fleet.body(instances(1), port));
        assertThat(detail(second)).contains("resourcesp=SRIOV_NET_VF:1 removed ").contains("; needs 1 SRIOV_NET_VF,"
                + " the best provider that meets the rest, " + fleet.name("taken") + ", has 0 free");
        second.then().body("errors[0].explanation.placement.emptied_by", equalTo(List.of("resourcesp=SRIOV_NET_VF:1")));
    }

    private void device(String host, String name, String trait) {
        String uuid = UUID.randomUUID().toString();
        placement().body(Map.of("name", fleet.name(name), "uuid", uuid, "parent_provider_uuid", host))
                .post("/resource_providers").then().statusCode(200);
        placement()
                .body(Map.of(
                        "resource_provider_generation", 0, "inventories", Map.of("SRIOV_NET_VF", Map.of("total", 1))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        placement().body(Map.of("resource_provider_generation", 1, "traits", List.of(trait, fleet.trait())))
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
    }

    @Test
    void namesHostsZonesAndTheReasonWhyAHostIsDisabled() {
        String host = fleet.host("only", 8, "COMPUTE_STATUS_DISABLED");
        admin()
                .body("{\"host\":\"%s\",\"service\":{\"disabled\":true,\"disabled_reason\":\"new disks\"}}"
                        .formatted(fleet.name("only")))
                .put("/v1/compute_nodes/" + host).then().statusCode(201);
        assertThat(
                detail(select(fleet.body(
                        instances(1), ",\"force_hosts\":[\"" + fleet.name("only") + "\"]"))))
                .contains("force_hosts=" + fleet.name("only") + " removed ")
                .contains("root_required=!COMPUTE_STATUS_DISABLED (" + fleet.name("only")
                        + " is disabled: new disks) removed 1");
        String aggregate = UUID.randomUUID().toString();
        admin()
                .body(Map.of("name", fleet.name("az"), "hosts", List.of(), "metadata",
                        Map.of("availability_zone", fleet.name("az"))))
                .put("/v1/host_aggregates/" + aggregate).then().statusCode(201);
        Response away = select(fleet.body(instances(1), ",\"availability_zone\":\"" + fleet.name("az") + "\""));
        assertThat(detail(away)).contains("availability_zone=" + fleet.name("az") + " removed ")
                .contains("; no host is in zone " + fleet.name("az"));
    }

    @Test
    void reportsPlacementsRefusalOfTheQueryOnOneLine() {
        fleet.host("only", 8);
        String two = fleet.body(instances(1), "").replace("\"extra_specs\": {", """
                "extra_specs": {"resources1:VGPU": "1", "resources2:VGPU": "1",\s""");
        assertThat(detail(select(two))).startsWith("placement refused the query: ").doesNotContain("\n", "  ");
    }

    @Test
    void releasesAllInstancesWhenOneFindsNoHost() {
        fleet.host("a", 2);
        List<String> three = instances(3);
        select(fleet.body(three, "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", startsWith("Instance 3: None of "))
                .body("errors[0].explanation.instances", hasSize(3));
        assertThat(three).allSatisfy(instance -> assertThat(allocations(instance)).isEmpty());
    }

    @Test
    void namesTheFilterThatRejectedTheHostAndItsReason() {
        String uuid = fleet.host("a", 2);
        admin()
                .body("{\"host\":\"%s\",\"service\":{\"disabled\":true,\"disabled_reason\":\"disk\"}}"
                        .formatted(fleet.name("a")))
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
        select(fleet.body(instances(1), "")).then()
                .statusCode(409)
                .body("errors[0].explanation.nearest_miss.stage", equalTo("ComputeFilter"))
                .body("errors[0].explanation.nearest_miss.reason", containsString("disk"))
                .body("errors[0].explanation.instances[0].filters[0].hosts_in", equalTo(1))
                .body("errors[0].explanation.instances[0].filters[0].hosts_out", equalTo(0));
    }

    @Test
    void antiAffinityCountsInstancesOfEarlierRequests() {
        fleet.host("a", 8);
        fleet.host("b", 4);
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\":\"anti-affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        String hint = ",\"scheduler_hints\":{\"group\":\"" + group + "\"}";
        for (String expected : List.of("a", "b")) {
            select(fleet.body(instances(1), hint)).then()
                    .statusCode(200)
                    .body("selections[0][0].host", equalTo(fleet.name(expected)));
        }
        select(fleet.body(instances(1), hint)).then()
                .statusCode(409)
                .body("errors[0].explanation.nearest_miss.stage", equalTo("ServerGroupAntiAffinityFilter"));
    }

    @Test
    void selectsTheForcedHostAndRefusesUnknownHosts() {
        fleet.host("a", 8);
        fleet.host("b", 2);
        select(fleet.body(instances(1), ",\"force_hosts\":[\"" + fleet.name("b") + "\"]")).then()
                .statusCode(200)
                .body("selections[0][0].host", equalTo(fleet.name("b")));
        select(fleet.body(instances(1), ",\"force_hosts\":[\"nowhere\"]")).then()
                .statusCode(409)
                .body("errors[0].detail", startsWith("no such host: nowhere; see /v1/decisions/"));
    }

    @Test
    void refusesAConsumerWithUnknownAllocations() {
        String a = fleet.host("a", 8);
        String one = UUID.randomUUID().toString();
        Map<String, Object> held = Map.of(
                "allocations", Map.of(a, Map.of("resources", amounts(1))),
                "project_id", "p", "user_id", "u");
        Map<String, Object> claim = new HashMap<>(held);
        claim.put("consumer_generation", null);
        placement().body(claim).put("/allocations/" + one).then().statusCode(204);
        select(fleet.body(List.of(one), "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.already_placed"))
                .body("errors[0].detail", containsString(a));
        assertThat(allocations(one)).containsOnlyKeys(a);
        admin().get("/v1/instances/" + one).then().statusCode(404);
    }

    @Test
    void explainsOnRequestAndRefusesInvalidMembers() {
        fleet.host("a", 8);
        admin().body(fleet.body(instances(1), "")).post("/v1/select_destinations?explain=true").then()
                .statusCode(200)
                .body("explanation.instances[0].ranked[0].host", equalTo(fleet.name("a")));
        admin().body(fleet.body(instances(1), "")).post("/v1/select_destinations?explain=loud").then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("explain: must be true or false"));
        select(fleet.body(instances(1), ",\"flavour\":{}")).then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("$.request_spec.flavour: unknown member, did you mean flavor?"));
        select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": -1")).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith("$.request_spec.flavor.vcpus: must not be negative"));
        String odd = "\"extra_specs\": {\"hw:cpu_policy\":\"odd\",";
        select(fleet.body(instances(1), "").replace("\"extra_specs\": {", odd)).then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler.request_invalid"));
    }

    @Test
    void explainsRequestsForManyInstancesWithCountsOnly() {
        fleet.host("a", 8);
        admin().body(fleet.body(instances(2), "")).post("/v1/select_destinations?explain=true&dry_run=true").then()
                .statusCode(200)
                .body("explanation.instances[1].preselection.hosts_in", hasSize(1));
        admin().body(fleet.body(instances(3), "")).post("/v1/select_destinations?explain=true&dry_run=true").then()
                .statusCode(200)
                .body("explanation.instances[2].preselection.hosts_in", equalTo(1))
                .body("explanation.instances[2].ranked", hasSize(1));
    }

    @Test
    void refusesWhenPlacementHasNoCandidates() {
        select(fleet.body(instances(1), "")).then()
                .statusCode(409)
                .body("errors[0].detail", containsString("; see /v1/decisions/"));
    }

    @Test
    void reschedulesToTheNextAlternateWithRoom() {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 4);
        String c = fleet.host("c", 2);
        List<String> one = instances(1);
        Response response = select(fleet.body(one, ""));
        List<Map<String, Object>> selections = response.jsonPath().getList("selections[0]");
        assertThat(selections).extracting(each -> each.get("host"))
                .containsExactly(fleet.name("a"), fleet.name("b"), fleet.name("c"));
        // Other instances fill the first alternate.
        select(fleet.body(instances(4), ",\"force_hosts\":[\"" + fleet.name("b") + "\"]")).then().statusCode(200);
        Map<String, Object> request = Map.of(
                "instance_uuid", one.getFirst(),
                "project_id", "p",
                "user_id", "u",
                "failed", selections.getFirst(),
                "alternates", selections.subList(1, 3));
        admin().body(request).post("/v1/reschedule").then()
                .statusCode(200)
                .body("selection.host", equalTo(fleet.name("c")));
        assertThat(allocations(one.getFirst())).containsOnlyKeys(c);
        admin().get("/v1/instances/" + one.getFirst()).then().body("host", equalTo(fleet.name("c")));
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(0));
        placement().get("/resource_providers/" + b + "/usages").then().body("usages.VCPU", equalTo(4));
        admin().body("{}").post("/v1/reschedule").then().statusCode(400);
        admin().body("""
                {"instance_uuid": "33333333-3333-4333-8333-333333333333", "project_id": "p", "user_id": "u", "alternates": [],
                 "failed": {"host": "h",
                 "allocation_request": {"allocations": {"11111111-1111-4111-8111-111111111111": null}}}}""")
                .post("/v1/reschedule").then().statusCode(400);
    }

    @Test
    void listsOptionsWithTheirSources() {
        admin().get("/v1/options").then()
                .statusCode(200)
                .body("filters[0]", equalTo("ComputeFilter"))
                .body("weighers", hasItem("RAMWeigher"))
                .body("options.filter_scheduler.host_subset_size.value", equalTo(1))
                .body("options.filter_scheduler.host_subset_size.source", equalTo("default"))
                .body("options.filter_scheduler.host_subset_size.key",
                        equalTo("berth.scheduler.filter-scheduler.host-subset-size"));
    }
}
