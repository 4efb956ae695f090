package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyOrNullString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Reads decision records through {@code /v1/decisions}, with claims in a real Placement. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class DecisionRecordsIT {
    private final Fleet fleet = new Fleet();

    static ValidatableResponse record(Object decision) {
        return admin().get("/v1/decisions/" + decision).then().statusCode(200);
    }

    static String idOf(Response refusal) {
        return refusal.then().statusCode(409).extract().path("errors[0].explanation.decision_id");
    }

    @Test
    void recordsRequestWeightsClaimsAndTimesOfASelection() {
        String large = fleet.name("large");
        fleet.host("large", 8);
        fleet.host("small", 4);
        List<String> one = instances(1);
        String id = select(fleet.body(one, "")).then().statusCode(200).extract().path("decision_id");
        Map<String, Object> returned = record(id)
                .body("decision_id", equalTo(id))
                .body("kind", equalTo("select"))
                .body("result", equalTo("selected"))
                .body("$", not(hasKey("code")))
                .body("instance_uuids", equalTo(one))
                .body("hosts", contains(large))
                .body("request.instance_uuids", equalTo(one))
                .body("request.request_spec.flavor.vcpus", equalTo(1))
                .body("prefilters.name", hasItem("compute_status_filter"))
                .body("prefilters.find { it.name == 'compute_status_filter' }.adds",
                        contains("root_required=!COMPUTE_STATUS_DISABLED"))
                .body("instances", hasSize(1))
                .body("instances[0].filters.name", hasItem("ComputeFilter"))
                .body("instances[0].passed", equalTo(2))
                .body("instances[0].ranked.host", contains(large, fleet.name("small")))
                .body("instances[0].selected.host", equalTo(large))
                .body("claims", hasSize(1))
                .body("claims[0].instance_uuid", equalTo(one.getFirst()))
                .body("claims[0].host", equalTo(large))
                .body("claims[0].outcome", equalTo("claimed"))
                .body("selections[0].host", contains(large, fleet.name("small")))
                .body("phases_ms", hasKey("claim"))
                .body("phases_ms", hasKey("total"))
                .extract().path("instances[0].ranked[0]");
        // The weight of a host is the sum of its weighers' values.
        double sum = ((List<?>) returned.get("weights")).stream()
                .mapToDouble(weight -> ((Number) ((Map<?, ?>) weight).get("weighted")).doubleValue()).sum();
        assertThat(sum).isGreaterThan(0).isEqualTo(((Number) returned.get("weight")).doubleValue());
        Map<?, ?> ram = ((List<?>) returned.get("weights")).stream()
                .map(weight -> (Map<?, ?>) weight)
                .filter(weight -> weight.get("weigher").equals("RAMWeigher"))
                .findFirst().orElseThrow();
        assertThat(ram.get("raw")).isEqualTo(8 * 512);
        assertThat(ram.get("normalized")).isEqualTo(1);
    }

    @Test
    void recordsHowEachDemandReducedTheCandidates() {
        fleet.host("only", 2);
        Response refused = select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900"));
        record(idOf(refused))
                .body("result", equalTo("no_valid_host"))
                .body("code", equalTo("scheduler.no_valid_host"))
                .body("hosts", hasSize(0))
                .body("instances", hasSize(0))
                .body("claims", hasSize(0))
                .body("placement.emptied_by", contains("resources=VCPU:900"))
                .body("placement.demands.find { it.demand == 'resources=VCPU:900' }.after_all_before", equalTo(0));
    }

    @Test
    void recordsEachRejectedHostWithItsCode() {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("c"));
        fleet.host("b", 8);
        Response refused = select(fleet.body(instances(1), ",\"ignore_hosts\": [\"%s\", \"%s\"]"
                .formatted(fleet.name("a"), fleet.name("b"))));
        record(idOf(refused))
                .body("instances[0].preselection.hosts_in", equalTo(2))
                .body("instances[0].preselection.hosts_out", equalTo(0))
                .body("instances[0].preselection.dropped.by", contains("ignore_hosts", "ignore_hosts"))
                .body("instances[0].preselection.dropped.code", contains("ignored", "ignored"))
                .body("nearest_miss.stage", equalTo("ignore_hosts"));
    }

    @Test
    void recordsARefusedClaimWithItsReason() {
        String held = fleet.host("held", 8);
        List<String> one = instances(1);
        // Another client holds an allocation for the consumer, so the claim is refused.
        Fleet.placement().body("""
                {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "consumer_generation": null,
                 "project_id": "p", "user_id": "u"}""".formatted(held))
                .put("/allocations/" + one.getFirst()).then().statusCode(204);
        select(fleet.body(one, "")).then().statusCode(409);
        String id = admin().get("/v1/decisions?instance=" + one.getFirst()).then().statusCode(200)
                .extract().path("decisions[0].decision_id");
        record(id)
                .body("result", equalTo("error"))
                .body("code", equalTo("scheduler.already_placed"))
                .body("claims.outcome", contains("consumer_changed"));
    }

    @Test
    void dryRunsLeaveNoRecordAndNameNone() {
        fleet.host("a", 8);
        List<String> one = instances(1);
        for (String more : List.of("", "&explain=true")) {
            admin().body(fleet.body(one, "")).post("/v1/select_destinations?dry_run=true" + more).then()
                    .statusCode(200)
                    .body("$", not(hasKey("decision_id")))
                    .body("explanation.decision_id", nullValue());
        }
        for (int vcpus : List.of(9, 900)) {
            admin().body(fleet.body(one, "").replace("\"vcpus\": 1", "\"vcpus\": " + vcpus))
                    .post("/v1/select_destinations?dry_run=true").then()
                    .statusCode(409)
                    .body("errors[0].detail", not(containsString("/v1/decisions")))
                    .body("errors[0].explanation", hasKey("result"))
                    .body("errors[0].explanation", not(hasKey("decision_id")));
        }
        list("instance=" + one.getFirst()).body("decisions", hasSize(0));
        admin().get("/v1/decisions/none").then().statusCode(404);
    }

    @Test
    void recordsTheVersionsOfTheFleetAndTheRegistry() {
        fleet.host("a", 8);
        List<Long> versions = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String id = select(fleet.body(instances(1), "")).then().statusCode(200).extract().path("decision_id");
            versions.add(record(id)
                    .body("as_of.registry_version", greaterThan(0))
                    .body("as_of.time", notNullValue())
                    .body("as_of.replica", not(emptyOrNullString()))
                    .extract().jsonPath().getLong("as_of.fleet_version"));
        }
        assertThat(versions.get(0)).isPositive();
        // The claim of the first selection changed the fleet.
        assertThat(versions.get(1)).isGreaterThan(versions.get(0));
        Response refused = select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900"));
        record(idOf(refused)).body("as_of.fleet_version", greaterThanOrEqualTo(versions.get(1).intValue()));
    }

    @Test
    void recordsAMoveThatFailsBeforeHostsAreEvaluated() {
        String a = fleet.host("a", 8);
        String unknown = UUID.randomUUID().toString();
        String body = """
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(unknown, UUID.randomUUID(), a, fleet.spec(2, ""));
        admin().body(body).post("/v1/moves").then().statusCode(409)
                .body("errors[0].detail", equalTo("the instance holds no allocations on the source"));
        String id = list("instance=" + unknown)
                .body("decisions.kind", contains("move"))
                .extract().path("decisions[0].decision_id");
        record(id)
                .body("result", equalTo("error"))
                .body("code", equalTo("scheduler.conflict"))
                .body("detail", equalTo("the instance holds no allocations on the source"))
                .body("request.kind", equalTo("resize"))
                .body("phases_ms", hasKey("total"))
                .body("instances", hasSize(0));

        // A move that was decided and refused leaves one record instead of two.
        String instance = fleet.instanceOn("a");
        admin().body(body.replace(unknown, instance).replace("\"vcpus\": 2", "\"vcpus\": 900"))
                .post("/v1/moves").then().statusCode(409);
        list("instance=" + instance).body("decisions.kind", contains("move", "select"));
    }

    @Test
    void aRepeatedRequestReturnsTheFirstDecision() {
        fleet.host("a", 8);
        String body = fleet.body(instances(1), "");
        String first = select(body).then().statusCode(200).extract().path("decision_id");
        String again = select(body).then().statusCode(200).extract().path("decision_id");
        assertThat(again).isEqualTo(first);
        record(first).body("result", equalTo("selected"));
    }

    @Test
    void listsDecisionsByEveryFilter() {
        fleet.host("a", 2);
        String flavor = "flavor-" + fleet.name("x");
        List<String> one = instances(1);
        String first = select(named(flavor, one)).then().statusCode(200).extract().path("decision_id");
        String second = select(named(flavor, instances(1))).then().statusCode(200).extract().path("decision_id");
        String third = idOf(select(named(flavor, instances(1))));

        list("flavor=" + flavor).body("decisions.decision_id", contains(third, second, first));
        list("flavor=" + flavor + "&project=p").body("decisions", hasSize(3));
        list("flavor=" + flavor + "&project=q").body("decisions", hasSize(0));
        list("flavor=" + flavor + "&result=no_valid_host").body("decisions.decision_id", contains(third));
        list("flavor=" + flavor + "&result=selected").body("decisions.decision_id", contains(second, first));
        list("flavor=" + flavor + "&host=" + fleet.name("a")).body("decisions.decision_id", contains(second, first));
        list("instance=" + one.getFirst()).body("decisions.decision_id", contains(first));
        list("flavor=" + flavor + "&since=2020-01-01T00:00:00Z").body("decisions", hasSize(3));
        list("flavor=" + flavor + "&until=2020-01-01T00:00:00%2B01:00").body("decisions", hasSize(0));
        String next = list("flavor=" + flavor + "&limit=2")
                .body("decisions.decision_id", contains(third, second))
                .extract().path("decisions_links[0].href");
        admin().urlEncodingEnabled(false).get("/v1/decisions" + next).then().statusCode(200)
                .body("decisions.decision_id", contains(first))
                .body("$", not(hasKey("decisions_links")));
        for (String wrong : List.of("result=lost", "since=yesterday", "limit=0", "marker=x", "colour=red")) {
            admin().get("/v1/decisions?" + wrong).then().statusCode(400);
        }
    }

    @Test
    void truncatesLongFlavorNames() {
        String id = idOf(select(named("f".repeat(60_000), instances(1))));
        record(id).body("flavor", equalTo("f".repeat(255) + "…"));
    }

    private String named(String flavor, List<String> instances) {
        return fleet.body(instances, "").replace("\"name\": \"small\"", "\"name\": \"" + flavor + "\"");
    }

    private static ValidatableResponse list(String query) {
        return admin().urlEncodingEnabled(false).get("/v1/decisions?" + query).then().statusCode(200);
    }

    @Test
    void returnsTheVerdictOnASingleHost() {
        String large = fleet.name("large");
        fleet.host("large", 8);
        fleet.host("small", 4);
        Fleet others = new Fleet();
        others.register(others.host("other", 8), "other", Fleet.cell("c"));
        String id = select(fleet.body(instances(1), "")).then().statusCode(200).extract().path("decision_id");
        host(id, large).body("verdict", equalTo("chosen")).body("rank", equalTo(1)).body("weights", not(hasSize(0)));
        host(id, fleet.name("small")).body("verdict", equalTo("alternate")).body("rank", equalTo(2))
                .body("instances", hasSize(1)).body("instances[0].index", equalTo(0));
        host(id, others.name("other")).body("verdict", equalTo("not_offered")).body("stage", equalTo("placement"));
        host(id, "nobody").body("verdict", equalTo("not_known"));
        admin().get("/v1/decisions/" + UUID.randomUUID() + "/hosts/" + large).then().statusCode(404);

        String ignored = select(fleet.body(instances(1), ",\"ignore_hosts\": [\"%s\"]".formatted(large)))
                .then().statusCode(200).extract().path("decision_id");
        host(ignored, large)
                .body("verdict", equalTo("rejected"))
                .body("by", equalTo("ignore_hosts"))
                .body("code", equalTo("ignored"))
                .body("text", equalTo("host is to be ignored"));
        String refused = idOf(select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900")));
        host(refused, fleet.name("small"))
                .body("verdict", equalTo("not_offered"))
                .body("by", equalTo("resources=VCPU:900"))
                .body("obstacles.code", contains("capacity"))
                .body("text", containsString("3 VCPU free, 900 are wanted"));
    }

    private static ValidatableResponse host(String decision, String host) {
        return admin().get("/v1/decisions/" + decision + "/hosts/" + host).then().statusCode(200);
    }

    @Test
    void recordsMovesAndReschedules() {
        String a = fleet.host("a", 8);
        String instance = fleet.instanceOn("a");
        fleet.host("b", 4);
        admin().body("""
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(instance, UUID.randomUUID(), a, fleet.spec(2, "")))
                .post("/v1/moves").then().statusCode(200);
        String moved = list("instance=" + instance)
                .body("decisions.kind", contains("move", "select"))
                .extract().path("decisions[0].decision_id");
        record(moved)
                .body("hosts", contains(fleet.name("b")))
                .body("request.kind", equalTo("resize"))
                .body("claims.outcome", contains("claimed"));

        List<String> one = instances(1);
        Response selected = select(fleet.body(one, ""));
        List<Object> hosts = selected.then().statusCode(200).extract().path("selections[0]");
        Response rescheduled = admin()
                .body(Map.of("instance_uuid", one.getFirst(), "project_id", "p", "user_id", "u",
                        "failed", hosts.get(0), "alternates", List.of(hosts.get(1))))
                .post("/v1/reschedule");
        assertThat(rescheduled.statusCode()).as(rescheduled.asString()).isEqualTo(200);
        String again = list("instance=" + one.getFirst())
                .body("decisions.kind", contains("reschedule", "select"))
                .extract().path("decisions[0].decision_id");
        assertThat(rescheduled.<String>path("decision_id")).isEqualTo(again);
        String alternate = selected.path("selections[0][1].host");
        record(again)
                .body("result", equalTo("selected"))
                .body("hosts", contains(alternate))
                .body("claims.host", contains(alternate))
                .body("claims.outcome", contains("claimed"));
        host(again, alternate).body("verdict", equalTo("chosen"));
    }

    /** A refusal names the decision record. */
    @Test
    void anInvalidRequestNamesItsRecord() {
        List<String> one = instances(1);
        Response refused = select(fleet.body(one, ", \"availability_zone\": \"nowhere\""));
        assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(400);
        record(refused.path("errors[0].explanation.decision_id"))
                .body("result", equalTo("error"))
                .body("instance_uuids", contains(one.getFirst()))
                .body("time", matchesPattern(".*:[0-9]{2}\\.[0-9]{3}Z"));
    }

    @Test
    void theTenantDetailNamesNoHost() {
        fleet.host("only", 2);
        String id = idOf(select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900")));
        String returned = admin().get("/v1/decisions/" + id + "?detail=tenant").then().statusCode(200)
                .body("detail", containsString("resources=VCPU:900 removed "))
                .body("placement.demands.demand", hasItem("resources=VCPU:900"))
                .extract().asString();
        assertThat(returned).doesNotContain(fleet.name("only"));
        String filtered =
                idOf(select(fleet.body(instances(1), ",\"ignore_hosts\": [\"%s\"]".formatted(fleet.name("only")))));
        assertThat(admin().get("/v1/decisions/" + filtered + "?detail=tenant").then().statusCode(200)
                .body("detail", containsString("ignore_hosts removed 1"))
                .body("instances[0].hosts_in", equalTo(1))
                .extract().asString()).doesNotContain(fleet.name("only"));
        admin().get("/v1/decisions/" + id + "?detail=all").then().statusCode(400);
    }
}
