package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.NovaCalls.call;
import static io.berth.scheduler.api.NovaCalls.instance;
import static io.berth.scheduler.api.NovaCalls.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.nova.Recorded;
import io.berth.scheduler.nova.rabbit.Conductor;
import io.berth.scheduler.nova.rabbit.RabbitForTests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs a scheduler in shadow mode. The test acts as nova-scheduler: it consumes the shared queue and claims. With a
 * prefetch of 1, the work for one message is done when the next one is recorded.
 */
@Tag("process")
class ShadowIT {
    @Order(1)
    @RegisterExtension
    static final BeforeAllCallback INSTALLED =
            context -> assumeTrue(RabbitForTests.missing() == null, RabbitForTests::missing);

    private static final boolean IS_INSTALLED = RabbitForTests.missing() == null;
    private static final RabbitForTests RABBIT = IS_INSTALLED ? new RabbitForTests() : null;
    private static final String QUEUE = "berth_shadow";

    /** The scheduler starts before nova's exchange exists. */
    @Order(2)
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(!IS_INSTALLED ? Map.of() : Map.of(
            "berth.nova.transport-url", RABBIT.url(), "berth.nova.shadow", "true", "berth.nova.prefetch", "1"));

    private final Fleet fleet = new Fleet();
    private final Queue<JsonNode> taken = new ConcurrentLinkedQueue<>();
    private final List<String> sentIds = new ArrayList<>();
    private Instant begun;
    private Conductor conductor;

    @AfterAll
    static void stop() {
        if (IS_INSTALLED) {
            RABBIT.close();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        conductor = new Conductor(RABBIT);
        begun = Instant.now();
        beNovaScheduler();
    }

    @AfterEach
    void disconnect() {
        conductor.close();
    }

    /** Declares the exchange and the queue as nova does. */
    private void beNovaScheduler() throws IOException {
        var channel = conductor.channel();
        channel.exchangeDeclare("nova", "topic", false, false, Map.of());
        channel.queueDeclare("scheduler", false, false, false, Map.of());
        channel.queueBind("scheduler", "nova", "scheduler");
        channel.basicConsume("scheduler", true, (tag, delivery) -> taken.add(Recorded.opened(delivery.getBody())),
                tag -> {});
        eventually(() -> assertThat(readers()).isOne());
    }

    private static long readers() {
        try (var connection = RABBIT.connect(); var channel = connection.createChannel()) {
            return channel.queueDeclarePassive(QUEUE).getConsumerCount();
        } catch (Exception notYet) {
            return 0;
        }
    }

    private void send(ObjectNode call) throws IOException {
        sentIds.add(conductor.prepare(call));
        conductor.send(call);
    }

    /** Returns the decision of the shadow once it waits for nova's claim. */
    private JsonNode tryRequest(ObjectNode call, String instance) throws IOException {
        send(call);
        String behind = instance();
        send(call(fleet, "boot", behind));
        decision(behind);
        return decision(instance);
    }

    private static JsonNode decision(String instance) throws IOException {
        eventually(() -> assertThat(decisions(instance).path("decisions")).hasSize(1));
        return decisions(instance).path("decisions").get(0);
    }

    private static JsonNode decisions(String instance) {
        return json("/v1/decisions?instance=" + instance);
    }

    private static JsonNode json(String path) {
        try {
            return Recorded.JSON.readTree(admin().get(path).asByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode shadow() {
        return json("/v1/shadow?limit=1000&since=" + begun);
    }

    private int count(String verdict) {
        return shadow().path("verdicts").path(verdict).asInt();
    }

    private JsonNode difference(String instance) {
        eventually(() -> assertThat(shadow().path("differences").findValuesAsText("instance_uuid")).contains(instance));
        for (JsonNode each : shadow().path("differences")) {
            if (each.path("instance_uuid").asText().equals(instance)) {
                return each;
            }
        }
        throw new AssertionError("gone again");
    }

    private static void claim(String instance, String provider) {
        claim(instance, provider, "\"VCPU\": 1, \"MEMORY_MB\": 512, \"DISK_GB\": 10");
    }

    private static void claim(String instance, String provider, String resources) {
        Fleet.placement().body("""
                        {"allocations": {"%s": {"resources": {%s}}},
                         "consumer_generation": null, "project_id": "p", "user_id": "u"}""".formatted(provider, resources))
                .put("/allocations/" + instance).then().statusCode(204);
    }

    @Test
    void agreesWithNovaWithoutClaimsOrReplies() throws Exception {
        String host = fleet.host("a", 8);
        String instance = instance();
        JsonNode decision = tryRequest(call(fleet, "boot", instance), instance);
        assertThat(decision.path("kind").asText()).isEqualTo("shadow");
        assertThat(decision.path("hosts").get(0).asText()).isEqualTo(fleet.name("a"));
        assertThat(allocations(instance)).isEmpty();
        claim(instance, host);
        eventually(() -> assertThat(count("agreed")).isOne());
        assertThat(count("different")).isZero();
        // nova-scheduler received every message, and the shadow sent no reply.
        eventually(() -> assertThat(taken).hasSize(sentIds.size()));
        assertThat(sentIds).allSatisfy(id -> assertThat(conductor.replies(id)).isEmpty());
    }

    /** An ironic node has a resource class of its own and no CPUs. */
    @Test
    void aClaimOfAnyResourceOnAComputeNodeCountsAsAChoice() throws Exception {
        String host = fleet.host("a", 8);
        fleet.register(host, "a", Fleet.cell("c"));
        String instance = instance();
        tryRequest(call(fleet, "boot", instance), instance);
        claim(instance, host, "\"DISK_GB\": 10");
        eventually(() -> assertThat(count("agreed")).isOne());
    }

    @Test
    void namesTheWeigherThatMadeTheDifference() throws Exception {
        fleet.host("large", 16);
        String small = fleet.host("small", 8);
        String instance = instance();
        JsonNode decision = tryRequest(call(fleet, "boot", instance), instance);
        claim(instance, small);
        JsonNode difference = difference(instance);
        assertThat(difference.path("reason").asText()).isEqualTo("weight");
        assertThat(difference.path("by").asText()).endsWith("Weigher");
        assertThat(difference.path("host").asText()).isEqualTo(fleet.name("large"));
        assertThat(difference.path("nova_host").asText()).isEqualTo(fleet.name("small"));
        assertThat(difference.path("weight").asDouble()).isGreaterThan(difference.path("nova_weight").asDouble());
        assertThat(difference.path("decision_id")).isEqualTo(decision.path("decision_id"));
    }

    /**
     * The test depends on the clock: the claim must be less than a minute old when the next request is tried. Hence it
     * is for long runs only.
     */
    @Tag("long")
    @Test
    void reportsAnOlderViewWhenNovaMayHaveMissedRecentClaims() throws Exception {
        String large = fleet.host("large", 10);
        fleet.host("small", 8);
        String before = instance();
        tryRequest(call(fleet, "boot", before), before);
        claim(before, large, "\"VCPU\": 4, \"MEMORY_MB\": 2048, \"DISK_GB\": 40");
        eventually(() -> assertThat(count("agreed")).isOne());
        String instance = instance();
        tryRequest(call(fleet, "boot", instance), instance);
        claim(instance, large);
        JsonNode difference = difference(instance);
        assertThat(difference.path("reason").asText()).isEqualTo("older_view");
        assertThat(difference.path("host").asText()).isEqualTo(fleet.name("small"));
        assertThat(difference.path("detail").asText())
                .contains("; without the claims of the previous minute: ").endsWith("rank 1");
    }

    @Test
    void aHostOfEqualWeightIsNoDifference() throws Exception {
        Map<String, String> hosts =
                Map.of(fleet.name("a"), fleet.host("a", 8), fleet.name("b"), fleet.host("b", 8));
        String instance = instance();
        String ours = tryRequest(call(fleet, "boot", instance), instance).path("hosts").get(0).asText();
        claim(instance, hosts.get(ours.equals(fleet.name("a")) ? fleet.name("b") : fleet.name("a")));
        eventually(() -> assertThat(count("equal_weight")).isOne());
    }

    @Test
    void reportsAHostThatPlacementDidNotOffer() throws Exception {
        fleet.host("a", 8);
        String other = new Fleet().host("other", 8);
        String instance = instance();
        tryRequest(call(fleet, "boot", instance), instance);
        claim(instance, other);
        assertThat(difference(instance).path("reason").asText()).isEqualTo("not_a_candidate");
    }

    @Test
    void reportsThatTheFleetChangedMeanwhile() throws Exception {
        String large = fleet.host("large", 9);
        String small = fleet.host("small", 8);
        String[] instances = {instance(), instance()};
        send(call(fleet, "boot", instances[0]));
        tryRequest(call(fleet, "boot", instances[1]), instances[1]);
        claim(instances[0], large);
        claim(instances[1], small);
        assertThat(difference(instances[1]).path("reason").asText()).isIn("fleet_changed", "weight");
        eventually(() -> assertThat(count("agreed")).isOne());
    }

    @Test
    void ignoresClaimsFromBeforeTheRequest() throws Exception {
        String host = fleet.host("a", 8);
        String instance = instance();
        claim(instance, host);
        tryRequest(call(fleet, "boot", instance), instance);
        eventually(() -> assertThat(shadow().path("reasons").findValuesAsText("reason")).contains("late"));
        assertThat(count("agreed")).isZero();
    }

    @Test
    void ignoresTheOldHostOfAnEvacuatedInstance() throws Exception {
        String old = fleet.host("old", 8);
        String next = fleet.host("next", 8);
        String instance = instance();
        claim(instance, old);
        ObjectNode call = call(fleet, "dest-cell_ignore1_noalt", instance);
        spec(call).putNull("requested_destination").putArray("ignore_hosts").add(fleet.name("old"));
        tryRequest(call, instance);
        Integer generation = Fleet.placement().get("/allocations/" + instance).jsonPath().get("consumer_generation");
        Fleet.placement().body("""
                        {"allocations": {"%s": {"resources": {"VCPU": 1}}, "%s": {"resources": {"VCPU": 1}}},
                         "consumer_generation": %d, "project_id": "p", "user_id": "u"}"""
                .formatted(old, next, generation))
                .put("/allocations/" + instance).then().statusCode(204);
        eventually(() -> assertThat(count("agreed")).isOne());
    }

    @Tag("long")
    @Test
    void reportsRequestsWithoutAClaim() throws Exception {
        String instance = instance();
        tryRequest(call(fleet, "boot", instance), instance);
        fleet.host("a", 8);
        String other = instance();
        tryRequest(call(fleet, "boot", other), other);
        // Both follow within a minute, the time limit for a claim.
        eventually(() -> assertThat(count("both_refused")).isPositive());
        eventually(() -> assertThat(shadow().path("reasons").findValuesAsText("reason")).contains("no_claim"));
    }

    /** After the switch from nova-scheduler each such request would fail. */
    @Test
    void reportsRequestsThatItCannotRead() throws Exception {
        String instance = instance();
        ObjectNode call = call(fleet, "boot", instance);
        ((ObjectNode) call.at("/args/spec_obj/nova_object.data")).put("force_hosts", "many");
        send(call);
        eventually(() -> assertThat(shadow().path("reasons").findValuesAsText("reason")).contains("failed"));
    }

    @Test
    void reconnectsAfterRabbitMqRestarts() throws Exception {
        String host = fleet.host("a", 8);
        RABBIT.kill();
        RABBIT.start();
        conductor.connect(RABBIT);
        conductor.listen();
        beNovaScheduler();
        String instance = instance();
        tryRequest(call(fleet, "boot", instance), instance);
        claim(instance, host);
        eventually(() -> assertThat(count("agreed")).isOne());
    }

    @Tag("long")
    @Test
    void aThousandConcurrentMessagesAllReachNova() throws Exception {
        fleet.host("a", 8);
        for (int i = 0; i < 1_000; i++) {
            send(call(fleet, "boot", instance()));
        }
        eventually(() -> assertThat(taken).hasSize(1_000));
        eventually(() -> assertThat(waitingMessages()).isZero());
        assertThat(shadow().path("waiting").asInt()).isPositive();
        assertThat(sentIds).allSatisfy(id -> assertThat(conductor.replies(id)).isEmpty());
    }

    private static long waitingMessages() {
        try (var connection = RABBIT.connect(); var channel = connection.createChannel()) {
            return channel.messageCount(QUEUE);
        } catch (Exception notThere) {
            return -1;
        }
    }
}
