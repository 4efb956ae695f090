package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.NovaCalls.askedAt;
import static io.berth.scheduler.api.NovaCalls.call;
import static io.berth.scheduler.api.NovaCalls.instance;
import static io.berth.scheduler.api.NovaCalls.selected;
import static io.berth.scheduler.api.NovaCalls.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.nova.database.NovaTables;
import io.berth.scheduler.nova.rabbit.Conductor;
import io.berth.scheduler.nova.rabbit.RabbitForTests;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Calls over RabbitMQ whose caller may have timed out before the response: the scheduler finds out from nova's
 * databases and releases claims that are no longer wanted. With a prefetch of 1, a response implies that all work of
 * earlier calls is done.
 */
@Tag("process")
class NobodyWaitsIT {
    @Order(1)
    @RegisterExtension
    static final BeforeAllCallback INSTALLED =
            context -> assumeTrue(RabbitForTests.missing() == null, RabbitForTests::missing);

    private static final boolean IS_INSTALLED = RabbitForTests.missing() == null;
    private static final Vertx VERTX = IS_INSTALLED ? Vertx.vertx() : null;
    private static final RabbitForTests RABBIT = IS_INSTALLED ? new RabbitForTests() : null;
    /** NOVA[0] is the API database, NOVA[1] that of the only cell. */
    private static final NovaTables[] NOVA =
            IS_INSTALLED ? NovaTables.of(PostgresForTests.url(), UUID.randomUUID(), VERTX) : null;

    @Order(2)
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(!IS_INSTALLED ? Map.of() : Map.of(
            "berth.nova.transport-url", RABBIT.url(),
            "berth.nova.prefetch", "1",
            "berth.nova.api-database", NOVA[0].connection(),
            "berth.scheduler.default.service-down-time", "86400"));

    private final Fleet fleet = new Fleet();
    private Conductor conductor;

    @AfterAll
    static void stop() {
        if (IS_INSTALLED) {
            RABBIT.close();
            VERTX.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        conductor = new Conductor(RABBIT);
        eventually(() -> assertThat(NovaCalls.readers(RABBIT)).isOne());
    }

    @AfterEach
    void disconnect() {
        conductor.close();
    }

    private String host(String name) {
        String uuid = fleet.host(name, 8);
        NOVA[1].host(UUID.fromString(uuid), fleet.name(name));
        return uuid;
    }

    private static ObjectNode late(ObjectNode call) {
        return askedAt(call, Instant.now().minus(Duration.ofMinutes(2)));
    }

    private JsonNode sendAndAwait(ObjectNode call) throws Exception {
        String id = conductor.prepare(call);
        conductor.send(call);
        return NovaCalls.answer(conductor, id);
    }

    private static void hold(String instance, String provider, Integer generation) {
        Fleet.placement().body("""
                        {"allocations": {"%s": {"resources": {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 10}}},
                         "consumer_generation": %s, "project_id": "p", "user_id": "u"}""".formatted(provider, generation))
                .put("/allocations/" + instance).then().statusCode(204);
    }

    /** Waits until all work of earlier calls is done: places an instance whose caller has not timed out. */
    private String awaitEarlierCalls() throws Exception {
        String instance = instance();
        selected(sendAndAwait(call(fleet, "boot", instance)));
        return instance;
    }

    @Test
    void releasesAClaimWhoseCallerTimedOut() throws Exception {
        host("a");
        String instance = instance();
        selected(sendAndAwait(late(call(fleet, "boot", instance))));
        String other = awaitEarlierCalls();
        assertThat(allocations(instance)).isEmpty();
        assertThat(allocations(other)).hasSize(1);
    }

    @Test
    void keepsAClaimWhoseCallerContinues() throws Exception {
        String host = host("a");
        String instance = instance();
        NOVA[0].buildRequest(UUID.fromString(instance));
        selected(sendAndAwait(late(call(fleet, "boot", instance))));
        NOVA[1].run("INSERT INTO instances (id, uuid, host) VALUES (?, ?, ?)", 1, instance, fleet.name("a"));
        NOVA[0].run("DELETE FROM build_requests");
        awaitEarlierCalls();
        assertThat(allocations(instance)).isEqualTo(Map.of(host, amounts(1)));
    }

    /** A compute clears the task of an instance before it writes its host. */
    @Test
    void keepsAClaimWhileAComputeStartsTheInstance() throws Exception {
        String host = host("a");
        String instance = instance();
        NOVA[1].run("INSERT INTO instances (id, uuid, vm_state) VALUES (?, ?, 'building')", 3, instance);
        selected(sendAndAwait(late(call(fleet, "boot", instance))));
        NOVA[1].run("UPDATE instances SET host = ? WHERE uuid = ?", fleet.name("a"), instance);
        awaitEarlierCalls();
        assertThat(allocations(instance)).isEqualTo(Map.of(host, amounts(1)));
    }

    @Test
    void releasesAllClaimsOfARequestOrNone() throws Exception {
        host("a");
        String[] gone = {instance(), instance()};
        selected(sendAndAwait(late(call(fleet, "boot", gone))));
        String[] there = {instance(), instance()};
        NOVA[1].run("INSERT INTO instances (id, uuid, host) VALUES (?, ?, ?)", 2, there[1], fleet.name("a"));
        selected(sendAndAwait(late(call(fleet, "boot", there))));
        awaitEarlierCalls();
        assertThat(gone).allSatisfy(each -> assertThat(allocations(each)).isEmpty());
        assertThat(there).allSatisfy(each -> assertThat(allocations(each)).hasSize(1));
    }

    @Test
    void keepsAllocationsFromBeforeTheCall() throws Exception {
        String old = host("a");
        String next = host("b");
        String instance = NOVA[1].instance(fleet.name("a")).toString();
        hold(instance, old, null);
        ObjectNode call = late(call(fleet, "dest-cell_ignore1_noalt", instance));
        spec(call).putNull("requested_destination").putArray("ignore_hosts").add(fleet.name("a"));
        assertThat(selected(sendAndAwait(call)).get("compute_node_uuid").textValue()).isEqualTo(next);
        awaitEarlierCalls();
        assertThat(allocations(instance)).isEqualTo(Map.of(old, amounts(1)));
    }

    @Test
    void keepsAllocationsThatWereWrittenAfterTheCall() throws Exception {
        host("a");
        String instance = instance();
        NOVA[0].buildRequest(UUID.fromString(instance));
        selected(sendAndAwait(late(call(fleet, "boot", instance))));
        // Another host claimed the instance, as in a compute's reschedule.
        String other = fleet.host("other", 8);
        Integer generation = Fleet.placement().get("/allocations/" + instance).jsonPath().get("consumer_generation");
        hold(instance, other, generation);
        NOVA[0].run("DELETE FROM build_requests");
        awaitEarlierCalls();
        assertThat(allocations(instance)).isEqualTo(Map.of(other, amounts(1)));
    }
}
