package io.berth.placement.audit;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that repairs of an audit and their undo are plain writes: they keep fences, and no settlement undoes them. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class AuditFencesIT {
    @Inject
    Pool pool;

    private UUID host;
    private final UUID vm = UUID.randomUUID();

    @BeforeEach
    void createConsumerWithFenceFive() {
        host = aProvider().with("VCPU", 8).insert(pool);
        put(5).statusCode(204);
    }

    @AfterEach
    void removeInconsistentRows() {
        sql("DELETE FROM allocations WHERE consumer_uuid = '%s'".formatted(vm));
        sql("DELETE FROM consumers WHERE uuid = '%s'".formatted(vm));
        sql("INSERT INTO fleet_changes (kind, object_id) VALUES (9, 0)");
    }

    @Test
    void aRemovedConsumerKeepsItsFenceAndIsRestoredWithIt() {
        String audit = repairUnknown();
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        put(5).statusCode(409).body("errors[0].fence", equalTo(5));
        undo(audit);
        put(5).statusCode(409).body("errors[0].fence", equalTo(5));
        assertThat(settle(6)).containsEntry("undone", false).containsEntry("claimed_by", null);
    }

    @Test
    void restoresAConsumerWithTheFenceOfALaterSettlement() {
        String audit = repairUnknown();
        assertThat(settle(9)).containsEntry("fence", 9);
        undo(audit);
        put(8).statusCode(409).body("errors[0].fence", equalTo(9));
    }

    @Test
    void aConsumerThatIsCreatedInheritsItsFenceAndKeepsIt() {
        sql("DELETE FROM consumers WHERE uuid = '%s'".formatted(vm));
        sql("INSERT INTO consumer_fences (uuid, fence, claimed_by) VALUES ('%s', 7, 7)".formatted(vm));
        String audit = repair("allocation_without_consumer");
        put(7).statusCode(409).body("errors[0].fence", equalTo(7));
        assertThat(settle(9)).as("raises the fence, and touches nothing else")
                .containsEntry("undone", false).containsEntry("fence", 9);
        undo(audit);
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        sql("DELETE FROM allocations WHERE consumer_uuid = '%s'".formatted(vm));
        put(8).statusCode(409).body("errors[0].fence", equalTo(9));
    }

    @Test
    void noSettlementUndoesTheRestOfARepairedConsumer() {
        sql("INSERT INTO allocations (consumer_uuid, provider_id, resource_class_id, used) VALUES ('%s', -5, 0, 9)"
                .formatted(vm));
        String audit = repair("allocation_without_provider");
        assertThat(settle(6)).containsEntry("undone", false).containsEntry("claimed_by", null);
        undo(audit);
        sql("DELETE FROM allocations WHERE provider_id = -5");
    }

    @Test
    void noSettlementUndoesAWriteAfterTheUndoOfARepair() {
        sql("INSERT INTO allocations (consumer_uuid, provider_id, resource_class_id, used) VALUES ('%s', -5, 0, 9)"
                .formatted(vm));
        String audit = repair("allocation_without_provider");
        at("1.39", claimed(1)).header("Berth-Fence", 7).put("/allocations/" + vm).then().statusCode(204);
        undo(audit);
        sql("DELETE FROM allocations WHERE provider_id = -5");
        assertThat(settle(9)).containsEntry("undone", false).containsEntry("claimed_by", null);
    }

    /** Undoes repairs from the data that an audit of a version without fences stored. */
    @Test
    void restoresDataStoredByVersionsWithoutFences() {
        String audit = repairUnknown();
        sql("UPDATE audit_changes SET before = before - 'fence' - 'claimed_by' WHERE audit_id = '%s'".formatted(audit));
        undo(audit);
        put(5).statusCode(409);
        sql("DELETE FROM consumers WHERE uuid = '%s'".formatted(vm));
        audit = repair("allocation_without_consumer");
        sql("UPDATE audit_changes SET after = after - 'fence' - 'claimed_by' WHERE audit_id = '%s'".formatted(audit));
        undo(audit);
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
    }

    // ---- helpers

    private String claimed(Integer generation) {
        return """
                {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "project_id": "p", "user_id": "u",
                 "consumer_generation": %s, "consumer_type": "INSTANCE"}""".formatted(host, generation);
    }

    private ValidatableResponse put(long fence) {
        return at("1.39", claimed(null)).header("Berth-Fence", fence).put("/allocations/" + vm).then();
    }

    /** Settles the consumer and undoes all writes with lower numbers. */
    private Map<String, Object> settle(long fence) {
        return at("1.39", """
                {"fence": %d, "consumers": [{"uuid": "%s", "undo": {"from": 1, "to": %d}}]}"""
                .formatted(fence, vm, fence - 1)).post("/berth/v1/settlements").then().statusCode(200)
                .extract().path("consumers[0]");
    }

    private String repairUnknown() {
        String body = """
                {"kinds": ["unknown_consumer"], "known_consumers": [], "settled_seconds": 0, "limit": 10000,
                 "known_from": "%s", "known_until": "%s" %s}""";
        UUID next = new UUID(vm.getMostSignificantBits(), vm.getLeastSignificantBits() + 1);
        String found = id(body.formatted(vm, next, ""));
        return at("1.39", body.formatted(vm, next, ", \"apply\": [\"%s\"]".formatted(found)))
                .post("/berth/v1/audit").then().statusCode(200).body("healed.size()", equalTo(1)).extract().path("id");
    }

    private String repair(String kind) {
        String body = "{\"kinds\": [\"%s\"], \"limit\": 10000 %s}";
        return at("1.39", body.formatted(kind, ", \"apply\": [\"%s\"]".formatted(id(body.formatted(kind, "")))))
                .post("/berth/v1/audit").then().statusCode(200).body("healed.size()", equalTo(1)).extract().path("id");
    }

    /** Returns the id of the finding about the consumer. */
    private String id(String body) {
        List<Map<String, Object>> findings =
                at("1.39", body).post("/berth/v1/audit").then().statusCode(200).extract().path("findings");
        return findings.stream().filter(finding -> finding.get("detail").toString().contains(vm.toString()))
                .map(finding -> (String) finding.get("id")).findFirst().orElseThrow();
    }

    private static void undo(String audit) {
        at("1.39").post("/berth/v1/audit/" + audit + "/undo").then().statusCode(200);
    }

    private void sql(String statement) {
        pool.query(statement).execute().await().indefinitely();
    }
}
