package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Test;

/** Unknown names are refused with suggestions; misspelled keys cause warnings. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class NamesIT {
    private final Fleet fleet = new Fleet();

    private ValidatableResponse refused(String member, String code, String detail) {
        return select(fleet.body(instances(1), "," + member)).then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler." + code))
                .body("errors[0].detail", containsString(detail));
    }

    private static void aggregate(String uuid, String zone) {
        admin().body(Map.of("name", zone, "hosts", new String[0], "metadata", Map.of("availability_zone", zone)))
                .put("/v1/host_aggregates/" + uuid).then().statusCode(201);
    }

    @Test
    void refusesAnUnknownZone() {
        fleet.host("a", 8);
        String zone = fleet.name("north");
        aggregate(UUID.randomUUID().toString(), zone);
        refused("\"availability_zone\":\"" + zone + "1\"", "unknown_zone",
                "there is no availability zone " + zone + "1; near: " + zone);
        select(fleet.body(instances(1), ",\"availability_zone\":\"nova\"")).then().statusCode(200);
    }

    @Test
    void refusesAnUnregisteredServerGroup() {
        fleet.host("a", 8);
        String group = UUID.randomUUID().toString();
        String other = group.substring(0, 35) + (group.endsWith("0") ? "1" : "0");
        admin().body("{\"policy\":\"anti-affinity\"}").put("/v1/server_groups/" + other).then().statusCode(201);
        refused("\"scheduler_hints\":{\"group\":\"" + group + "\"}", "unknown_server_group", "near: " + other);
        refused("\"scheduler_hints\":{\"group\":\"web\"}", "unknown_server_group", "there is no server group web");
    }

    @Test
    void refusesAnAggregateWithoutRegistrationAndProviders() {
        String host = fleet.host("a", 8);
        String known = UUID.randomUUID().toString();
        placement().body(Map.of("resource_provider_generation", 2, "aggregates", new String[] {known}))
                .put("/resource_providers/" + host + "/aggregates").then().statusCode(200);
        String group = """
                "requested_resources": [
                    {"requester_id": "p", "resources": {"VCPU": 1}, "aggregates": [["%s"]]}]""";
        select(fleet.body(instances(1), "," + group.formatted(known))).then().statusCode(200);
        String unknown = UUID.randomUUID().toString();
        refused(group.formatted(unknown), "unknown_aggregate", "there is no aggregate " + unknown);
    }

    @Test
    void refusesAnUnknownAggregateWhereverItIsNamed() {
        fleet.host("a", 8);
        String unknown = UUID.randomUUID().toString();
        String known = UUID.randomUUID().toString();
        admin().body(Map.of("name", fleet.name("known"), "hosts", List.of(fleet.name("a"))))
                .put("/v1/host_aggregates/" + known).then().statusCode(201);
        for (String member : List.of("\"aggregates\":[[\"%s\"]]", "\"forbidden_aggregates\":[\"%s\"]")) {
            String destination = "\"requested_destination\":{" + member + "}";
            refused(destination.formatted(unknown), "unknown_aggregate", "there is no aggregate " + unknown);
            select(fleet.body(instances(1), "," + destination.formatted(known))).then()
                    .body("errors[0].code", not(equalTo("scheduler.unknown_aggregate")));
        }
    }

    /** Placement is queried once for each unregistered aggregate, whichever case its uuid is written in. */
    @Test
    void limitsTheNumberOfUnregisteredAggregates() {
        fleet.host("a", 8);
        String group = """
                "requested_resources": [
                    {"requester_id": "p", "resources": {"VCPU": 1}, "aggregates": [["%s"]]}]""";
        UUID unknown = UUID.fromString("abcdefab-" + UUID.randomUUID().toString().substring(9));
        refused(group.formatted(spellings(unknown)), "unknown_aggregate", "there is no aggregate " + unknown);
        String many =
                Stream.generate(UUID::randomUUID).limit(101).map(UUID::toString).collect(Collectors.joining("\",\""));
        refused(group.formatted(many), "request_invalid", "names more than 100 aggregates that are not registered");
    }

    private static String spellings(UUID uuid) {
        return IntStream.range(0, 128)
                .mapToObj(letters -> IntStream.range(0, 36)
                        .map(at -> (letters >> at & 1) == 1
                                ? Character.toUpperCase(uuid.toString().charAt(at))
                                : uuid.toString().charAt(at))
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("\",\""));
    }

    @Test
    void refusesUnknownTraitsAndResourceClasses() {
        fleet.host("a", 8);
        refused("\"request_level_params\":{\"root_required\":[\"HW_CPU_X86_AVX22\"]}", "unknown_trait",
                "placement knows no trait HW_CPU_X86_AVX22; near: HW_CPU_X86_AVX2");
        refused("\"requested_resources\":[{\"requester_id\":\"p\",\"resources\":{\"VCPUS\":1}}]",
                "unknown_resource_class", "placement knows no resource class VCPUS; near: VCPU");
    }

    @Test
    void warnsOfUnknownKeysAndSuggestsSimilarOnes() {
        fleet.host("a", 8);
        Response response = select(misspelled());
        String[] warnings = {
            "extra spec hw:cpu_polcy is not known and has no effect; near: hw:cpu_policy",
            "extra spec trait:CUSTOM_X has no effect: its value must be required or forbidden, not requird",
            "extra spec resources:VCPUS has no effect: VCPUS is no resource class; near: VCPU",
            "extra spec foo is not known and has no effect: no filter that is enabled reads it",
            "image property hw_cdrm_bus is not known and has no effect; near: hw_cdrom_bus"};
        response.then().statusCode(200).body("warnings", contains(warnings));
        admin().get("/v1/decisions/" + response.jsonPath().getString("decision_id")).then()
                .statusCode(200)
                .body("warnings", contains(warnings));
        Response refused = select(misspelled().replace("\"vcpus\": 1", "\"vcpus\": 900"));
        refused.then().statusCode(409).body("errors[0].explanation.warnings", contains(warnings));
        admin().get("/v1/decisions/" + refused.jsonPath().getString("errors[0].explanation.decision_id")).then()
                .statusCode(200)
                .body("warnings", contains(warnings));
        String spec = misspelled().substring(misspelled().indexOf("\"request_spec\""));
        assertAnalysesWarn(spec.substring(0, spec.lastIndexOf('}')), contains(warnings));
        select(fleet.body(instances(1), "")).then().statusCode(200)
                .body("$", not(org.hamcrest.Matchers.hasKey("warnings")));
    }

    /** Every kind of analysis of the request returns the warnings. */
    private void assertAnalysesWarn(String spec, Matcher<?> warnings) {
        admin().body("{" + spec + "}").post("/v1/explanations").then().statusCode(200).body("warnings", warnings);
        admin().body("{" + spec + "}").post("/v1/explanations?detail=tenant").then().statusCode(200)
                .body("warnings", warnings);
        admin().body("{" + spec + "}").post("/v1/simulations").then().statusCode(200).body("warnings", warnings);
        admin().body("{\"hosts\": [], " + spec + "}").post("/v1/simulations").then().statusCode(200)
                .body("warnings", warnings);
        String capacityRequests = "[{\"name\": \"f\", " + spec + "}]";
        admin().body("{\"requests\": " + capacityRequests + "}").post("/v1/capacity").then()
                .statusCode(200).body("requests[0].warnings", warnings);
        String request = spec.substring(spec.indexOf('{'));
        admin().body("{\"ask\": {\"capacity\": " + capacityRequests + ", \"placements\": [" + request + "]}}")
                .post("/v1/what_if").then()
                .statusCode(200)
                .body("after.capacity[0].warnings", warnings)
                .body("after.placements[0].warnings", warnings);
    }

    /** A request for a new instance with misspelled keys. */
    private String misspelled() {
        return fleet.body(instances(1), ",\"image\":{\"properties\":{\"hw_cdrm_bus\":\"ide\"}}")
                .replace("\"extra_specs\": {", """
                        "extra_specs": {"hw:cpu_polcy": "dedicated", "trait:CUSTOM_X": "requird",
                            "resources:VCPUS": "2", "my:own": "thing", "foo": "bar",\s""");
    }

    @Test
    void refusesUnknownQueryParameters() {
        for (String path : new String[] {"/v1/options?all=true", "/v1/cells?limits=1", "/v1/placement_sync?hosts=a"}) {
            admin().get(path).then()
                    .statusCode(400)
                    .body("errors[0].code", equalTo("scheduler.request_invalid"))
                    .body("errors[0].detail", containsString("unknown query parameter"));
        }
        admin().body(fleet.body(instances(1), "")).post("/v1/select_destinations?explian=true").then().statusCode(400);
        admin().get("/v1/cells?limit=1").then().statusCode(200);
    }

    @Test
    void sendsRootTraitsToPlacement() {
        String a = fleet.host("a", 8, "HW_CPU_X86_AVX2");
        fleet.host("b", 16);
        String level = ",\"request_level_params\":{\"%s\":[\"HW_CPU_X86_AVX2\"]}";
        select(fleet.body(instances(1), level.formatted("root_required"))).then()
                .statusCode(200).body("selections[0][0].compute_node_uuid", equalTo(a));
        select(fleet.body(instances(1), level.formatted("root_forbidden"))).then()
                .statusCode(200).body("selections[0][0].host", equalTo(fleet.name("b")));
    }
}
