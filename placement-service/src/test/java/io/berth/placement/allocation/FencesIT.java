package io.berth.placement.allocation;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests fence numbers on writes of allocations, and settlements, over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class FencesIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final String SETTLEMENTS = "/berth/v1/settlements";

    @Inject
    Pool pool;

    @Inject
    ReleasedConsumerStore store;

    private UUID host;
    private UUID other;
    private final UUID vm = UUID.randomUUID();
    private final UUID migration = UUID.randomUUID();

    @BeforeEach
    void createHosts() {
        host = aProvider().with("VCPU", 4).insert(pool);
        other = aProvider().with("VCPU", 4).insert(pool);
    }

    // ---- the header

    @ParameterizedTest
    @ValueSource(strings = {"1.8", "1.12", "1.28", "1.38"})
    void acceptsHigherNumbersAndRepetitionsInEveryMicroversion(String version) {
        String body = "1.8".equals(version)
                ? """
                        {"allocations": [{"resource_provider": {"uuid": "%s"}, "resources": {"VCPU": 1}}],
                         "project_id": "p", "user_id": "u"}""".formatted(host)
                : "{%s %s}".formatted(
                        held(host, 1).replace(", \"consumer_type\": \"INSTANCE\"", ""),
                        "1.12".equals(version) ? "" : ", \"consumer_generation\": null"
                                + ("1.38".equals(version) ? ", \"consumer_type\": \"INSTANCE\"" : ""));
        for (int i = 0; i < 2; i++) {
            as(version).header("Berth-Fence", 5).body(body).put("/allocations/" + vm).then().statusCode(204);
        }
        assertThat(ProviderRows.generation(pool, host)).as("the repetition writes nothing").isEqualTo(1);
        ValidatableResponse refused = as(version).header("berth-fence", 4).body(body).put("/allocations/" + vm).then()
                .statusCode(409)
                .body("errors[0].fence", equalTo(5))
                .body("errors[0].consumer", equalTo(vm.toString()))
                .body("errors[0].detail", containsString("is 5: 4 is too low"));
        if ("1.8".equals(version) || "1.12".equals(version)) {
            refused.body("errors[0]", not(hasKey("code")));
        } else {
            refused.body("errors[0].code", equalTo("berth.fenced"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "-1", "+1", "01", "1.0", "1e3", "x", "9223372036854775808", "99999999999999999999"})
    void refusesInvalidNumbers(String number) {
        for (String method : new String[] {"PUT", "POST", "DELETE"}) {
            as("1.38").header("Berth-Fence", number).body("{}")
                    .request(method, "/allocations" + ("POST".equals(method) ? "" : "/" + vm)).then()
                    .statusCode(400)
                    .body("errors[0].detail", containsString("Berth-Fence must be a whole number"));
        }
    }

    @Test
    void acceptsTheGreatestNumber() {
        put("9223372036854775807", vm, host, 1, null).statusCode(204);
        put("9223372036854775806", vm, host, 1, 1).statusCode(409).body("errors[0].fence", equalTo(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Berth-Fense", "berth-", "BERTH-OTHER"})
    void refusesUnknownHeadersThatBeginWithBerth(String name) {
        as("1.38").header(name, 5).body("{%s}".formatted(claimed(host, 1, null))).put("/allocations/" + vm).then()
                .statusCode(400)
                .body("errors[0].detail", containsString("does not take the header " + name));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
    }

    @Test
    void refusesTwoNumbersAndNumbersOnAReshape() {
        as("1.38").header("Berth-Fence", 5, 6).body("{%s}".formatted(claimed(host, 1, null))).put("/allocations/" + vm)
                .then().statusCode(400).body("errors[0].detail", containsString("is given twice"));
        as("1.38").header("Berth-Fence", 5).body("{\"inventories\": {}, \"allocations\": {}}").post("/reshaper").then()
                .statusCode(400).body("errors[0].detail", containsString("does not take the header Berth-Fence"));
    }

    @Test
    void acceptsNumbersOnDeletions() {
        put("5", vm, host, 1, null).statusCode(204);
        delete("4", vm).statusCode(409).body("errors[0].fence", equalTo(5));
        delete("6", vm).statusCode(204);
        delete("6", vm).statusCode(204);
        delete("7", vm).statusCode(404);
        put("6", vm, host, 1, null).statusCode(204);
        assertThat(ProviderRows.used(pool, host, "VCPU")).as("a repetition writes nothing").isZero();
        put("7", vm, host, 1, null).statusCode(204);
        delete("5", vm).statusCode(409);
        as("1.38").delete("/allocations/" + vm).then().statusCode(204);
        put("6", vm, host, 1, null).statusCode(409).body("errors[0].fence", equalTo(7));
    }

    @Test
    void writesSeveralConsumersOrNone() {
        put("7", migration, host, 1, null).statusCode(204);
        String both = "{\"%s\": {%s}, \"%s\": {%s}}".formatted(
                vm, claimed(host, 1, null), migration, claimed(other, 1, 1));
        for (int number : new int[] {6, 7}) {
            as("1.38").header("Berth-Fence", number).body(both).post("/allocations").then()
                    .statusCode(409)
                    .body("errors[0].consumer", equalTo(migration.toString()))
                    .body("errors[0].fence", equalTo(7));
        }
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        for (int i = 0; i < 2; i++) {
            as("1.38").header("Berth-Fence", 8).body(both).post("/allocations").then().statusCode(204);
        }
        assertThat(ProviderRows.used(pool, other, "VCPU")).isEqualTo(1);
        settle(9, one(vm, null, null)).statusCode(200).body("consumers[0].claimed_by", equalTo(8));
    }

    /** Writes on upstream's routes succeed after any fence numbers. */
    @Test
    void neverFencesAWriteWithoutTheHeader() {
        put("5", vm, host, 1, null).statusCode(204);
        settle(9, one(vm, null, null)).statusCode(200);
        put(null, vm, host, 2, 1).statusCode(204);
        settle(9, one(vm, "5", null)).statusCode(200)
                .body("consumers[0].claimed_by", nullValue())
                .body("consumers[0].undone", equalTo(false))
                .body("consumers[0].consumer_generation", equalTo(2));
        put("9", vm, host, 1, 2).statusCode(409).body("errors[0].fence", equalTo(9));
        as("1.38").delete("/allocations/" + vm).then().statusCode(204);
        put(null, vm, host, 1, null).statusCode(204);
        put("9", vm, host, 1, 1).statusCode(409).body("errors[0].fence", equalTo(9));
        put("10", vm, host, 1, 1).statusCode(204);
    }

    // ---- settlements

    @Test
    void aSettlementUndoesAMoveAndReturnsTheAllocations() {
        put(null, vm, host, 4, null).statusCode(204);
        as("1.38").header("Berth-Fence", 257).body("{\"%s\": {%s}, \"%s\": {%s}}".formatted(
                migration, claimed(host, 4, null), vm, claimed(other, 4, 1)))
                .post("/allocations").then().statusCode(204);
        String undo = "{\"from\": 256, \"to\": 511}";
        JsonPath settled = settle(512, one(vm, undo, "{%s}".formatted(held(host, 4))), one(migration, undo, null))
                .statusCode(200)
                .body("undo_refused", nullValue())
                .extract().jsonPath();
        assertThat(settled.getMap("consumers[0]")).containsExactlyInAnyOrderEntriesOf(JsonPath.from("""
                {"uuid": "%s", "fence": 512, "claimed_by": 512, "undone": true, "consumer_generation": 3,
                 "project_id": "p", "user_id": "u", "consumer_type": "INSTANCE",
                 "allocations": {"%s": {"generation": %d, "resources": {"VCPU": 4}}}}"""
                .formatted(vm, host, ProviderRows.generation(pool, host))).getMap("$"));
        assertThat(settled.getMap("consumers[1]")).containsExactlyInAnyOrderEntriesOf(JsonPath.from("""
                {"uuid": "%s", "fence": 512, "claimed_by": 512, "undone": true, "consumer_generation": null,
                 "project_id": null, "user_id": null, "consumer_type": null, "allocations": {}}"""
                .formatted(migration)).getMap("$"));
        settle(512, one(vm, undo, null), one(migration, undo, null)).statusCode(200)
                .body("consumers[0].undone", equalTo(false))
                .body("consumers[0].allocations", hasKey(host.toString()));
        settle(511, one(vm, null, null)).statusCode(409)
                .body("errors[0].code", equalTo("berth.fenced"))
                .body("errors[0].fence", equalTo(512));
    }

    /** A client can restore the response of a GET. */
    @Test
    void restoresTheResponseOfAGet() {
        as("1.0").body("""
                {"allocations": [{"resource_provider": {"uuid": "%s"}, "resources": {"VCPU": 1}}]}""".formatted(host))
                .put("/allocations/" + vm).then().statusCode(204);
        String read = as("1.38").get("/allocations/" + vm).then().statusCode(200).extract().asString();
        put("5", vm, other, 1, 1).statusCode(204);
        settle(6, one(vm, "5", read)).statusCode(200)
                .body("consumers[0].undone", equalTo(true))
                .body("consumers[0].allocations", hasKey(host.toString()));
    }

    @Test
    void raisesTheFenceAndReportsWhyTheUndoIsRefused() {
        put("5", vm, other, 4, null).statusCode(204);
        put(null, UUID.randomUUID(), host, 1, null).statusCode(204);
        settle(9, one(vm, "5", "{%s}".formatted(held(host, 4)))).statusCode(200)
                .body("undo_refused.code", equalTo("placement.undefined_code"))
                .body("undo_refused.detail", containsString("would exceed the capacity"))
                .body("consumers[0].undone", equalTo(false))
                .body("consumers[0].fence", equalTo(9))
                .body("consumers[0].claimed_by", equalTo(5))
                .body("consumers[0].allocations", hasKey(other.toString()));
        settle(9, one(vm, "5", "{%s}".formatted(held(UUID.randomUUID(), 4)))).statusCode(200)
                .body("undo_refused.detail", containsString("that does not exist"));
        settle(9, one(vm, "5", null)).statusCode(200)
                .body("consumers[0].undone", equalTo(true))
                .body("consumers[0].allocations", anEmptyMap());
    }

    @Test
    void keepsATombstoneUntilItsRetentionEnds() {
        settle(9, one(vm, null, null)).statusCode(200).body("consumers[0].fence", equalTo(9));
        store.pruneFences(Duration.ofDays(7)).await().atMost(ANSWER_MAX);
        put("8", vm, host, 1, null).statusCode(409);
        pool.preparedQuery("UPDATE consumer_fences SET at = now() - interval '8 days' WHERE uuid = $1")
                .execute(Tuple.of(vm)).await().atMost(ANSWER_MAX);
        settle(9, one(vm, null, null)).statusCode(200);
        store.pruneFences(Duration.ofDays(7)).await().atMost(ANSWER_MAX);
        put("8", vm, host, 1, null).statusCode(409);
        pool.preparedQuery("UPDATE consumer_fences SET at = now() - interval '8 days' WHERE uuid = $1")
                .execute(Tuple.of(vm)).await().atMost(ANSWER_MAX);
        store.pruneFences(Duration.ofDays(7)).await().atMost(ANSWER_MAX);
        put("8", vm, host, 1, null).statusCode(204);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                                   | 'fence'
            {"fence": 0, "consumers": [{"uuid": "VM"}]}                                          | 0
            {"fence": 9223372036854775808, "consumers": [{"uuid": "VM"}]}                        | 9223372036854775808
            {"fence": "9", "consumers": [{"uuid": "VM"}]}                                        | '9'
            {"fence": 9, "consumers": []}                                                        | []
            {"fence": 9, "consumers": [{"uuid": "x"}]}                                           | 'x'
            {"fence": 9, "consumers": [{"uuid": "VM"}, {"uuid": "VM"}]}                          | named twice
            {"fence": 9, "consumers": [{"uuid": "VM", "undo": 9}]}                               | below the fence
            {"fence": 9, "consumers": [{"uuid": "VM", "undo": 0}]}                               | 0
            {"fence": 9, "consumers": [{"uuid": "VM", "undo": {"from": 3, "to": 2}}]}            | the lower one first
            {"fence": 9, "consumers": [{"uuid": "VM", "undo": {"from": 3}}]}                     | 'to'
            {"fence": 9, "consumers": [{"uuid": "VM", "restore": {"allocations": {}, "project_id": "p", "user_id": "u"}}]} | needs undo
            {"fence": 9, "consumers": [{"uuid": "VM", "undo": 3, "restore": {"allocations": {}}}]} | project_id
            {"fence": 9, "consumers": [{"uuid": "VM", "other": 1}]}                              | other
            """)
    void refusesInvalidSettlements(String body, String named) {
        as("1.38").body(body.replace("VM", vm.toString())).post(SETTLEMENTS).then()
                .statusCode(400)
                .body("errors[0].detail", containsString(named));
    }

    @Test
    void refusesMoreThanAThousandConsumersPerSettlement() {
        String[] consumers = new String[1_001];
        for (int i = 0; i < consumers.length; i++) {
            consumers[i] = one(UUID.randomUUID(), null, null);
        }
        settle(9, consumers).statusCode(400);
        consumers[1_000] = "";
        settle(9, java.util.Arrays.copyOf(consumers, 1_000)).statusCode(200);
    }

    @Test
    void refusesCallersWithoutPermissionToSettle() {
        given().contentType("application/json").body("{}").post(SETTLEMENTS).then().statusCode(401);
        given().header("x-auth-token", "someone").contentType("application/json").body("{}").post(SETTLEMENTS).then()
                .statusCode(403).body("errors[0].detail", containsString("placement:allocations:settle"));
    }

    // ---- helpers

    private static RequestSpecification as(String version) {
        return given().header("x-auth-token", "admin")
                .header("openstack-api-version", "placement " + version)
                .contentType("application/json");
    }

    private static String held(UUID provider, int vcpus) {
        return """
                "allocations": {"%s": {"resources": {"VCPU": %d}}}, "project_id": "p", "user_id": "u", "consumer_type": "INSTANCE\""""
                .formatted(provider, vcpus);
    }

    private static String claimed(UUID provider, int vcpus, Integer generation) {
        return held(provider, vcpus) + ", \"consumer_generation\": " + generation;
    }

    private static ValidatableResponse put(String fence, UUID consumer, UUID provider, int vcpus, Integer generation) {
        RequestSpecification request = as("1.38").body("{%s}".formatted(claimed(provider, vcpus, generation)));
        return (fence == null ? request : request.header("Berth-Fence", fence)).put("/allocations/" + consumer).then();
    }

    private static ValidatableResponse delete(String fence, UUID consumer) {
        return as("1.38").header("Berth-Fence", fence).delete("/allocations/" + consumer).then();
    }

    /** @param undo a number or a range, or null for none */
    private static String one(UUID consumer, String undo, String restore) {
        return "{\"uuid\": \"%s\", \"undo\": %s, \"restore\": %s}".formatted(consumer, undo, restore);
    }

    private static ValidatableResponse settle(long fence, String... consumers) {
        return as("1.38").body("{\"fence\": %d, \"consumers\": [%s]}".formatted(fence, String.join(", ", consumers)))
                .post(SETTLEMENTS).then();
    }
}
