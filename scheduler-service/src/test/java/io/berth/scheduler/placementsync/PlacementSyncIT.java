package io.berth.scheduler.placementsync;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.PackagedPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the sync of registry changes to a real Placement. Each test has hosts of its own. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class PlacementSyncIT {
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";

    private final String host = "host-" + UUID.randomUUID();
    private final String node = UUID.randomUUID().toString();
    private final String service = "/v1/services/" + UUID.randomUUID();
    private final String aggregate = UUID.randomUUID().toString();

    @Inject
    SyncRuns runs;

    @Inject
    Pool pool;

    @BeforeEach
    void beginSync() {
        // Hosts of other test classes would be synced first.
        pool.query("DELETE FROM sync_outbox").executeAndAwait();
        runs.begin();
    }

    /** Stops the sync, because a run in progress would take hosts of the next test. */
    @AfterEach
    void endSync() {
        runs.end();
        eventually("no run is in progress", () -> !runs.isRunning());
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private static RequestSpecification placement() {
        return admin().baseUri(PackagedPlacement.url())
                .port(URI.create(PackagedPlacement.url()).getPort())
                .header("openstack-api-version", "placement 1.39");
    }

    private void createProvider(String name) {
        placement().body(Map.of("name", name, "uuid", node)).post("/resource_providers").then().statusCode(200);
    }

    private void registerNode(String more) {
        putNodeOf(host, more);
    }

    private void putNodeOf(String host, String more) {
        admin().body("{\"host\":\"" + host + "\"" + more + "}").put("/v1/compute_nodes/" + node).then()
                .statusCode(oneOf(200, 201));
    }

    private void report(String inventories, String more) {
        registerNode(",\"inventories\":{" + inventories + "}" + more);
        settle();
    }

    private void putService(boolean disabled) {
        admin().body(Map.of("host", host, "disabled", disabled)).put(service).then().statusCode(oneOf(200, 201));
    }

    private void putAggregate(List<String> hosts) {
        put(aggregate, hosts).statusCode(oneOf(200, 201));
    }

    private static ValidatableResponse put(String aggregate, List<String> hosts) {
        return admin().body(Map.of("name", aggregate, "hosts", hosts)).put("/v1/host_aggregates/" + aggregate).then();
    }

    private JsonPath pending() {
        return pending(host);
    }

    private static JsonPath pending(String host) {
        return admin().get("/v1/placement_sync?host=" + host).then().statusCode(200).extract().jsonPath();
    }

    /** Waits until nothing of the host is pending. */
    private void settle() {
        settle(host);
    }

    private static void settle(String host) {
        eventually(() -> {
            JsonPath now = pending(host);
            assertThat(now.getInt("pending")).as(now.prettify()).isZero();
        });
    }

    private JsonPath awaitError() {
        eventually("an error is reported", () -> pending().getString("last_error") != null);
        return pending();
    }

    private JsonPath provider(String part) {
        return placement().get("/resource_providers/" + node + "/" + part).then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    private List<String> traits() {
        return provider("traits").getList("traits");
    }

    private List<String> aggregates() {
        return provider("aggregates").getList("aggregates");
    }

    private double ratio(String resourceClass) {
        return provider("inventories").getDouble("inventories." + resourceClass + ".allocation_ratio");
    }

    /** Sets an inventory as an administrator does through the Placement API. */
    private void setInventory(String resourceClass, int total, double ratio) {
        int generation = provider("inventories").getInt("resource_provider_generation");
        placement()
                .body(Map.of("resource_provider_generation", generation, "total", total, "allocation_ratio", ratio))
                .put("/resource_providers/" + node + "/inventories/" + resourceClass).then()
                .statusCode(200);
    }

    private void setTraits(String... names) {
        int generation = provider("traits").getInt("resource_provider_generation");
        placement()
                .body(Map.of("resource_provider_generation", generation, "traits", List.of(names)))
                .put("/resource_providers/" + node + "/traits").then()
                .statusCode(200);
    }

    @Test
    void setsAndRemovesTheTraitOfADisabledService() {
        createProvider(host);
        registerNode("");
        setTraits("HW_CPU_X86_AVX2");
        putService(true);
        settle();
        assertThat(traits()).containsExactlyInAnyOrder("HW_CPU_X86_AVX2", DISABLED);
        putService(false);
        settle();
        assertThat(traits()).containsExactly("HW_CPU_X86_AVX2");
        putService(true);
        settle();
        admin().delete(service).then().statusCode(204);
        settle();
        assertThat(traits()).containsExactly("HW_CPU_X86_AVX2");
    }

    @Test
    void restoresTheTraitOfADisabledHostIfAnotherClientRemovesIt() {
        createProvider(host);
        registerNode("");
        putService(true);
        settle();
        setTraits("HW_CPU_X86_AVX2");
        eventually("the trait is restored", () -> traits().contains(DISABLED));
        assertThat(traits()).containsExactlyInAnyOrder("HW_CPU_X86_AVX2", DISABLED);
    }

    /** Reproduces a client that writes all traits of a provider, including an outdated one. */
    @Test
    void removesTheTraitOfAnEnabledHostIfAnotherClientSetsIt() {
        createProvider(host);
        registerNode("");
        putService(false);
        settle();
        setTraits("HW_CPU_X86_AVX2", DISABLED);
        eventually("the trait is removed", () -> !traits().contains(DISABLED));
        assertThat(traits()).containsExactly("HW_CPU_X86_AVX2");
    }

    @Test
    void addsAndRemovesAggregatesOfAHostAndKeepsForeignOnes() {
        createProvider(host);
        String foreign = UUID.randomUUID().toString();
        placement().body(Map.of("resource_provider_generation", 0, "aggregates", List.of(foreign)))
                .put("/resource_providers/" + node + "/aggregates").then().statusCode(200);
        putAggregate(List.of(host));
        settle();
        assertThat(aggregates()).as("found by name without a registered node")
                .containsExactlyInAnyOrder(foreign, aggregate);
        registerNode("");
        putAggregate(List.of());
        settle();
        assertThat(aggregates()).containsExactly(foreign);
        putAggregate(List.of(host));
        settle();
        assertThat(aggregates()).containsExactlyInAnyOrder(foreign, aggregate);
        admin().delete("/v1/host_aggregates/" + aggregate).then().statusCode(204);
        settle();
        assertThat(aggregates()).containsExactly(foreign);
    }

    /** The provider has another name than the host, so it is unknown without the node. */
    @Test
    void aReregisteredNodeLeavesTheAggregatesThatItsHostLeft() {
        String own = "node-of-" + host;
        createProvider(own);
        registerNode(",\"nodename\":\"" + own + "\"");
        putAggregate(List.of(host));
        String kept = UUID.randomUUID().toString();
        put(kept, List.of(host));
        putService(true);
        settle();
        assertThat(traits()).containsExactly(DISABLED);
        admin().delete("/v1/compute_nodes/" + node).then().statusCode(204);
        admin().delete("/v1/host_aggregates/" + aggregate).then().statusCode(204);
        putService(false);
        settle();
        registerNode(",\"nodename\":\"" + own + "\"");
        settle();
        assertThat(aggregates()).containsExactly(kept);
        assertThat(traits()).isEmpty();
    }

    /** Its provider still has the old name. */
    @Test
    void aNodeOfARenamedHostStaysInAggregatesThatTheOldNameLeaves() {
        createProvider(host);
        registerNode("");
        putAggregate(List.of(host));
        String renamed = host + ".example";
        put(aggregate, List.of(host, renamed));
        putNodeOf(renamed, "");
        settle();
        settle(renamed);
        putAggregate(List.of(renamed));
        settle();
        assertThat(aggregates()).containsExactly(aggregate);
        put(aggregate, List.of(host, renamed))
                .statusCode(202)
                .body("placement_sync.hosts[0].last_error", equalTo(
                        "the resource provider " + host + " is compute node " + node + " of host " + renamed));
    }

    @Test
    void aNodeThatChangesItsHostLeavesAggregatesPendingForTheOldOne() {
        createProvider("node-of-" + host);
        String own = ",\"nodename\":\"node-of-" + host + "\"";
        registerNode(own);
        putAggregate(List.of(host));
        settle();
        assertThat(aggregates()).containsExactly(aggregate);
        String next = "next-" + host;
        PackagedPlacement.cut();
        try {
            put(aggregate, List.of()).statusCode(202);
            putNodeOf(next, own);
        } finally {
            PackagedPlacement.restore();
        }
        settle();
        settle(next);
        assertThat(aggregates()).isEmpty();
    }

    @Test
    void respondsToAggregateChangesOncePlacementHasThem() {
        createProvider(host);
        registerNode("");
        String other = UUID.randomUUID().toString();
        put(aggregate, List.of(host)).statusCode(201);
        put(other, List.of()).statusCode(201);
        for (int move = 0; move < 4; move++) {
            put(aggregate, List.of()).statusCode(200);
            put(other, List.of(host)).statusCode(200);
            assertThat(aggregates()).containsExactly(other);
            put(other, List.of()).statusCode(200);
            put(aggregate, List.of(host)).statusCode(200);
            assertThat(aggregates()).containsExactly(aggregate);
        }
        admin().delete("/v1/host_aggregates/" + aggregate).then().statusCode(204);
        assertThat(aggregates()).isEmpty();
    }

    @Test
    void reportsPendingChangesIfItCannotWait() {
        put(aggregate, List.of(host))
                .statusCode(202)
                .body("hosts", contains(host))
                .body("placement_sync.pending", equalTo(1))
                .body("placement_sync.hosts[0].host", equalTo(host))
                .body("placement_sync.hosts[0].host_aggregates", contains(aggregate))
                .body("placement_sync.hosts[0].last_error", equalTo("placement has no resource provider " + host));
        admin().get("/v1/host_aggregates/" + aggregate).then().statusCode(200).body("placement_sync", nullValue());
        createProvider(host);
        put(aggregate, List.of()).statusCode(200);
        assertThat(aggregates()).isEmpty();
    }

    private ValidatableResponse waitFor(String path, Map<String, ?> body) {
        return admin().body(body).put(path + "?wait=30").then();
    }

    @Test
    void withWaitAChangeIsInPlacementWhenTheResponseArrives() {
        waitFor("/v1/compute_nodes/" + node, Map.of("host", host, "inventories", Map.of("VCPU", Map.of("total", 7))))
                .statusCode(201)
                .body("placement_sync", nullValue());
        assertThat(provider("inventories").getInt("inventories.VCPU.total")).isEqualTo(7);
        waitFor(service, Map.of("host", host, "disabled", true)).statusCode(201);
        assertThat(traits()).contains(DISABLED);
        waitFor(service, Map.of("host", host, "disabled", false)).statusCode(200);
        assertThat(traits()).doesNotContain(DISABLED);
        String uuid = service.substring("/v1/services/".length());
        Map<String, ?> disabled = Map.of("uuid", uuid, "host", host, "disabled", true);
        waitFor("/v1/services", Map.of("services", List.of(disabled))).statusCode(200);
        assertThat(traits()).contains(DISABLED);
        admin().delete(service + "?wait=30").then().statusCode(204);
        assertThat(traits()).doesNotContain(DISABLED);
    }

    @Test
    void withWaitReportsPendingChangesAfterAFailedAttempt() {
        PackagedPlacement.cut();
        try {
            waitFor(service, Map.of("host", host, "disabled", true))
                    .statusCode(202)
                    .body("disabled", equalTo(true))
                    .body("placement_sync.hosts[0].host", equalTo(host))
                    .body("placement_sync.last_error", notNullValue());
            admin().delete(service + "?wait=0").then()
                    .statusCode(202)
                    .body("placement_sync.hosts[0].service_state", equalTo(true));
        } finally {
            PackagedPlacement.restore();
        }
    }

    @Test
    void refusesInvalidWaitsAndWaitsForRecordsThatAreNotSynced() {
        for (String wait : List.of("-1", "31", "1.5", "soon")) {
            admin().body(Map.of("host", host)).put(service + "?wait=" + wait).then()
                    .statusCode(400)
                    .body("errors[0].detail", equalTo("wait: must be a number of seconds from 0 to 30"));
        }
        admin().body(Map.of("name", host)).put("/v1/cells/" + UUID.randomUUID() + "?wait=1").then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("unknown query parameter wait: the route takes none"));
    }

    @Test
    void catchesUpWhenPlacementReturns() {
        createProvider(host);
        registerNode("");
        double unreachable = attempts("unreachable");
        double done = attempts("done");
        PackagedPlacement.cut();
        try {
            putService(true);
            put(aggregate, List.of(host)).statusCode(202).body("placement_sync.hosts.host", hasItem(host));
            JsonPath state = awaitError();
            assertThat(attempts("unreachable")).isGreaterThan(unreachable);
            assertThat(state.getInt("pending")).isEqualTo(1);
            assertThat(state.getBoolean("hosts[0].service_state")).isTrue();
            assertThat(state.<String>getList("hosts[0].host_aggregates")).containsExactly(aggregate);
            admin().get("/v1/placement_sync").then().body("last_error", notNullValue());
            String second = UUID.randomUUID().toString();
            put(second, List.of(host)).statusCode(202);
            admin().delete("/v1/host_aggregates/" + second).then()
                    .statusCode(202)
                    .body("placement_sync.hosts.host", contains(host));
        } finally {
            PackagedPlacement.restore();
        }
        settle();
        assertThat(attempts("done")).isGreaterThan(done);
        assertThat(traits()).containsExactly(DISABLED);
        assertThat(aggregates()).containsExactly(aggregate);
    }

    /**
     * A late write would change what the next attempt found to be correct, and no pending change would be left to
     * correct it.
     */
    @Test
    void refusesALateWriteOfAnAbandonedAttemptOnceTheHostIsSynced() {
        createProvider(host);
        registerNode("");
        settle();
        int generation = provider("traits").getInt("resource_provider_generation");
        PackagedPlacement.cut();
        try {
            putService(true);
            awaitError();
            putService(false);
        } finally {
            PackagedPlacement.restore();
        }
        settle();
        placement().body(Map.of("resource_provider_generation", generation, "traits", List.of(DISABLED)))
                .put("/resource_providers/" + node + "/traits").then().statusCode(409);
        assertThat(traits()).isEmpty();
    }

    /** The response covers all of them, as it would cover a single one. */
    @Test
    void respondsForManyAggregatesTogether() {
        createProvider(host);
        registerNode("");
        List<String> uuids = Stream.generate(() -> UUID.randomUUID().toString()).limit(20).toList();
        putAll(uuids, host).statusCode(200);
        assertThat(aggregates()).containsExactlyInAnyOrderElementsOf(uuids);
        putAll(uuids, "other-" + host).statusCode(202);
    }

    private static ValidatableResponse putAll(List<String> uuids, String host) {
        return admin()
                .body(Map.of("host_aggregates", uuids.stream()
                        .map(each -> Map.of("uuid", each, "name", each, "hosts", List.of(host)))
                        .toList()))
                .put("/v1/host_aggregates").then();
    }

    private static double attempts(String result) {
        String line = "berth_placement_sync_attempts_total{result=\"" + result + "\"} ";
        return given().get("/q/metrics").asString().lines()
                .filter(sample -> sample.startsWith(line))
                .mapToDouble(sample -> Double.parseDouble(sample.substring(line.length())))
                .findFirst().orElseThrow();
    }

    @Test
    void waitsForAProviderThatDoesNotExistYet() {
        registerNode("");
        putService(true);
        assertThat(awaitError().getString("hosts[0].last_error"))
                .isEqualTo("placement has no resource provider " + node);
        createProvider(host);
        putService(true);
        settle();
        assertThat(traits()).containsExactly(DISABLED);
    }

    @Test
    void syncsTheOtherNodesOfAHostIfPlacementRefusesOne() {
        List<String> nodes = List.of(node, UUID.randomUUID().toString(), UUID.randomUUID().toString());
        nodes.forEach(each -> admin().body(Map.of("host", host, "nodename", each)).put("/v1/compute_nodes/" + each)
                .then()
                .statusCode(201));
        String missing = nodes.get(1);
        nodes.stream().filter(each -> !each.equals(missing)).forEach(each -> placement()
                .body(Map.of("name", each, "uuid", each)).post("/resource_providers").then().statusCode(200));
        putService(true);
        assertThat(awaitError().getString("hosts[0].last_error"))
                .isEqualTo("placement has no resource provider " + missing);
        nodes.stream().filter(each -> !each.equals(missing)).forEach(
                each -> eventually(() -> placement().get("/resource_providers/" + each + "/traits").then()
                        .body("traits", contains(DISABLED))));
    }

    @Test
    void aReportedRatioOverridesAnAdministratorsRatio() {
        report("\"VCPU\":{\"total\":16}", ",\"cpu_allocation_ratio\":2.0");
        assertThat(ratio("VCPU")).isEqualTo(2.0);
        setInventory("VCPU", 16, 9.0);
        assertThat(ratio("VCPU")).isEqualTo(9.0);
        report("\"VCPU\":{\"total\":16}", ",\"cpu_allocation_ratio\":2.0");
        assertThat(ratio("VCPU")).isEqualTo(2.0);
    }

    @Test
    void appliesInitialRatiosToNewInventoriesOnly() {
        String three = "\"VCPU\":{\"total\":16},\"MEMORY_MB\":{\"total\":65536},\"DISK_GB\":{\"total\":500}";
        report(three, "");
        assertThat(List.of(ratio("VCPU"), ratio("MEMORY_MB"), ratio("DISK_GB"))).containsExactly(4.0, 1.0, 1.0);
        JsonPath inventories = provider("inventories");
        assertThat(inventories.getInt("inventories.MEMORY_MB.reserved")).isEqualTo(512);
        assertThat(inventories.getInt("inventories.VCPU.max_unit")).isEqualTo(16);
        placement().get("/resource_providers/" + node).then().body("name", equalTo(host));
        int generation = inventories.getInt("resource_provider_generation");
        report(three, "");
        assertThat(provider("inventories").getInt("resource_provider_generation")).as("no write").isEqualTo(generation);
    }

    @Test
    void keepsARatioThatAnAdministratorSetThroughPlacement() {
        report("\"VCPU\":{\"total\":16}", "");
        setInventory("VCPU", 16, 7.5);
        report("\"VCPU\":{\"total\":32,\"reserved\":2},\"CUSTOM_BERTH_FPGA\":{\"total\":1}", "");
        JsonPath inventories = provider("inventories");
        assertThat(inventories.getDouble("inventories.VCPU.allocation_ratio")).isEqualTo(7.5);
        assertThat(inventories.getInt("inventories.VCPU.total")).isEqualTo(32);
        assertThat(inventories.getInt("inventories.VCPU.reserved")).isEqualTo(2);
        assertThat(inventories.getInt("inventories.CUSTOM_BERTH_FPGA.total")).isEqualTo(1);
    }

    @Test
    void replacesCapabilityTraitsAndKeepsCustomTraits() {
        String custom = "CUSTOM_" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
        report("\"VCPU\":{\"total\":16}", ",\"traits\":[\"COMPUTE_RESCUE_BFV\",\"" + custom + "\"]");
        assertThat(traits()).containsExactlyInAnyOrder("COMPUTE_RESCUE_BFV", custom);
        setTraits("COMPUTE_TRUSTED_CERTS", custom);
        report("\"VCPU\":{\"total\":16}", ",\"traits\":[\"COMPUTE_RESCUE_BFV\"]");
        assertThat(traits()).containsExactlyInAnyOrder("COMPUTE_RESCUE_BFV", custom);
    }
}
