package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hosts that placement knows but no client registered: their services, rebuild checks and names. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class UnregisteredHostsIT {
    private final Fleet fleet = new Fleet();
    private final String service = UUID.randomUUID().toString();

    @Inject
    Pool pool;

    @AfterEach
    void restore() {
        PackagedPlacement.proxy().restore();
    }

    private void putService(String host, Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>(more);
        body.put("host", fleet.name(host));
        assertThat(admin().body(body).put("/v1/services/" + service).statusCode()).isIn(200, 201);
    }

    private Response next() {
        return select(fleet.body(instances(1), ""));
    }

    private void assertSelected(String host) {
        next().then().statusCode(200).body("selections[0][0].host", equalTo(fleet.name(host)));
    }

    private Response check(String more) {
        return check(UUID.randomUUID().toString(), more);
    }

    private Response check(String instance, String more) {
        return select(
                fleet.body(List.of(instance), ",\"scheduler_hints\":{\"_nova_check_type\":[\"rebuild\"]}" + more));
    }

    @Test
    void appliesTheStatesOfTheirServicesAtOnce() {
        fleet.host("large", 100);
        fleet.host("small", 20);
        assertSelected("large");
        putService("large", Map.of("forced_down", true));
        assertSelected("small");
        putService("large", Map.of());
        assertSelected("large");
        putService("large", Map.of("disabled", true));
        assertSelected("small");
        putService("large", Map.of());
        assertSelected("large");
        pool.preparedQuery("UPDATE services SET last_heartbeat = now() - interval '1 day' WHERE uuid = $1")
                .execute(Tuple.of(UUID.fromString(service)))
                .await().atMost(Duration.ofMinutes(5));
        assertSelected("small");
        admin().post("/v1/services/" + service + "/heartbeat").then().statusCode(204);
        assertSelected("large");
        putService("large", Map.of("forced_down", true));
        admin().delete("/v1/services/" + service).then().statusCode(204);
        assertSelected("large");
    }

    @Test
    void refusesTheOnlyHostWhenItsServiceIsDown() {
        fleet.host("only", 8);
        putService("only", Map.of("forced_down", true));
        next().then().statusCode(409).body("errors[0].code", equalTo("scheduler.no_valid_host"));
    }

    @Test
    void allowsRebuildsOnUnregisteredHosts() {
        fleet.host("a", 8);
        String instance = fleet.instanceOn("a");
        String a = fleet.name("a");
        for (String more : List.of(
                ",\"force_hosts\":[\"" + a + "\"]",
                ",\"force_nodes\":[\"" + a + "\"]",
                ",\"requested_destination\":{\"host\":\"" + a + "\",\"node\":\"" + a + "\"}")) {
            check(instance, more).then()
                    .statusCode(200)
                    .body("selections[0][0].host", equalTo(a));
        }
        // Without a forced host, the instance's own host is among those that are checked.
        check(instance, "").then().statusCode(200);
        assertThat(allocations(instance)).hasSize(1);
        // A check may still be refused, as on registered hosts.
        check(instance, ",\"force_hosts\":[\"" + a + "\"],\"ignore_hosts\":[\"" + a + "\"]").then().statusCode(409);
        check(",\"force_hosts\":[\"" + fleet.name("none") + "\"]").then().statusCode(409);
    }

    @Test
    void looksUpANamedHostByItsName() {
        String a = fleet.host("a & b", 8);
        String name = fleet.name("a & b");
        // Queries for all providers get no response.
        PackagedPlacement.proxy().rule(
                call -> call.equals("GET /resource_providers") ? Fate.REQUEST_LOST : Fate.PASSED);
        for (String more : List.of(
                ",\"force_hosts\":[\"" + name + "\"]",
                ",\"force_nodes\":[\"" + name + "\"]",
                ",\"requested_destination\":{\"host\":\"" + name + "\"}")) {
            select(fleet.body(instances(1), more)).then()
                    .statusCode(200)
                    .body("selections[0][0].host", equalTo(name))
                    .body("selections[0][0].compute_node_uuid", equalTo(a));
            check(more).then().statusCode(200).body("selections[0][0].host", equalTo(name));
        }
        select(fleet.body(instances(1), ",\"force_hosts\":[\"" + fleet.name("none") + "\"]")).then()
                .statusCode(409)
                .body("errors[0].detail", startsWith("no such host: " + fleet.name("none") + "; see /v1/decisions/"));
    }
}
