package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Places and moves members of server groups concurrently and checks that the allocations in a real Placement keep the
 * policy.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class GroupReservationsIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int MEMBERS = 12;

    @Inject
    Pool pool;

    private final Fleet fleet = new Fleet();
    private final List<String> hosts = new ArrayList<>();

    @AfterEach
    void restore() {
        PackagedPlacement.proxy().restore();
    }

    private void hosts(int count, int vcpus) {
        for (int i = 0; i < count; i++) {
            hosts.add(fleet.host("h" + i, vcpus));
        }
    }

    private static String group(String policy) {
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\":\"" + policy + "\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        return group;
    }

    private static String hint(String group) {
        return ",\"scheduler_hints\":{\"group\":\"" + group + "\"}";
    }

    /** A group that only the request describes. */
    private static String unregistered(String group, String policy) {
        return ",\"instance_group\":{\"uuid\":\"" + group + "\",\"policy\":\"" + policy + "\"}";
    }

    private Response place(String instance, String more) {
        return select(fleet.body(List.of(instance), more));
    }

    private Response move(String kind, String instance, String migration, String source, String more) {
        return admin().body("""
                {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(kind, instance, migration, source, fleet.spec(1, more)))
                .post("/v1/moves");
    }

    private static Response revert(String migration) {
        return admin().post("/v1/moves/" + migration + "/revert");
    }

    /** Sends all calls concurrently; returns the responses in the order of the calls. */
    private static List<Response> concurrently(List<Callable<Response>> calls)
            throws InterruptedException, ExecutionException {
        List<Future<Response>> responses;
        try (var clients = Executors.newFixedThreadPool(calls.size())) {
            responses = calls.stream().map(clients::submit).toList();
        }
        List<Response> all = new ArrayList<>();
        for (Future<Response> response : responses) {
            all.add(response.get());
        }
        return all;
    }

    private List<Response> placeConcurrently(List<String> instances, String more)
            throws InterruptedException, ExecutionException {
        return concurrently(instances.stream().map(each -> (Callable<Response>) () -> place(each, more)).toList());
    }

    /** The number of consumers that hold allocations, by compute node. */
    private static Map<String, Integer> perHost(List<String> consumers) {
        Map<String, Integer> perHost = new HashMap<>();
        consumers.forEach(each -> allocations(each).keySet().forEach(host -> perHost.merge(host, 1, Integer::sum)));
        return perHost;
    }

    private static List<Integer> statusCodes(List<Response> responses) {
        return responses.stream().map(Response::statusCode).toList();
    }

    @Test
    void concurrentAntiAffinityMembersGetDifferentHosts() throws InterruptedException, ExecutionException {
        hosts(MEMBERS, 16);
        for (int round = 0; round < 4; round++) {
            String group = group("anti-affinity");
            List<String> members = instances(MEMBERS);
            assertThat(statusCodes(placeConcurrently(members, hint(group)))).containsOnly(200);
            assertThat(perHost(members)).hasSize(MEMBERS);
            admin().get("/v1/server_groups/" + group).then()
                    .body("members", containsInAnyOrder(members.toArray()));
        }
    }

    @Test
    void keepsToMaxServerPerHostForConcurrentMembers() throws InterruptedException, ExecutionException {
        hosts(5, 16);
        for (int most = 2; most <= 3; most++) {
            String group = UUID.randomUUID().toString();
            admin().body("{\"policy\":\"anti-affinity\",\"rules\":{\"max_server_per_host\":" + most + "}}")
                    .put("/v1/server_groups/" + group).then().statusCode(201);
            List<String> members = instances(5 * most + 1);
            List<Response> responses = placeConcurrently(members, hint(group));
            assertThat(statusCodes(responses).stream().filter(status -> status == 200)).hasSize(5 * most);
            assertThat(perHost(members)).hasSize(5).containsValue(most).allSatisfy(
                    (host, there) -> assertThat(there).isPositive());
            assertThat(perHost(members).values()).containsOnly(most);
        }
    }

    @Test
    void concurrentAffinityMembersGetTheSameHost() throws InterruptedException, ExecutionException {
        hosts(6, 64);
        for (int round = 0; round < 4; round++) {
            String group = group("affinity");
            List<String> members = instances(6);
            assertThat(statusCodes(placeConcurrently(members, hint(group)))).containsOnly(200);
            assertThat(perHost(members)).hasSize(1);
        }
    }

    @Test
    void instancesOfOneRequestGetDifferentHosts() {
        hosts(2, 16);
        String group = group("anti-affinity");
        for (String named : List.of(hint(group), unregistered(UUID.randomUUID().toString(), "anti-affinity"),
                ",\"instance_group\":{\"policy\":\"anti-affinity\"}")) {
            List<String> three = instances(3);
            select(fleet.body(three, named)).then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                    .body("errors[0].detail", containsString("ServerGroupAntiAffinityFilter"));
            assertThat(perHost(three)).isEmpty();
            // The failed request left no reservation behind.
            List<String> two = instances(2);
            select(fleet.body(two, named)).then().statusCode(200);
            assertThat(perHost(two)).hasSize(2);
        }
    }

    @Test
    void appliesThePolicyOfUnregisteredGroups() throws InterruptedException, ExecutionException {
        hosts(6, 16);
        String apart = UUID.randomUUID().toString();
        List<String> members = instances(6);
        assertThat(statusCodes(placeConcurrently(members, unregistered(apart, "anti-affinity")))).containsOnly(200);
        assertThat(perHost(members)).hasSize(6);
        place(UUID.randomUUID().toString(), unregistered(apart, "anti-affinity")).then().statusCode(409);
        admin().get("/v1/server_groups/" + apart).then().statusCode(404);

        List<String> close = instances(6);
        String affinityGroup = UUID.randomUUID().toString();
        assertThat(statusCodes(placeConcurrently(close, unregistered(affinityGroup, "affinity")))).containsOnly(200);
        assertThat(perHost(close)).hasSize(1);
    }

    @Test
    void concurrentRequestsForSeveralMembersGetDifferentHosts() throws InterruptedException, ExecutionException {
        hosts(8, 16);
        String group = group("anti-affinity");
        List<List<String>> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            requests.add(instances(2));
        }
        List<Response> responses = concurrently(requests.stream()
                .map(two -> (Callable<Response>) () -> select(fleet.body(two, hint(group)))).toList());
        assertThat(statusCodes(responses)).containsOnly(200);
        assertThat(perHost(requests.stream().flatMap(List::stream).toList())).hasSize(8);
    }

    @Test
    void aRescheduleAndASelectionDoNotShareAHost() throws InterruptedException, ExecutionException {
        hosts(2, 16);
        for (int round = 0; round < 4; round++) {
            String group = group("anti-affinity");
            String failing = UUID.randomUUID().toString();
            Response placed = place(failing, hint(group));
            placed.then().statusCode(200).body("selections[0]", hasSize(2));
            String failed = new JsonArray(placed.jsonPath().getList("selections[0]"))
                    .getJsonObject(0).encode();
            String alternate = new JsonArray(placed.jsonPath().getList("selections[0]"))
                    .getJsonObject(1).encode();
            String other = UUID.randomUUID().toString();
            List<Response> responses = concurrently(List.of(
                    () -> admin()
                            .body("{\"instance_uuid\":\"" + failing + "\",\"project_id\":\"p\",\"user_id\":\"u\","
                                    + "\"failed\":" + failed + ",\"alternates\":[" + alternate + "]}")
                            .post("/v1/reschedule"),
                    () -> place(other, hint(group))));
            assertThat(statusCodes(responses)).contains(200).isSubsetOf(200, 409);
            Map<String, Integer> perHost = perHost(List.of(failing, other));
            assertThat(perHost.values()).as("after " + statusCodes(responses)).containsOnly(1);
        }
    }

    @Test
    void aMoveAndASelectionDoNotShareAHost() throws InterruptedException, ExecutionException {
        hosts(2, 16);
        for (int round = 0; round < 4; round++) {
            String group = group("anti-affinity");
            String moving = UUID.randomUUID().toString();
            place(moving, hint(group)).then().statusCode(200);
            String source = allocations(moving).keySet().iterator().next();
            String migration = UUID.randomUUID().toString();
            String other = UUID.randomUUID().toString();
            List<Response> responses = concurrently(List.of(
                    () -> move("cold", moving, migration, source, hint(group)), () -> place(other, hint(group))));
            assertThat(statusCodes(responses)).containsExactlyInAnyOrder(200, 409);
            assertThat(perHost(List.of(moving, migration, other)).values())
                    .as("after " + statusCodes(responses)).containsOnly(1);
        }
    }

    @Test
    void aMoveReservesItsOldHostUntilItEnds() {
        hosts(2, 16);
        String group = group("anti-affinity");
        String moving = UUID.randomUUID().toString();
        place(moving, hint(group)).then().statusCode(200);
        String source = allocations(moving).keySet().iterator().next();
        String migration = UUID.randomUUID().toString();
        // This request does not name the group; the instance is a member of it.
        move("resize", moving, migration, source, "").then().statusCode(200);
        String other = UUID.randomUUID().toString();
        place(other, hint(group)).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].explanation.nearest_miss.stage", equalTo("ServerGroupAntiAffinityFilter"));
        revert(migration).then().statusCode(200);
        assertThat(allocations(moving)).containsOnlyKeys(source);
        place(other, hint(group)).then().statusCode(200);
        assertThat(perHost(List.of(moving, other))).hasSize(2);
    }

    @Test
    void aConfirmedMoveFreesItsOldHost() {
        hosts(2, 16);
        String group = group("anti-affinity");
        for (String kind : List.of("cold", "evacuate")) {
            String moving = UUID.randomUUID().toString();
            place(moving, hint(group)).then().statusCode(200);
            String source = allocations(moving).keySet().iterator().next();
            String migration = UUID.randomUUID().toString();
            move(kind, moving, migration, source, hint(group)).then().statusCode(200);
            String other = UUID.randomUUID().toString();
            place(other, hint(group)).then().statusCode(409);
            if (kind.equals("cold")) {
                placement().delete("/allocations/" + migration).then().statusCode(204);
            } else {
                leave(moving, source);
            }
            place(other, hint(group)).then().statusCode(200);
            assertThat(allocations(other)).containsOnlyKeys(source);
            for (String each : List.of(moving, other)) {
                placement().delete("/allocations/" + each).then().statusCode(204);
                admin().delete("/v1/instances/" + each);
            }
        }
    }

    /** The analyses run before any decision about the group removes the reservation. */
    @Test
    void analysesTreatTheOldHostOfAConfirmedMoveAsFree() {
        hosts(2, 16);
        String group = group("anti-affinity");
        String moving = UUID.randomUUID().toString();
        place(moving, hint(group)).then().statusCode(200);
        String source = allocations(moving).keySet().iterator().next();
        String migration = UUID.randomUUID().toString();
        move("cold", moving, migration, source, hint(group)).then().statusCode(200);
        String spec = fleet.spec(1, hint(group));
        assertAnalyses(spec, source, "rejected", 0, "no_valid_host");
        placement().delete("/allocations/" + migration).then().statusCode(204);
        assertAnalyses(spec, source, "chosen", 1, "selected");
        assertThat(reservations(group)).as("analyses do not remove the reservation").isPositive();
    }

    private void assertAnalyses(String spec, String node, String verdict, int count, String result) {
        String host = fleet.name("h" + hosts.indexOf(node));
        admin().body("{\"hosts\": [\"" + host + "\"], \"request_spec\": " + spec + "}").post("/v1/explanations").then()
                .statusCode(200)
                .body("hosts[0].verdict", equalTo(verdict));
        admin().body("{\"requests\": [{\"name\": \"f\", \"request_spec\": " + spec + "}]}").post("/v1/capacity").then()
                .statusCode(200)
                .body("requests[0].count", equalTo(count));
        admin().body("{\"request_spec\": " + spec + "}").post("/v1/simulations").then()
                .statusCode(200)
                .body("result", equalTo(result));
        admin().body("{\"ask\": {\"placements\": [" + spec + "]}}").post("/v1/what_if").then()
                .statusCode(200)
                .body("after.placements[0].hosts", hasSize(count));
    }

    /** Removes the allocations on the source, as nova-compute does once an evacuated host is back. */
    @SuppressWarnings("unchecked")
    private static void leave(String instance, String source) {
        Map<String, Object> held = placement().get("/allocations/" + instance).jsonPath().getMap("");
        Map<String, Object> left = new HashMap<>((Map<String, Object>) held.get("allocations"));
        left.remove(source);
        Map<String, Object> body = new HashMap<>(held);
        body.put("allocations", left);
        placement().body(body).put("/allocations/" + instance).then().statusCode(204);
    }

    @Test
    void keptAllocationsReserveTheirHost() {
        hosts(2, 16);
        String group = group("anti-affinity");
        String evacuated = UUID.randomUUID().toString();
        place(evacuated, hint(group)).then().statusCode(200);
        String source = allocations(evacuated).keySet().iterator().next();
        String ignored = ",\"ignore_hosts\":[\"" + fleet.name("h" + hosts.indexOf(source)) + "\"]";
        select(fleet.body(List.of(evacuated), hint(group) + ignored)
                .replace("\"return_alternates\"", "\"keep_allocations\": true, \"return_alternates\""))
                .then().statusCode(200);
        assertThat(allocations(evacuated)).hasSize(2);
        String other = UUID.randomUUID().toString();
        place(other, hint(group)).then().statusCode(409);
        leave(evacuated, source);
        place(other, hint(group)).then().statusCode(200);
        assertThat(allocations(other)).containsOnlyKeys(source);
    }

    @Test
    void placesAMemberWhenTheUnlimitedCandidatesQueryFails() {
        hosts(2, 16);
        String group = group("affinity");
        List<String> two = instances(2);
        place(two.getFirst(), hint(group)).then().statusCode(200);
        PackagedPlacement.proxy().rule(
                call -> call.contains("candidates?") && !call.contains("limit=") ? Fate.REQUEST_LOST : Fate.PASSED);
        place(two.getLast(), hint(group)).then().statusCode(200);
        PackagedPlacement.proxy().restore();
        assertThat(perHost(two)).hasSize(1);
    }

    @Test
    void aFailedMoveReleasesItsReservation() {
        hosts(2, 16);
        String group = group("anti-affinity");
        String moving = UUID.randomUUID().toString();
        place(moving, hint(group)).then().statusCode(200);
        String source = allocations(moving).keySet().iterator().next();
        PackagedPlacement.proxy().rule(
                call -> call.equals("POST /allocations") ? Fate.REQUEST_LOST : Fate.PASSED);
        move("cold", moving, UUID.randomUUID().toString(), source, hint(group)).then().statusCode(503);
        PackagedPlacement.proxy().restore();
        assertThat(allocations(moving)).containsOnlyKeys(source);
        String other = UUID.randomUUID().toString();
        place(other, hint(group)).then().statusCode(200);
        assertThat(perHost(List.of(moving, other))).hasSize(2);
    }

    @Test
    void unshelvingReservesAHost() {
        hosts(2, 16);
        String group = group("anti-affinity");
        String other = UUID.randomUUID().toString();
        place(other, hint(group)).then().statusCode(200);
        String shelved = UUID.randomUUID().toString();
        admin()
                .body("{\"kind\":\"unshelve\",\"instance_uuid\":\"" + shelved + "\",\"migration_uuid\":\""
                        + UUID.randomUUID() + "\",\"request_spec\":" + fleet.spec(1, hint(group)) + "}")
                .post("/v1/moves").then().statusCode(200);
        assertThat(perHost(List.of(other, shelved))).hasSize(2);
        place(UUID.randomUUID().toString(), hint(group)).then().statusCode(409);
    }

    @Test
    void keepsAReservationUntilItsClaimIsSettled() throws InterruptedException {
        hosts(2, 16);
        String group = group("anti-affinity");
        String lost = UUID.randomUUID().toString();
        PackagedPlacement.proxy()
                .rule(call -> call.startsWith("PUT /allocations/" + lost) || call.contains("/settlements")
                        ? Fate.REQUEST_LOST
                        : Fate.PASSED);
        place(lost, hint(group)).then().statusCode(503);
        assertThat(allocations(lost)).isEmpty();
        assertThat(reservations(group)).isEqualTo(1);
        PackagedPlacement.proxy().restore();
        eventually("the reservation is free", () -> reservations(group) == 0);
        List<String> two = instances(2);
        select(fleet.body(two, hint(group))).then().statusCode(200);
        assertThat(perHost(two)).hasSize(2);
        assertThat(reservations(group)).isZero();
    }

    @Test
    void releasesReservationsOfLostClaimsAtOnce() {
        hosts(2, 16);
        String group = group("anti-affinity");
        String lost = UUID.randomUUID().toString();
        PackagedPlacement.proxy().rule(
                call -> call.startsWith("PUT /allocations/" + lost) ? Fate.REQUEST_LOST : Fate.PASSED);
        place(lost, hint(group)).then().statusCode(503);
        assertThat(reservations(group)).isZero();
        List<String> two = instances(2);
        select(fleet.body(two, hint(group))).then().statusCode(200);
    }

    @Test
    void claimsMembersOneByOneOnDifferentHostsAfterARefusal() {
        String largest = fleet.host("largest", 8);
        hosts(2, 4);
        String group = group("anti-affinity");
        AtomicBoolean isTaken = new AtomicBoolean();
        PackagedPlacement.proxy().rule(call -> {
            if (call.equals("POST /allocations") && isTaken.compareAndSet(false, true)) {
                CompletableFuture.runAsync(() -> placement().body("""
                        {"allocations": {"%s": {"resources": {"VCPU": 8}}}, "consumer_generation": null,
                         "project_id": "p", "user_id": "u"}""".formatted(largest))
                        .put("/allocations/" + UUID.randomUUID()).then().statusCode(204)).join();
            }
            return Fate.PASSED;
        });
        List<String> two = instances(2);
        select(fleet.body(two, hint(group))).then().statusCode(200);
        assertThat(isTaken).isTrue();
        assertThat(perHost(two)).containsOnlyKeys(hosts);
        assertThat(reservations(group)).isZero();
        place(UUID.randomUUID().toString(), hint(group)).then().statusCode(409);
    }

    private long reservations(String group) {
        return pool.preparedQuery("SELECT count(*) FROM server_group_reservations WHERE server_group = $1")
                .execute(Tuple.of(UUID.fromString(group)))
                .await().atMost(LIMIT)
                .iterator().next().getLong(0);
    }

    @Test
    void aDeletedInstanceLeavesItsGroup() {
        hosts(1, 16);
        String group = group("anti-affinity");
        String first = UUID.randomUUID().toString();
        place(first, hint(group)).then().statusCode(200);
        admin().get("/v1/server_groups/" + group).then().body("members", contains(first));
        placement().delete("/allocations/" + first).then().statusCode(204);
        admin().delete("/v1/instances/" + first).then().statusCode(204);
        admin().get("/v1/server_groups/" + group).then().body("members", nullValue());
        place(UUID.randomUUID().toString(), hint(group)).then().statusCode(200);
    }

    @Test
    void appliesThePolicyToForcedHosts() {
        hosts(1, 16);
        String group = group("anti-affinity");
        place(UUID.randomUUID().toString(), hint(group)).then().statusCode(200);
        place(UUID.randomUUID().toString(), hint(group) + ",\"force_hosts\":[\"" + fleet.name("h0") + "\"]").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", containsString("server group " + group));
    }

    /** Hosts that only the weighers of server groups tell apart: the weights of free resources are zero. */
    private void hostsOfEqualWeight(int count) {
        hosts(count, 16);
        List<String> names = IntStream.range(0, count).mapToObj(i -> fleet.name("h" + i)).toList();
        admin()
                .body(Map.of(
                        "name", fleet.name("alike"), "hosts", names,
                        "metadata", Map.of(
                                "ram_weight_multiplier", "0", "cpu_weight_multiplier", "0", "disk_weight_multiplier",
                                "0")))
                .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
    }

    @Test
    void softAntiAffinityMembersSpreadOverTheHosts() {
        hostsOfEqualWeight(4);
        String group = group("soft-anti-affinity");
        List<String> members = new ArrayList<>();
        for (int there = 1; there <= 2; there++) {
            for (String each : instances(4)) {
                place(each, hint(group)).then().statusCode(200);
                members.add(each);
            }
            assertThat(perHost(members)).hasSize(4);
            assertThat(perHost(members).values()).containsOnly(there);
        }
    }

    /** Concurrent members do not see each other and may share a host; a later member sees them all. */
    @Test
    void concurrentSoftAntiAffinityMembersAreNotRefused() throws InterruptedException, ExecutionException {
        hostsOfEqualWeight(4);
        String group = group("soft-anti-affinity");
        List<String> members = instances(6);
        assertThat(statusCodes(placeConcurrently(members, hint(group)))).containsOnly(200);
        admin().get("/v1/server_groups/" + group).then().body("members", containsInAnyOrder(members.toArray()));
        Map<String, Integer> before = perHost(members);
        String next = UUID.randomUUID().toString();
        place(next, hint(group)).then().statusCode(200);
        int fewest = hosts.stream().mapToInt(host -> before.getOrDefault(host, 0)).min().orElseThrow();
        assertThat(allocations(next).keySet()).as("after %s", before).hasSize(1)
                .allSatisfy(host -> assertThat(before.getOrDefault(host, 0)).isEqualTo(fewest));
    }
}
