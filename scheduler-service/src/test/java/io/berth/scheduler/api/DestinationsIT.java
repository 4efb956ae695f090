package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests all the way to claims in a real Placement. Each test has a fleet of its own, told apart by a trait. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class DestinationsIT {
    private final String trait = "CUSTOM_T" + UUID.randomUUID().toString().replace("-", "").toUpperCase();

    @BeforeEach
    void makeTheFleetsTrait() {
        placement().put("/traits/" + trait).then().statusCode(201);
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private static RequestSpecification placement() {
        return admin().baseUri(PackagedPlacement.url())
                .port(URI.create(PackagedPlacement.url()).getPort())
                .header("openstack-api-version", "placement 1.36");
    }

    /** A provider with so many VCPUs, and memory and disk for as many instances. */
    private String host(String name, int vcpus) {
        String uuid = UUID.randomUUID().toString();
        placement().body(Map.of("name", name, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        placement()
                .body(Map.of(
                        "resource_provider_generation", 0,
                        "inventories", Map.of(
                                "VCPU", Map.of("total", vcpus),
                                "MEMORY_MB", Map.of("total", vcpus * 512),
                                "DISK_GB", Map.of("total", vcpus * 10))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        placement().body(Map.of("resource_provider_generation", 1, "traits", List.of(trait)))
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
        return uuid;
    }

    private String name(String suffix) {
        return trait.substring(8, 20).toLowerCase() + "-" + suffix;
    }

    private String body(List<String> instances, String more) {
        return """
                {"instance_uuids": %s, "return_alternates": true, "request_spec": {
                  "project_id": "p", "user_id": "u",
                  "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 10,
                             "extra_specs": {"trait:%s": "required"}}%s}}"""
                .formatted("[\"" + String.join("\",\"", instances) + "\"]", trait, more);
    }

    private static List<String> instances(int count) {
        return Stream.generate(() -> UUID.randomUUID().toString()).limit(count).toList();
    }

    private Response select(String body) {
        return admin().body(body).post("/v1/select_destinations");
    }

    private static Map<String, Object> allocations(String consumer) {
        return placement().get("/allocations/" + consumer).jsonPath().getMap("allocations");
    }

    @Test
    void claimsTheEmptiestHostAndNamesAlternates() {
        String large = host(name("large"), 8);
        String small = host(name("small"), 4);
        List<String> one = instances(1);
        Response answer = select(body(one, ""));
        answer.then()
                .statusCode(200)
                .body("selections", hasSize(1))
                .body("selections[0]", hasSize(2))
                .body("selections[0][0].host", equalTo(name("large")))
                .body("selections[0][0].nodename", equalTo(name("large")))
                .body("selections[0][0].compute_node_uuid", equalTo(large))
                .body("selections[0][0].weight", equalTo(3.0f))
                .body("selections[0][0].allocation_request_version", equalTo("1.36"))
                .body("selections[0][0].allocation_request.allocations.'" + large + "'.resources.VCPU", equalTo(1))
                .body("selections[0][1].compute_node_uuid", equalTo(small));
        assertThat(allocations(one.getFirst())).containsOnlyKeys(large);
        admin().get("/v1/decisions/" + answer.jsonPath().getString("decision_id")).then()
                .statusCode(200)
                .body("result", equalTo("selected"))
                .body("instances[0].filters.name", hasItem("ComputeFilter"));
        admin().get("/v1/decisions/" + UUID.randomUUID()).then().statusCode(404);
    }

    @Test
    void placesManyAndChargesEachHostInBetween() {
        String a = host(name("a"), 2);
        String b = host(name("b"), 2);
        List<String> four = instances(4);
        select(body(four, "")).then().statusCode(200).body("selections", hasSize(4));
        assertThat(four).allSatisfy(instance -> assertThat(allocations(instance)).hasSize(1));
        for (String host : List.of(a, b)) {
            placement().get("/resource_providers/" + host + "/usages").then().body("usages.VCPU", equalTo(2));
        }
    }

    @Test
    void saysWhichDemandLeftNoCandidate() {
        String only = host(name("only"), 2);
        String body = body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900");
        Response answer = select(body);
        answer.then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", equalTo("placement has no allocation candidates for the request:"
                        + " without resources=VCPU:900 there would be some"))
                .body("errors[0].explanation.placement.candidates", equalTo(0))
                .body("errors[0].explanation.placement.query", containsString("VCPU%3A900"))
                .body("errors[0].detail", endsWith("needs 900 VCPU, the best provider has 2 free"))
                .body("errors[0].explanation.placement.nearest_miss.provider_uuid", equalTo(only))
                .body("errors[0].explanation.placement.emptied_by", equalTo(List.of("resources=VCPU:900")));
        String decision = answer.jsonPath().getString("errors[0].explanation.decision_id");
        admin().get("/v1/decisions/" + decision).then().statusCode(200).body("placement.candidates", equalTo(0));
    }

    @Test
    void leavesNothingBehindWhenOneOfManyFindsNoHost() {
        host(name("a"), 2);
        List<String> three = instances(3);
        select(body(three, "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", startsWith("There are not enough hosts available"))
                .body("errors[0].explanation.instances", hasSize(3));
        assertThat(three).allSatisfy(instance -> assertThat(allocations(instance)).isEmpty());
    }

    @Test
    void saysWhichFilterRejectedAndWhy() {
        String uuid = host(name("a"), 2);
        admin().body("{\"host\":\"" + name("a") + "\",\"service\":{\"disabled\":true,\"disabled_reason\":\"disk\"}}")
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
        select(body(instances(1), "")).then()
                .statusCode(409)
                .body("errors[0].explanation.nearest_miss.stage", equalTo("ComputeFilter"))
                .body("errors[0].explanation.nearest_miss.reason", containsString("disk"))
                .body("errors[0].explanation.instances[0].filters[0].hosts_in", equalTo(1))
                .body("errors[0].explanation.instances[0].filters[0].hosts_out", equalTo(0));
    }

    @Test
    void seesTheInstancesOfEarlierRequestsOfTheGroup() {
        host(name("a"), 8);
        host(name("b"), 4);
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\":\"anti-affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        String hint = ",\"scheduler_hints\":{\"group\":\"" + group + "\"}";
        select(body(instances(1), hint)).then().statusCode(200).body("selections[0][0].host", equalTo(name("a")));
        select(body(instances(1), hint)).then().statusCode(200).body("selections[0][0].host", equalTo(name("b")));
        select(body(instances(1), hint)).then()
                .statusCode(409)
                .body("errors[0].explanation.nearest_miss.stage", equalTo("ServerGroupAntiAffinityFilter"));
    }

    @Test
    void goesWhereItIsForcedAndRefusesUnknownHosts() {
        host(name("a"), 8);
        host(name("b"), 2);
        select(body(instances(1), ",\"force_hosts\":[\"" + name("b") + "\"]")).then()
                .statusCode(200)
                .body("selections[0][0].host", equalTo(name("b")));
        select(body(instances(1), ",\"force_hosts\":[\"nowhere\"]")).then()
                .statusCode(409)
                .body("errors[0].detail", equalTo("no such host: nowhere"));
    }

    @Test
    void stopsAtAConsumerThatHoldsSomethingAlready() {
        String a = host(name("a"), 8);
        List<String> one = instances(1);
        select(body(one, "")).then().statusCode(200);
        select(body(one, "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.allocation_update_failed"));
        assertThat(allocations(one.getFirst())).containsOnlyKeys(a);
    }

    @Test
    void explainsOnRequestAndRefusesWhatItDoesNotKnow() {
        host(name("a"), 8);
        admin().body(body(instances(1), "")).post("/v1/select_destinations?explain=true").then()
                .statusCode(200)
                .body("explanation.instances[0].ranked[0].host", equalTo(name("a")));
        admin().body(body(instances(1), "")).post("/v1/select_destinations?explain=loud").then().statusCode(400);
        select(body(instances(1), ",\"flavour\":{}")).then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("$.request_spec.flavour: unknown member"));
        select(body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": -1")).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith("$.request_spec.flavor.vcpus: must not be negative"));
        select(body(instances(1), "").replace("\"extra_specs\": {", "\"extra_specs\": {\"hw:cpu_policy\":\"odd\",")).then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler.request_invalid"));
    }

    @Test
    void saysThatPlacementHasNoCandidates() {
        select(body(instances(1), "")).then()
                .statusCode(409)
                .body("errors[0].detail", startsWith("placement has no allocation candidates for the request"));
    }

    @Test
    void reschedulesToTheNextAlternateThatHolds() {
        String a = host(name("a"), 8);
        String b = host(name("b"), 4);
        String c = host(name("c"), 2);
        List<String> one = instances(1);
        Response answer = select(body(one, ""));
        List<Map<String, Object>> selections = answer.jsonPath().getList("selections[0]");
        assertThat(selections).extracting(each -> each.get("host"))
                .containsExactly(name("a"), name("b"), name("c"));
        // The first alternate fills up meanwhile.
        select(body(instances(4), ",\"force_hosts\":[\"" + name("b") + "\"]")).then().statusCode(200);
        Map<String, Object> request = Map.of(
                "instance_uuid", one.getFirst(),
                "project_id", "p",
                "user_id", "u",
                "failed", selections.getFirst(),
                "alternates", selections.subList(1, 3));
        admin().body(request).post("/v1/reschedule").then()
                .statusCode(200)
                .body("selection.host", equalTo(name("c")));
        assertThat(allocations(one.getFirst())).containsOnlyKeys(c);
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(0));
        placement().get("/resource_providers/" + b + "/usages").then().body("usages.VCPU", equalTo(4));
        admin().body("{}").post("/v1/reschedule").then().statusCode(400);
    }

    @Test
    void listsTheOptions() {
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
