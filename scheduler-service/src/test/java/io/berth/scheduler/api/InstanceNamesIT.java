package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds instances and decisions by the names that users gave to the instances. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class InstanceNamesIT {
    private final Fleet fleet = new Fleet();
    /** A name that no other test uses. */
    private final String name = fleet.name("web");

    private static String named(String name) {
        return ",\"name\": " + TextNode.valueOf(name) + ",\"project_name\": \"shop\",\"user_name\": \"Zoë\"";
    }

    private static String decisionOf(String body) {
        return select(body).then().statusCode(200).extract().path("decision_id");
    }

    private static ValidatableResponse instance(String uuidOrName) {
        return at("/v1/instances/", uuidOrName);
    }

    private static ValidatableResponse newest(String uuidOrName) {
        return at("/v1/decisions/", uuidOrName);
    }

    private static ValidatableResponse at(String path, String uuidOrName) {
        String encoded = URLEncoder.encode(uuidOrName, StandardCharsets.UTF_8).replace("+", "%20");
        return admin().urlEncodingEnabled(false).get(path + encoded).then();
    }

    private static ValidatableResponse decisions(String uuidOrName) {
        return admin().queryParam("instance", uuidOrName).get("/v1/decisions").then();
    }

    private String registerInstance(String named) {
        String uuid = UUID.randomUUID().toString();
        admin().body(Map.of("host", fleet.name("a"), "name", named)).put("/v1/instances/" + uuid).then()
                .statusCode(201);
        return uuid;
    }

    @Test
    void storesTheNamesOfARequestInRecordsAndTheRegistry() {
        fleet.host("a", 8);
        List<String> one = instances(1);
        String decision = decisionOf(fleet.body(one, named(name)));
        for (String detail : List.of("", "?detail=tenant")) {
            admin().get("/v1/decisions/" + decision + detail).then().statusCode(200)
                    .body("instance_uuids", equalTo(one))
                    .body("instance_names", contains(name))
                    .body("project_name", equalTo("shop"))
                    .body("user_name", equalTo("Zoë"))
                    .body("flavor", equalTo("small"));
        }
        instance(one.getFirst()).statusCode(200)
                .body("name", equalTo(name))
                .body("project_name", equalTo("shop"))
                .body("user_name", equalTo("Zoë"))
                .body("flavor_name", equalTo("small"));
    }

    @Test
    void numbersSeveralInstancesOfARequestAsNovaDoes() {
        fleet.host("a", 8);
        List<String> two = instances(2);
        String decision = decisionOf(fleet.body(two, named(name)));
        admin().get("/v1/decisions/" + decision).then().body("instance_names", contains(name + "-1", name + "-2"));
        instance(two.getLast()).body("name", equalTo(name + "-2"));
        instance(name + "-2").statusCode(200).body("uuid", equalTo(two.getLast()));
        decisions(name + "-1").statusCode(200).body("decisions.decision_id", contains(decision));
    }

    @Test
    void findsDecisionsOfARefusedInstanceByName() {
        fleet.host("a", 8);
        List<String> pair = instances(2);
        select(fleet.body(pair, named(name)).replace("\"vcpus\": 1", "\"vcpus\": 900")).then().statusCode(409);
        decisions(name + "-2").statusCode(200)
                .body("decisions", hasSize(1))
                .body("decisions[0].result", equalTo("no_valid_host"))
                .body("decisions[0].instance_names", contains(name + "-1", name + "-2"));
        for (String none : List.of(name, name + "-0", name + "-3", name + "-02")) {
            decisions(none).statusCode(404)
                    .body("errors[0].code", equalTo("scheduler.not_found"))
                    .body("errors[0].detail", equalTo("no instance is registered or on record under the name " + none));
        }
        instance(name + "-2").statusCode(404);
    }

    @Test
    void anInstanceNameReturnsItsNewestDecision() {
        fleet.host("a", 8);
        List<String> one = instances(1);
        String body = fleet.body(one, named(name));
        String refused = DecisionRecordsIT.idOf(select(body.replace("\"vcpus\": 1", "\"vcpus\": 900")));
        newest(name).statusCode(200).body("decision_id", equalTo(refused));
        String decision = decisionOf(body);
        for (String meant : List.of(name, one.getFirst())) {
            newest(meant).statusCode(200).body("decision_id", equalTo(decision)).header("berth-answer", "yes");
        }
        newest(refused).statusCode(200).body("decision_id", equalTo(refused));
        admin().get("/v1/decisions/" + name + "/hosts/" + fleet.name("a")).then()
                .statusCode(200).body("decision_id", equalTo(decision)).body("verdict", equalTo("chosen"));
    }

    @Test
    void returnsNotFoundForAnInstanceWithoutADecision() {
        String uuid = registerInstance(name);
        for (String meant : List.of(name, uuid)) {
            newest(meant).statusCode(404)
                    .body("errors[0].code", equalTo("scheduler.not_found"))
                    .body("errors[0].detail",
                            startsWith(meant + ": no decision on record has this id or instance (records"));
        }
        newest(name + "-none\033[31m").statusCode(404);
    }

    @Test
    void omitsNamesThatTheRequestDoesNotGive() {
        fleet.host("a", 8);
        List<String> one = instances(1);
        String decision = decisionOf(fleet.body(one, ""));
        admin().get("/v1/decisions/" + decision).then()
                .body("$", not(hasKey("instance_names")))
                .body("$", not(hasKey("project_name")));
        instance(one.getFirst()).body("name", nullValue());
    }

    @Test
    void refusesAnAmbiguousNameAndListsTheInstances() {
        String one = registerInstance(name);
        String two = registerInstance(name);
        for (ValidatableResponse ambiguous : List.of(instance(name), decisions(name), newest(name))) {
            ambiguous.statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.ambiguous_name"))
                    .body("errors[0].detail", containsString(one + " on " + fleet.name("a")))
                    .body("errors[0].candidates.uuid", containsInAnyOrder(one, two))
                    .body("errors[0].candidates.name", contains(name, name))
                    .body("errors[0].candidates.host", contains(fleet.name("a"), fleet.name("a")));
        }
    }

    /** Names are reused: a registered instance has precedence over an earlier one. */
    @Test
    void prefersARegisteredInstanceToAnEarlierOneOfTheSameName() {
        fleet.host("a", 8);
        List<String> earlier = instances(1);
        decisionOf(fleet.body(earlier, named(name)));
        admin().delete("/v1/instances/" + earlier.getFirst()).then().statusCode(204);
        decisions(name).statusCode(200).body("decisions", hasSize(1));
        String now = registerInstance(name);
        instance(name).statusCode(200).body("uuid", equalTo(now));
        decisions(name).statusCode(200).body("decisions", hasSize(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"שלום עולם", "👩\u200d💻 \uD83C\uDDEA\uD83C\uDDFA", "it's \"quoted\" \\ 100 %",
        "a/b?c#d;e=f&g+h", "..", " padded ",
        "e\u0301", "\uD842\uDFB7", "0123456789abcdef0123456789abcdef", "'; DROP TABLE instances; --", "{uuid}", "*"})
    void acceptsAnyPrintableCharacterInAName(String odd) {
        // A name with a random part cannot clash with that of another run.
        String whole = odd.equals("..") ? odd : odd + name;
        String uuid = registerInstance(whole);
        instance(uuid).body("name", equalTo(whole));
        decisions(whole).statusCode(200);
        if (!odd.equals("..")) {
            instance(whole).statusCode(200).body("uuid", equalTo(uuid));
        }
    }

    @Test
    void acceptsNamesOf255CharactersOutsideTheBasicPlane() {
        String longest = "\uD842\uDFB7".repeat(255 - name.length()) + name;
        String uuid = registerInstance(longest);
        instance(longest).statusCode(200).body("uuid", equalTo(uuid));
        fleet.host("a", 8);
        List<String> one = instances(1);
        String other = "\uD842\uDFB8".repeat(255 - name.length()) + name;
        decisionOf(fleet.body(one, named(other)));
        decisions(other).statusCode(200).body("decisions[0].instance_names", contains(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "a\u0000b", "a\nb", "a\u0085b", "a\u2028b", "\u202eevil", "\u2066x",
        "11111111-1111-4111-8111-111111111111",
        "ABCDEFAB-1111-4111-8111-111111111111"})
    void refusesInvalidNames(String none) {
        String body = new com.fasterxml.jackson.databind.ObjectMapper().createObjectNode()
                .put("host", "h").put("name", none).toString();
        admin().body(body).put("/v1/instances/" + UUID.randomUUID()).then()
                .statusCode(400)
                .body("errors[0].detail", containsString("$.name: "));
        select(fleet.body(instances(1), named(none))).then()
                .statusCode(400)
                .body("errors[0].detail", containsString("$.request_spec.name: "));
    }

    @Test
    void refusesNamesThatAreTooLongOrHaveLoneSurrogates() {
        for (String none : List.of("\"" + "x".repeat(256) + "\"", "\"\\ud842\"")) {
            admin().body("{\"host\": \"h\", \"name\": " + none + "}").put("/v1/instances/" + UUID.randomUUID()).then()
                    .statusCode(400)
                    .body("errors[0].detail", containsString("$.name: "));
        }
    }

    @Test
    void reportsAndMovesWithoutNamesKeepTheName() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        fleet.register(a, "a", Fleet.cell("c"));
        String uuid = registerInstance(name);
        for (int i = 0; i < 2; i++) {
            admin().body("{\"instances\": [{\"uuid\": \"%s\", \"project_id\": \"p\"}]}".formatted(uuid))
                    .put("/v1/compute_nodes/" + a + "/instances").then().statusCode(204);
            // The second report changes nothing.
            instance(name).statusCode(200).body("project_id", equalTo("p")).body("version", equalTo(1));
        }
        Fleet.hold(uuid, a);
        admin().body("""
                {"kind": "cold", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(uuid, UUID.randomUUID(), a, fleet.spec(1, ""))).post("/v1/moves").then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(b));
        assertThat(instance(name).statusCode(200).extract().<String>path("host")).isEqualTo(fleet.name("b"));
    }

    @Test
    void hostsAndDrainForecastsShowInstanceNames() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String cell = Fleet.cell("c");
        fleet.register(a, "a", cell);
        fleet.register(b, "b", cell);
        List<String> one = instances(1);
        decisionOf(fleet.body(one, named(name) + ",\"force_hosts\": [\"" + fleet.name("a") + "\"]"));
        admin().get("/v1/fleet/" + a).then().statusCode(200)
                .body("instances", equalTo(one))
                .body("instance_names", equalTo(Map.of(one.getFirst(), name)));
        admin().get("/v1/fleet/" + b).then().body("instance_names", equalTo(Map.of()));
        admin().body("{\"ask\": {\"drain\": {\"hosts\": [\"" + fleet.name("a") + "\"]}}}").post("/v1/what_if").then()
                .statusCode(200)
                .body("after.drain.instances.instance", equalTo(one))
                .body("after.drain.instances.name", contains(name));
    }
}
