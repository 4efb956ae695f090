package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.NovaCalls.instance;
import static io.berth.scheduler.api.NovaCalls.selected;
import static io.berth.scheduler.api.NovaCalls.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.model.DatabaseUrl;
import io.berth.scheduler.nova.Recorded;
import io.berth.scheduler.nova.rabbit.Conductor;
import io.berth.scheduler.nova.rabbit.RabbitForTests;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
 * Two packaged schedulers in place of nova-scheduler: sends nova-conductor's calls over RabbitMQ and checks the replies
 * and the allocations in Placement.
 */
@Tag("process")
class InNovasPlaceIT {
    @Order(1)
    @RegisterExtension
    static final BeforeAllCallback INSTALLED =
            context -> assumeTrue(RabbitForTests.missing() == null, RabbitForTests::missing);

    private static final RabbitForTests RABBIT = RabbitForTests.missing() == null ? new RabbitForTests() : null;
    private static final String CELL = UUID.randomUUID().toString();

    @Order(2)
    @RegisterExtension
    static final PackagedScheduler ONE = new PackagedScheduler(options("one"));

    @Order(3)
    @RegisterExtension
    static final PackagedScheduler OTHER = new PackagedScheduler(options("other"));

    private final Fleet fleet = new Fleet();
    private Conductor conductor;

    private static Map<String, String> options(String host) {
        return RABBIT == null
                ? Map.of()
                : Map.of("berth.nova.transport-url", RABBIT.url(), "berth.nova.host", host, "berth.nova.cell", CELL);
    }

    @AfterAll
    static void stop() {
        if (RABBIT != null) {
            RABBIT.close();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        conductor = new Conductor(RABBIT);
        eventually(() -> assertThat(NovaCalls.readers(RABBIT)).isEqualTo(2));
    }

    @AfterEach
    void disconnect() {
        conductor.close();
    }

    private ObjectNode call(String recording, String... instances) {
        return NovaCalls.call(fleet, recording, instances);
    }

    private JsonNode sendAndAwait(ObjectNode call) throws Exception {
        String id = conductor.prepare(call);
        conductor.send(call);
        return answer(id);
    }

    private JsonNode answer(String id) {
        return NovaCalls.answer(conductor, id);
    }

    private static JsonNode failure(JsonNode answer) throws Exception {
        assertThat(answer.get("failure").isTextual()).as(answer.toString()).isTrue();
        return Recorded.JSON.readTree(answer.get("failure").textValue());
    }

    @Test
    void claimsTheSelectedHostInPlacement() throws Exception {
        String host = fleet.host("a", 8);
        String cell = Fleet.cell("cell");
        fleet.register(host, "a", cell);
        admin()
                .body(Map.of("name", fleet.name("zone"), "hosts", List.of(fleet.name("a")),
                        "metadata", Map.of("availability_zone", "north")))
                .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
        String instance = instance();
        JsonNode selection = selected(sendAndAwait(call("boot", instance)));
        assertThat(selection.get("compute_node_uuid").textValue()).isEqualTo(host);
        assertThat(selection.get("service_host").textValue()).isEqualTo(fleet.name("a"));
        assertThat(selection.get("cell_uuid").textValue()).isEqualTo(cell);
        assertThat(selection.get("availability_zone").textValue()).isEqualTo("north");
        JsonNode claim = Recorded.JSON.readTree(selection.get("allocation_request").textValue());
        assertThat(claim.at("/allocations/" + host + "/resources/VCPU").intValue()).isEqualTo(1);
        assertThat(claim.at("/mappings/").get(0).textValue()).isEqualTo(host);
        assertThat(allocations(instance)).isEqualTo(Map.of(host, amounts(1)));
    }

    @Test
    void unregisteredHostsAreInTheConfiguredCell() throws Exception {
        fleet.host("a", 8);
        JsonNode selection = selected(sendAndAwait(call("boot", instance())));
        assertThat(selection.get("cell_uuid").textValue()).isEqualTo(CELL);
        assertThat(selection.get("availability_zone").textValue()).isEqualTo("nova");
    }

    @Test
    void returnsNoValidHostAsNovaDoes() throws Exception {
        JsonNode failure = failure(sendAndAwait(call("boot", instance())));
        assertThat(failure.get("class").textValue()).isEqualTo("NoValidHost");
        assertThat(failure.get("module").textValue()).isEqualTo("nova.exception");
        assertThat(failure.at("/kwargs/reason").textValue()).isEmpty();
    }

    private String reason(ObjectNode call) throws Exception {
        JsonNode failure = failure(sendAndAwait(call));
        assertThat(failure.get("class").textValue()).isEqualTo("NoValidHost");
        return failure.at("/kwargs/reason").textValue();
    }

    @Test
    void returnsNovasReasonForAnUnknownForcedHost() throws Exception {
        ObjectNode call = call("forced_az", instance());
        spec(call).putArray("force_hosts").add("nowhere");
        assertThat(reason(call)).isEqualTo("No such host - host: nowhere node: None ");
        spec(call).putArray("force_hosts");
        spec(call).putArray("force_nodes").add("nobody");
        assertThat(reason(call)).isEqualTo("No such host - host: None node: nobody ");
    }

    @Test
    void givesNoReasonWhenPlacementRefusesTheQuery() throws Exception {
        fleet.host("a", 8);
        ObjectNode call = call("boot", instance());
        ((ObjectNode) spec(call).at("/flavor/nova_object.data/extra_specs"))
                .put("resources1:VGPU", "1").put("resources2:VGPU", "1");
        assertThat(reason(call)).isEmpty();
    }

    @Test
    void aMessageRedeliveredToAnotherSchedulerGetsTheSameReply() throws Exception {
        fleet.host("a", 8);
        fleet.host("b", 8);
        String instance = instance();
        ObjectNode call = call("boot", instance);
        String id = conductor.prepare(call);
        for (String host : List.of("one", "other")) {
            conductor.channel().basicPublish("nova", "scheduler." + host, null, Recorded.body(call));
        }
        eventually(() -> assertThat(conductor.answers(id)).hasSize(2));
        assertThat(conductor.answers(id).getFirst().get("result"))
                .isEqualTo(conductor.answers(id).getLast().get("result"));
        assertThat(allocations(instance)).hasSize(1);
    }

    @Test
    void repliesOnceToEachOfManyCalls() throws Exception {
        String a = fleet.host("a", 20);
        String b = fleet.host("b", 20);
        List<String> ids = new ArrayList<>();
        List<String> instances = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            instances.add(instance());
            ObjectNode call = call("boot", instances.getLast());
            ids.add(conductor.prepare(call));
            conductor.send(call);
        }
        for (String id : ids) {
            selected(answer(id));
        }
        assertThat(ids).allSatisfy(id -> assertThat(conductor.answers(id)).hasSize(1));
        assertThat(instances).allSatisfy(each -> assertThat(allocations(each)).hasSize(1).containsAnyOf(
                Map.entry(a, amounts(1)), Map.entry(b, amounts(1))));
    }

    @Test
    void placesMembersOfAnAntiAffinityGroupOnDifferentHosts() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            fleet.register(fleet.host(name, 8), name, Fleet.cell(name));
        }
        String[] instances = {instance(), instance(), instance()};
        ObjectNode call = call("multi3_group", instances);
        String group = UUID.randomUUID().toString();
        ObjectNode members = (ObjectNode) spec(call).at("/instance_group/nova_object.data");
        members.put("uuid", group).putArray("members").addAll((ArrayNode) call.at("/args/instance_uuids"));
        ((ObjectNode) spec(call).get("scheduler_hints")).putArray("group").add(group);
        JsonNode answer = sendAndAwait(call);
        assertThat(answer.get("failure").textValue()).isNull();
        Set<String> hosts = new HashSet<>();
        answer.get("result").forEach(list -> hosts.add(list.at("/0/nova_object.data/service_host").textValue()));
        assertThat(hosts).hasSize(3);
    }

    @Test
    void anEvacuationKeepsTheOldAllocations() throws Exception {
        String old = fleet.host("a", 8);
        String instance = fleet.instanceOn("a");
        String next = fleet.host("b", 8);
        ObjectNode call = call("dest-cell_ignore1_noalt", instance);
        spec(call).putNull("requested_destination").putArray("ignore_hosts").add(fleet.name("a"));
        assertThat(selected(sendAndAwait(call)).get("compute_node_uuid").textValue()).isEqualTo(next);
        assertThat(allocations(instance)).isEqualTo(Map.of(old, amounts(1), next, amounts(1)));
    }

    @Test
    void aRedeliveredEvacuationReturnsTheSameHost() throws Exception {
        String old = fleet.host("a", 8);
        String instance = fleet.instanceOn("a");
        fleet.host("b", 8);
        fleet.host("c", 8);
        ObjectNode call = call("dest-cell_ignore1_noalt", instance);
        spec(call).putNull("requested_destination").putArray("ignore_hosts").add(fleet.name("a"));
        String id = conductor.prepare(call);
        conductor.channel().basicPublish("nova", "scheduler.one", null, Recorded.body(call));
        String chosen = selected(answer(id)).get("compute_node_uuid").textValue();
        conductor.channel().basicPublish("nova", "scheduler.other", null, Recorded.body(call));
        eventually(() -> assertThat(conductor.answers(id)).hasSize(2));
        assertThat(selected(conductor.answers(id).getLast()).get("compute_node_uuid").textValue()).isEqualTo(chosen);
        assertThat(allocations(instance)).isEqualTo(Map.of(old, amounts(1), chosen, amounts(1)));
    }

    @Test
    void anotherSchedulerCompletesAnEvacuationWhoseClaimIsMissing() throws Exception {
        String old = fleet.host("a", 8);
        String instance = fleet.instanceOn("a");
        fleet.host("b", 8);
        ObjectNode call = call("dest-cell_ignore1_noalt", instance);
        spec(call).putNull("requested_destination").putArray("ignore_hosts").add(fleet.name("a"));
        String id = conductor.prepare(call);
        conductor.channel().basicPublish("nova", "scheduler.one", null, Recorded.body(call));
        String chosen = selected(answer(id)).get("compute_node_uuid").textValue();
        // Simulates a scheduler that died after it stored its record: nothing is claimed, and its lease has expired.
        Fleet.hold(instance, old);
        DatabaseUrl database = DatabaseUrl.parse(ONE.databaseUrl());
        try (var connection = DriverManager.getConnection(
                database.jdbcUrl("scheduler"), database.user(), database.password());
                var left = connection.prepareStatement("INSERT INTO request_leases (key, number, lease_until)"
                        + " SELECT key, nextval('fences') * 65536, now() - interval '1 s' FROM request_records"
                        + " WHERE ? = ANY(instances) AND key LIKE 'key:nova:%'"
                        + " ON CONFLICT (key) DO UPDATE SET number = excluded.number, lease_until ="
                        + " excluded.lease_until")) {
            left.setObject(1, UUID.fromString(instance));
            assertThat(left.executeUpdate()).isEqualTo(1);
        }
        conductor.channel().basicPublish("nova", "scheduler.other", null, Recorded.body(call));
        eventually(() -> assertThat(conductor.answers(id)).hasSize(2));
        assertThat(selected(conductor.answers(id).getLast()).get("compute_node_uuid").textValue()).isEqualTo(chosen);
        assertThat(allocations(instance)).isEqualTo(Map.of(old, amounts(1), chosen, amounts(1)));
    }

    @Test
    void aRebuildKeepsItsHostAndAllocations() throws Exception {
        String host = fleet.host("a", 8);
        fleet.register(host, "a", Fleet.cell("cell"));
        String instance = fleet.instanceOn("a");
        ObjectNode call = call("rebuild_dest-cell_forced_noalt", instance);
        spec(call).putNull("requested_destination");
        spec(call).putArray("force_hosts").add(fleet.name("a"));
        spec(call).putArray("force_nodes").add(fleet.name("a"));
        JsonNode selection = selected(sendAndAwait(call));
        assertThat(selection.get("service_host").textValue()).isEqualTo(fleet.name("a"));
        assertThat(selection.get("allocation_request").textValue()).isEqualTo("null");
        assertThat(selection.get("allocation_request_version").isNull()).isTrue();
        assertThat(allocations(instance)).isEqualTo(Map.of(host, amounts(1)));
    }

    @Test
    void repliesToPingAndRefusesUnknownVersionsAndMethods() throws Exception {
        ObjectNode ping = Recorded.call("boot");
        ping.put("method", "ping").put("namespace", "baseapi").put("version", "1.0").putObject("args").put("arg", 7);
        assertThat(sendAndAwait(ping).get("result").toString()).isEqualTo("{\"service\":\"scheduler\",\"arg\":7}");
        ObjectNode later = call("boot", instance()).put("version", "4.6");
        assertThat(failure(sendAndAwait(later)).get("class").textValue()).isEqualTo("UnsupportedVersion");
        assertThat(failure(sendAndAwait(call("boot", instance()).put("method", "select"))).get("class").textValue())
                .isEqualTo("NoSuchMethod");
    }

    @Test
    void acceptsFanoutCasts() throws Exception {
        for (String cast : Recorded.CASTS) {
            conductor.channel().basicPublish("scheduler_fanout", "", null, Recorded.body(Recorded.cast(cast)));
        }
        fleet.host("a", 8);
        selected(sendAndAwait(call("boot", instance())));
    }

    @Test
    void refusesMalformedCallsAndKeepsWorking() throws Exception {
        fleet.host("a", 8);
        Random random = new Random(7);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ObjectNode call = call("boot", instance());
            ids.add(conductor.prepare(call));
            ObjectNode broken = random.nextBoolean() ? (ObjectNode) call.get("args") : spec(call);
            broken.put(broken == spec(call) ? "flavor" : "spec_obj", i);
            conductor.send(call);
        }
        for (String id : ids) {
            assertThat(failure(answer(id)).get("class").textValue()).isEqualTo("ValueError");
        }
        selected(sendAndAwait(call("boot", instance())));
    }
}
