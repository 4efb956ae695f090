package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Repeated and conflicting requests for the same instances, against the records that the scheduler keeps and a real
 * Placement.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class RequestRecordsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Fleet fleet = new Fleet();

    @TestHTTPResource
    URI service;

    @Inject
    Pool pool;

    @AfterEach
    void restore() {
        PackagedPlacement.proxy().restore();
    }

    private void execute(String sql, Object... params) {
        pool.preparedQuery(sql).execute(Tuple.from(params)).await().atMost(LIMIT);
    }

    private String stateOf(String instance) {
        var rows = pool
                .preparedQuery("SELECT CASE WHEN request_leases.key IS NULL THEN 'placed' ELSE 'open' END"
                        + " FROM request_records LEFT JOIN request_leases USING (key) WHERE $1 = ANY(instances)")
                .execute(Tuple.of(UUID.fromString(instance)))
                .await().atMost(LIMIT);
        return rows.size() == 0 ? "none" : rows.iterator().next().getString(0);
    }

    /** Simulates a replica that died after its claims: the record is open again, without its planned response. */
    private void reopen(String which, Object param, String lease) {
        execute("UPDATE request_records SET answer = NULL WHERE " + which, param);
        open(which, param, lease);
    }

    private void open(String which, Object param, String lease) {
        execute("INSERT INTO request_leases (key, number, lease_until)"
                + " SELECT key, nextval('fences') * 65536, now() + interval '" + lease + "' FROM request_records WHERE "
                + which
                + " ON CONFLICT (key) DO UPDATE SET number = excluded.number, lease_until = excluded.lease_until",
                param);
    }

    private static String deleteAllocations(String consumer) {
        placement().delete("/allocations/" + consumer).then().statusCode(204);
        return consumer;
    }

    @Test
    void aRepeatedRequestReturnsTheFirstResponse() {
        fleet.host("a", 8);
        fleet.host("b", 8);
        for (int count : List.of(1, 3)) {
            List<String> some = instances(count);
            Response first = select(fleet.body(some, ""));
            first.then().statusCode(200);
            List<Map<String, Map<String, Integer>>> held = some.stream().map(Fleet::allocations).toList();
            for (int i = 0; i < 3; i++) {
                assertThat(select(fleet.body(some, "")).asString()).isEqualTo(first.asString());
            }
            assertThat(some.stream().map(Fleet::allocations).toList()).isEqualTo(held);
        }
    }

    @Test
    void aRepeatedRequestSucceedsThoughNoHostHasRoomAnyMore() {
        fleet.host("only", 1);
        List<String> one = instances(1);
        Response first = select(fleet.body(one, ""));
        first.then().statusCode(200);
        assertThat(select(fleet.body(one, "")).asString()).isEqualTo(first.asString());
        select(fleet.body(instances(1), "")).then().statusCode(409);
    }

    @Test
    void refusesAnotherRequestForAPlacedInstanceAndNamesItsHost() {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("cell"));
        List<String> two = instances(2);
        select(fleet.body(two, "")).then().statusCode(200);
        String other = fleet.body(List.of(two.getFirst()), "").replace("\"vcpus\": 1", "\"vcpus\": 2");
        for (String body : List.of(other, fleet.body(two.reversed(), ""), fleet.body(two, "").replace("true", "false"))) {
            select(body).then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.already_placed"))
                    .body("errors[0].detail", containsString("host " + fleet.name("a")));
        }
        assertThat(two).allSatisfy(each -> assertThat(allocations(each)).isEqualTo(Map.of(a, amounts(1))));
    }

    @Test
    void placesInstancesAgainAfterTheirAllocationsWereDeleted() throws InterruptedException {
        String a = fleet.host("a", 8);
        for (int count : List.of(1, 2)) {
            List<String> some = instances(count);
            String body = fleet.body(some, "");
            String first = select(body).then().statusCode(200).extract().path("decision_id");
            releaseAllocations(some);
            select(body).then().statusCode(200).body("decision_id", not(equalTo(first)));
            assertThat(allocations(some.getLast())).isEqualTo(Map.of(a, amounts(1)));
            // A request of another size is placed as well.
            releaseAllocations(some);
            select(body.replace("\"vcpus\": 1", "\"vcpus\": 2")).then().statusCode(200);
            // One of the instances alone is placed as well.
            releaseAllocations(some);
            select(fleet.body(List.of(some.getFirst()), "")).then().statusCode(200);
        }
    }

    /** The end of a request is recorded after its response is sent; until then the request counts as in flight. */
    private void releaseAllocations(List<String> instances) throws InterruptedException {
        eventually("the request is recorded as placed", () -> stateOf(instances.getFirst()).equals("placed"));
        instances.forEach(RequestRecordsIT::deleteAllocations);
    }

    @Test
    void aFailedRequestCanBeRepeated() {
        fleet.host("a", 1);
        List<String> two = instances(2);
        select(fleet.body(two, "")).then().statusCode(409).body("errors[0].code", equalTo("scheduler.no_valid_host"));
        assertThat(two).allSatisfy(each -> assertThat(allocations(each)).isEmpty());
        fleet.host("b", 1);
        select(fleet.body(two, "")).then().statusCode(200);
    }

    @Test
    void refusesRequestsForAnOpenRecordUntilItsLeaseExpires() throws InterruptedException {
        String a = fleet.host("a", 8);
        List<String> two = instances(2);
        String body = fleet.body(two, "");
        select(body).then().statusCode(200);
        // Simulates a replica that died after the second claim.
        reopen("$1 = ANY(instances)", UUID.fromString(two.getFirst()), "1 hour");
        for (String each : List.of(body, fleet.body(List.of(two.getLast()), ""))) {
            select(each).then()
                    .statusCode(409)
                    .header("Retry-After", notNullValue())
                    .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        }
        assertThat(allocations(two.getFirst())).isNotEmpty();
        execute("UPDATE request_leases SET lease_until = now() - interval '1 s' FROM request_records"
                + " WHERE request_leases.key = request_records.key AND $1 = ANY(instances)",
                UUID.fromString(two.getFirst()));
        // This request or the periodic cleanup takes the record over; the instances are placed again in the end.
        eventually("the instances are placed again", () -> select(body).statusCode() == 200);
        assertThat(two).allSatisfy(each -> assertThat(allocations(each)).isEqualTo(Map.of(a, amounts(1))));
    }

    @Test
    void refusesToPlaceAnInstanceDuringItsMove() {
        fleet.host("a", 8);
        List<String> one = instances(1);
        UUID migration = UUID.randomUUID();
        // The migration holds the allocations and the new host is not claimed yet, so the instance holds nothing.
        execute("INSERT INTO moves (migration_uuid, instance_uuid, kind, state, held_before, request_id, number,"
                + " lease_until) VALUES ($1, $2, 'cold', 'started', '{}', 'r', 1,"
                + " now() + interval '1 hour')", migration, UUID.fromString(one.getFirst()));
        select(fleet.body(one, "")).then()
                .statusCode(409)
                .header("Retry-After", notNullValue())
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        assertThat(allocations(one.getFirst())).isEmpty();
        execute("UPDATE moves SET state = 'failed', number = NULL WHERE migration_uuid = $1", migration);
        select(fleet.body(one, "")).then().statusCode(200);
    }

    @Test
    void refusesToMoveAnInstanceWhoseSelectionIsOpen() throws InterruptedException {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("cell"));
        List<String> two = instances(2);
        select(fleet.body(two, "")).then().statusCode(200);
        // The record is open because another of its instances might still find no host.
        reopen("$1 = ANY(instances)", UUID.fromString(two.getFirst()), "1 hour");
        fleet.host("b", 8);
        String move = """
                {"kind": "cold", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(two.getFirst(), UUID.randomUUID(), a, fleet.spec(1, ""));
        admin().body(move).post("/v1/moves").then()
                .statusCode(409)
                .header("Retry-After", notNullValue())
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        assertThat(allocations(two.getFirst())).isEqualTo(Map.of(a, amounts(1)));
        execute("DELETE FROM request_leases USING request_records WHERE request_leases.key = request_records.key AND"
                + " $1 = ANY(instances)",
                UUID.fromString(two.getFirst()));
        admin().body(move).post("/v1/moves").then().statusCode(200);
    }

    /** The claim is on its way; placement alone suggests that the allocations were released. */
    @Test
    void refusesOtherRequestsWhileAClaimMayStillArrive() throws InterruptedException {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("cell"));
        List<String> one = instances(1);
        Map<String, Object> onA = select(fleet.body(one, "")).jsonPath().getMap("selections[0][0]");
        eventually("the request is recorded as placed", () -> stateOf(one.getFirst()).equals("placed"));
        open("$1 = ANY(instances)", UUID.fromString(one.getFirst()), "1 hour");
        // Nothing has been claimed yet with the fences from this one on.
        execute("UPDATE request_records SET first_number = nextval('fences') * 65536 WHERE $1 = ANY(instances)",
                UUID.fromString(one.getFirst()));
        deleteAllocations(one.getFirst());
        String unshelve = """
                {"kind": "unshelve", "instance_uuid": "%s", "migration_uuid": "%s", "request_spec": %s}"""
                .formatted(one.getFirst(), UUID.randomUUID(), fleet.spec(1, ""));
        Map<String, Object> reschedule = Map.of(
                "instance_uuid", one.getFirst(), "project_id", "p", "user_id", "u", "failed", onA, "alternates",
                List.of(onA));
        String other = fleet.body(one, "")
                .replace("\"return_alternates\"", "\"keep_allocations\": true, \"return_alternates\"");
        for (Response response : List.of(
                admin().body(unshelve).post("/v1/moves"),
                admin().body(reschedule).post("/v1/reschedule"),
                select(other),
                admin().delete("/v1/instances/" + one.getFirst()))) {
            response.then()
                    .statusCode(409)
                    .header("Retry-After", notNullValue())
                    .body("errors[0].code", equalTo("scheduler.concurrent_update"));
            assertThat(stateOf(one.getFirst())).isEqualTo("open");
        }
        assertThat(allocations(one.getFirst())).isEmpty();
        admin().get("/v1/instances/" + one.getFirst()).then().statusCode(200);
    }

    /**
     * The instance holds nothing while its migration holds everything; afterwards it is on the host of the first
     * response.
     */
    @Test
    void aRepeatedRequestIsRefusedDuringAMoveAndSucceedsAfterwards() throws InterruptedException {
        String a = fleet.host("a", 8);
        List<String> one = instances(1);
        UUID instance = UUID.fromString(one.getFirst());
        Response first = select(fleet.body(one, ""));
        first.then().statusCode(200);
        eventually("the request is recorded as placed", () -> stateOf(one.getFirst()).equals("placed"));
        execute("DELETE FROM request_instances WHERE instance = $1", instance);
        execute("""
                INSERT INTO moves (migration_uuid, instance_uuid, kind, source_uuid, state, held_before, request_id,
                                   number, lease_until)
                VALUES (gen_random_uuid(), $1, 'resize', gen_random_uuid(), 'started', '{}', 'req-1',
                        1, now() + interval '1 hour')""", instance);
        deleteAllocations(one.getFirst());
        select(fleet.body(one, "")).then()
                .statusCode(409)
                .header("Retry-After", notNullValue())
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        Map<String, Object> reschedule = Map.of(
                "instance_uuid", one.getFirst(), "project_id", "p", "user_id", "u",
                "failed", first.jsonPath().getMap("selections[0][0]"),
                "alternates", List.of(first.jsonPath().getMap("selections[0][0]")));
        admin().body(reschedule).post("/v1/reschedule").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        assertThat(allocations(one.getFirst())).isEmpty();
        Map<String, Object> back = new HashMap<>(Map.of("project_id", "p", "user_id", "u"));
        back.put("consumer_generation", null);
        back.put("allocations", Map.of(a, Map.of("resources", amounts(1))));
        placement().body(back).put("/allocations/" + one.getFirst()).then().statusCode(204);
        execute("DELETE FROM moves WHERE instance_uuid = $1", instance);
        assertThat(select(fleet.body(one, "")).asString()).isEqualTo(first.asString());
    }

    @Test
    void rollsBackAbandonedRequests() throws InterruptedException {
        fleet.host("a", 8);
        List<String> two = instances(2);
        select(fleet.body(two, "")).then().statusCode(200);
        reopen("$1 = ANY(instances)", UUID.fromString(two.getFirst()), "-1 s");
        eventually("the request is rolled back", () -> two.stream().allMatch(each -> allocations(each).isEmpty()));
    }

    @Test
    void returnsTheStoredResponseOfARecordThatIsStillOpen() throws InterruptedException {
        fleet.host("a", 8);
        List<String> one = instances(1);
        Response first = select(fleet.body(one, ""));
        first.then().statusCode(200);
        eventually("the request is recorded as placed", () -> stateOf(one.getFirst()).equals("placed"));
        // Simulates a replica that died right after the response was sent.
        open("$1 = ANY(instances)", UUID.fromString(one.getFirst()), "1 hour");
        assertThat(select(fleet.body(one, "")).asString()).isEqualTo(first.asString());
        assertThat(stateOf(one.getFirst())).isEqualTo("placed");
    }

    @Test
    void keepsExistingAllocationsIfTheRequestSaysSo() {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        String other = fleet.body(List.of(instance), ",\"ignore_hosts\":[\"" + fleet.name("a") + "\"]")
                .replace("\"return_alternates\"", "\"keep_allocations\": true, \"return_alternates\"");
        Response first = select(other);
        first.then().statusCode(200).body("selections[0][0].compute_node_uuid", equalTo(b));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1), b, amounts(1)));
        assertThat(select(other).asString()).isEqualTo(first.asString());
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1), b, amounts(1)));
    }

    /** The instance still holds its old host, which nova releases when that host returns. */
    @Test
    void refusesARepeatedRequestAfterAnEvacuation() {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("cell"));
        List<String> one = instances(1);
        select(fleet.body(one, "")).then().statusCode(200);
        String b = fleet.host("b", 8);
        admin().body("""
                {"kind": "evacuate", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(one.getFirst(), UUID.randomUUID(), a, fleet.spec(1, "")))
                .post("/v1/moves").then().statusCode(200);
        assertThat(allocations(one.getFirst())).isEqualTo(Map.of(a, amounts(1), b, amounts(1)));
        select(fleet.body(one, "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.already_placed"));
    }

    @Test
    void theIdempotencyKeyIdentifiesTheRequest() throws InterruptedException {
        fleet.host("a", 8);
        List<String> two = instances(2);
        String key = UUID.randomUUID().toString();
        Response first = selectAs(key, two);
        first.then().statusCode(200);
        assertThat(selectAs(key, two).asString()).isEqualTo(first.asString());
        assertThat(select(fleet.body(two, "")).asString()).isEqualTo(first.asString());
        releaseAllocations(two);
        for (List<String> other : List.of(instances(1), two.subList(0, 1))) {
            selectAs(key, other).then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.conflict"))
                    .body("errors[0].detail", containsString("Idempotency-Key"));
        }
        selectAs(key, two.reversed()).then().statusCode(200);
        selectAs("k".repeat(256), instances(1)).then().statusCode(400);
    }

    private Response selectAs(String key, List<String> instances) {
        return admin().header("Idempotency-Key", key).body(fleet.body(instances, "")).post("/v1/select_destinations");
    }

    @Test
    void placesAnInstanceThatAnOperatorRegistered() {
        String a = fleet.host("a", 8);
        String instance = UUID.randomUUID().toString();
        admin().body("{\"host\": \"elsewhere\"}").put("/v1/instances/" + instance).then().statusCode(201);
        select(fleet.body(List.of(instance), "")).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        admin().get("/v1/instances/" + instance).then().body("host", equalTo(fleet.name("a")));
    }

    @Test
    void completesTheRequestAfterItsClientDisconnects() throws IOException {
        fleet.host("a", 100);
        fleet.host("b", 100);
        for (String leavesAt : List.of("/berth/v1/candidates", "POST /allocations")) {
            List<String> forty = instances(40);
            try (Socket client = new Socket(service.getHost(), service.getPort())) {
                PackagedPlacement.proxy().rule(call -> {
                    if (call.contains(leavesAt)) {
                        close(client);
                    }
                    // The delay lets the service notice the closed connection before the next call.
                    return Fate.DELAYED;
                });
                post(client, "/v1/select_destinations", fleet.body(forty, ""));
                eventually("the request has ended", () -> stateOf(forty.getFirst()).equals("placed"));
                assertThat(client.isClosed()).isTrue();
            }
            assertThat(forty).allSatisfy(each -> {
                assertThat(allocations(each)).hasSize(1);
                admin().get("/v1/instances/" + each).then().statusCode(200);
            });
            PackagedPlacement.proxy().restore();
            select(fleet.body(forty, "")).then().statusCode(200);
        }
    }

    /** Collects the writes of allocations. At the first POST another client claims all of this host; null for none. */
    private static List<String> writes(String takenBefore) {
        List<String> writes = new CopyOnWriteArrayList<>();
        PackagedPlacement.proxy().rule(call -> {
            boolean isPut = call.startsWith("PUT /allocations/");
            if (isPut || call.equals("POST /allocations")) {
                writes.add(isPut ? "PUT" : "POST");
                if (takenBefore != null && writes.equals(List.of("POST"))) {
                    CompletableFuture.runAsync(() -> placement().body("""
                            {"allocations": {"%s": {"resources": {"VCPU": 4}}}, "consumer_generation": null,
                             "project_id": "p", "user_id": "u"}""".formatted(takenBefore))
                            .put("/allocations/" + UUID.randomUUID()).then().statusCode(204)).join();
                }
            }
            return Fate.PASSED;
        });
        return writes;
    }

    @Test
    void claimsSeveralInstancesInOneWrite() {
        fleet.host("a", 4);
        fleet.host("b", 4);
        List<String> writes = writes(null);
        List<String> five = instances(5);
        select(fleet.body(five, "")).then().statusCode(200);
        assertThat(five).allSatisfy(each -> assertThat(allocations(each)).hasSize(1));
        assertThat(writes).containsExactly("POST");
        select(fleet.body(instances(1), "")).then().statusCode(200);
        assertThat(writes).containsExactly("POST", "PUT");
    }

    @Test
    void claimsInstancesOneByOneAfterTheJointClaimIsRefused() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        List<String> writes = writes(a);
        List<String> three = instances(3);
        select(fleet.body(three, "")).then().statusCode(200);
        assertThat(three).allSatisfy(each -> assertThat(allocations(each)).isEqualTo(Map.of(b, amounts(1))));
        assertThat(writes.getFirst()).isEqualTo("POST");
        assertThat(writes.subList(1, writes.size())).containsOnly("PUT").hasSizeBetween(3, 6);
        String record = admin().get("/v1/decisions?instance=" + three.getFirst()).path("decisions[0].decision_id");
        List<String> outcomes = admin().get("/v1/decisions/" + record).path("claims.outcome");
        assertThat(outcomes).filteredOn("claimed"::equals).hasSize(3);
    }

    @Test
    void releasesAllInstancesWhenOneFindsNoHostAfterTheJointClaim() {
        String a = fleet.host("a", 4);
        fleet.host("b", 2);
        writes(a);
        List<String> three = instances(3);
        select(fleet.body(three, "")).then().statusCode(409).body("errors[0].code", equalTo("scheduler.no_valid_host"));
        assertThat(three).allSatisfy(each -> assertThat(allocations(each)).isEmpty());
        assertThat(stateOf(three.getFirst())).isEqualTo("none");
    }

    private static void close(Socket client) {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void post(Socket client, String path, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        OutputStream to = client.getOutputStream();
        to.write(("POST " + path + " HTTP/1.1\r\nhost: berth\r\nx-auth-token: admin\r\n"
                + "content-type: application/json\r\ncontent-length: " + content.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        to.write(content);
        to.flush();
    }

    @Test
    void anInvalidClaimIsNotRepeatedOnOtherHosts() {
        for (int i = 0; i < 5; i++) {
            fleet.host("h" + i, 4);
        }
        AtomicInteger claims = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> {
            if (call.startsWith("PUT /allocations/")) {
                claims.incrementAndGet();
            }
            return Fate.PASSED;
        });
        List<String> one = instances(1);
        select(fleet.body(one, "").replace("\"project_id\": \"p\"", "\"project_id\": \"" + "p".repeat(256) + "\""))
                .then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler.request_invalid"))
                .body("errors[0].detail", containsString("project_id"));
        assertThat(claims).hasValue(1);
        admin().get("/v1/instances/" + one.getFirst()).then().statusCode(404);
    }

    /** The instance was deleted while its build failed. */
    @Test
    void aRescheduleRegistersAnUnregisteredInstance() throws InterruptedException {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("cell"));
        List<String> one = instances(1);
        Map<String, Object> onA = select(fleet.body(one, "")).jsonPath().getMap("selections[0][0]");
        releaseAllocations(one);
        awaitUnregistered(one);
        admin()
                .body(Map.of(
                        "instance_uuid", one.getFirst(), "project_id", "p", "user_id", "u",
                        "failed", onA, "alternates", List.of(onA)))
                .post("/v1/reschedule").then().statusCode(200);
        assertThat(allocations(one.getFirst())).isEqualTo(Map.of(a, amounts(1)));
        admin().get("/v1/instances/" + one.getFirst()).then().body("host", equalTo(fleet.name("a")));
    }

    /** The instance holds nothing once its first host is released, and is unregistered when that is noticed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRepeatedRescheduleAppliesTheServerGroup(boolean isRegistered) throws InterruptedException {
        fleet.host("a", 8);
        String b = fleet.host("b", 4);
        String group = UUID.randomUUID().toString();
        if (isRegistered) {
            admin().body(Map.of("policy", "anti-affinity")).put("/v1/server_groups/" + group).then().statusCode(201);
        }
        String grouped = isRegistered
                ? ",\"scheduler_hints\":{\"group\":[\"" + group + "\"]}"
                : ",\"instance_group\":{\"uuid\":\"" + group + "\",\"policy\":\"anti-affinity\"}";
        String onB = grouped + ",\"force_hosts\":[\"" + fleet.name("b") + "\"]";
        List<String> one = instances(1);
        List<String> other = instances(1);
        select(fleet.body(other, onB)).then().statusCode(200);
        Response placed = select(fleet.body(one, grouped + ",\"force_hosts\":[\"" + fleet.name("a") + "\"]"));
        Map<String, Object> reschedule = reschedule(one.getFirst(), placed, b);
        for (int i = 0; i < 2; i++) {
            admin().body(reschedule).post("/v1/reschedule").then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.no_valid_host"));
            awaitUnregistered(one);
        }
        // No other member of the group is left, but its policy is still known.
        releaseAllocations(other);
        awaitUnregistered(other);
        admin().body(reschedule).post("/v1/reschedule").then().statusCode(200);
        select(fleet.body(instances(1), onB)).then().statusCode(409);
    }

    private static void awaitUnregistered(List<String> one) throws InterruptedException {
        eventually("the instance is unregistered",
                () -> admin().get("/v1/instances/" + one.getFirst()).statusCode() == 404);
    }

    /** A reschedule from the host of the response to host b. */
    private Map<String, Object> reschedule(String instance, Response placed, String b) {
        Map<String, Object> failed = placed.jsonPath().getMap("selections[0][0]");
        Map<String, Object> onB = new HashMap<>(failed);
        onB.putAll(Map.of(
                "host", fleet.name("b"),
                "nodename", fleet.name("b"),
                "compute_node_uuid", b,
                "allocation_request", Map.of("allocations", Map.of(b, Map.of("resources", amounts(1))))));
        return Map.of(
                "instance_uuid", instance, "project_id", "p", "user_id", "u", "failed", failed, "alternates",
                List.of(onB));
    }

    @Test
    void rollsBackARescheduleThatCannotBeRecorded() {
        fleet.host("a", 8);
        String b = fleet.host("b", 4);
        List<String> one = instances(1);
        Response placed = select(fleet.body(one, ",\"force_hosts\":[\"" + fleet.name("a") + "\"]"));
        pool.withTransaction(locking -> locking
                .preparedQuery("SELECT FROM instances WHERE uuid = $1 FOR UPDATE")
                .execute(Tuple.of(UUID.fromString(one.getFirst())))
                .chain(locked -> Uni.createFrom()
                        .item(() -> admin().body(reschedule(one.getFirst(), placed, b)).post("/v1/reschedule")
                                .statusCode())
                        .runSubscriptionOn(Infrastructure.getDefaultExecutor()))
                .invoke(status -> assertThat(status).isEqualTo(503)))
                .await().atMost(LIMIT);
        assertThat(allocations(one.getFirst())).isEmpty();
        admin().delete("/v1/instances/" + one.getFirst()).then().statusCode(204);
    }

    /** nova's GroupAffinityViolation is not the fault of the host. */
    @Test
    void aBuildRefusedByGroupPolicyIsNotAFailedBuild() {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 4);
        fleet.register(a, "a", Fleet.cell("cell"));
        List<String> one = instances(1);
        Map<String, Object> reschedule = new HashMap<>(reschedule(one.getFirst(), select(fleet.body(one, "")), b));
        reschedule.put("failed_by_policy", true);
        admin().body(reschedule).post("/v1/reschedule").then().statusCode(200);
        assertThat(allocations(one.getFirst())).isEqualTo(Map.of(b, amounts(1)));
        admin().get("/v1/compute_nodes/" + a).then().body("failed_builds", nullValue());
    }

    @Test
    void aRepeatedRescheduleReturnsTheFirstResult() throws InterruptedException {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 4);
        fleet.register(a, "a", Fleet.cell("cell"));
        fleet.register(b, "b", Fleet.cell("cell"));
        List<String> one = instances(1);
        String select = fleet.body(one, ",\"force_hosts\":[\"" + fleet.name("a") + "\"]");
        Map<String, Object> reschedule = reschedule(one.getFirst(), select(select), b);
        List<String> responses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Response response = admin().body(reschedule).post("/v1/reschedule");
            response.then().statusCode(200).body("selection.host", equalTo(fleet.name("b")));
            responses.add(response.asString());
        }
        assertThat(responses.stream().distinct()).hasSize(1);
        assertThat(allocations(one.getFirst())).isEqualTo(Map.of(b, amounts(1)));
        admin().get("/v1/instances/" + one.getFirst()).then().body("host", equalTo(fleet.name("b")));
        admin().get("/v1/compute_nodes/" + a).then().body("failed_builds", equalTo(1));
        admin().get("/v1/compute_nodes/" + b).then().body("failed_builds", nullValue());
        // The first request is refused, because the instance has moved since.
        select(select).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.already_placed"))
                .body("errors[0].detail", containsString(fleet.name("b")));

        // The reschedule was interrupted between release and claim; its lease has expired.
        deleteAllocations(one.getFirst());
        reopen("key LIKE 'reschedule:' || $1 || '%'", one.getFirst(), "-1 s");
        // The periodic cleanup may own the record for a moment.
        eventually("the instance is rescheduled",
                () -> admin().body(reschedule).post("/v1/reschedule").statusCode() == 200);
        assertThat(allocations(one.getFirst())).isEqualTo(Map.of(b, amounts(1)));
    }
}
