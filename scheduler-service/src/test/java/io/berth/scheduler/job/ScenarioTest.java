package io.berth.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.json.StrictObject;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests scenarios: changes to a registry that are evaluated and not made, and what placement receives of them. */
class ScenarioTest {
    private static final UUID NODE = new UUID(0, 1);
    private static final UUID SERVICE = new UUID(0, 2);
    private static final UUID AGGREGATE = new UUID(0, 3);
    private static final UUID INSTANCE = new UUID(0, 4);

    private final RegistrySnapshot present = registry();

    private static RegistrySnapshot registry() {
        var node = JsonNodeFactory.instance.objectNode().put("host", "a");
        var service = JsonNodeFactory.instance.objectNode().put("host", "a");
        var aggregate = JsonNodeFactory.instance.objectNode().put("name", "fast");
        aggregate.putArray("hosts").add("b");
        var instance = JsonNodeFactory.instance.objectNode().put("host", "a");
        Map<RecordCollection, Map<UUID, RegistryRecord>> records = new EnumMap<>(RecordCollection.class);
        records.put(RecordCollection.COMPUTE_NODES, Map.of(
                NODE, RecordCollection.COMPUTE_NODES.read(NODE, new StrictObject(node, "$"))));
        records.put(RecordCollection.SERVICES, Map.of(
                SERVICE, RecordCollection.SERVICES.read(SERVICE, new StrictObject(service, "$"))));
        records.put(RecordCollection.HOST_AGGREGATES, Map.of(
                AGGREGATE, RecordCollection.HOST_AGGREGATES.read(AGGREGATE, new StrictObject(aggregate, "$"))));
        records.put(RecordCollection.INSTANCES, Map.of(
                INSTANCE, RecordCollection.INSTANCES.read(INSTANCE, new StrictObject(instance, "$"))));
        return RegistrySnapshot.EMPTY.after(records, Instant.EPOCH);
    }

    @Test
    void returnsThePresentRegistryWithoutChanges() {
        Scenario none = new Scenario(present);
        assertThat(none.registry()).isSameAs(present);
        assertThat(none.fleetChanges()).isEmpty();
    }

    @Test
    void disabledHostGetsTheTraitThatThePlacementSyncWouldSet() {
        Scenario disabled = new Scenario(present).setDisabled("a", true, "broken fan");
        ComputeService service = disabled.registry().findService("a");
        assertThat(service.disabled()).isTrue();
        assertThat(service.disabledReason()).isEqualTo("broken fan");
        assertThat(present.findService("a").disabled()).isFalse();
        assertThat(disabled.fleetChanges()).hasToString("""
                [{"traits":{"trees":["%s"],"add":["COMPUTE_STATUS_DISABLED"]}}]""".formatted(NODE));
        assertThat(new Scenario(present).setDisabled("a", false, null).fleetChanges()).hasToString("""
                [{"traits":{"trees":["%s"],"remove":["COMPUTE_STATUS_DISABLED"]}}]""".formatted(NODE));
    }

    @Test
    void changesAggregateMembersInTheRegistryAndInPlacement() {
        RegisteredAggregate fast = present.findAggregate(AGGREGATE);
        Scenario joined = new Scenario(present).changeAggregate(fast, Map.of("ssd", "true"), Set.of("a"));
        assertThat(joined.registry().aggregatesOf("a").getFirst().metadata()).isEqualTo(Map.of("ssd", "true"));
        assertThat(joined.registry().aggregatesOf("b")).isEmpty();
        // Host b has no registered node.
        assertThat(joined.fleetChanges()).hasToString("""
                [{"aggregates":{"trees":["%s"],"add":["%s"]}}]""".formatted(NODE, AGGREGATE));
        assertThat(present.aggregatesOf("a")).isEmpty();
    }

    @Test
    void appliesEachChangeToTheResultOfEarlierChanges() {
        Scenario twice = new Scenario(present).setDisabled("a", true, "fan");
        assertThat(twice.registry().findService("a").disabled()).isTrue();
        RegisteredAggregate fast = present.findAggregate(AGGREGATE);
        twice.changeAggregate(fast, null, Set.of("a"));
        twice.changeAggregate(twice.registry().findAggregate(AGGREGATE), Map.of("k", "v"), null).setDisabled("a", false, null);
        assertThat(twice.registry().aggregatesOf("a").getFirst().metadata()).isEqualTo(Map.of("k", "v"));
        assertThat(twice.registry().findService("a").disabled()).isFalse();
    }

    /** Filters that count instances use the node's report if it is higher. */
    @Test
    void removesInstancesFromTheReportOfTheNode() {
        UUID other = new UUID(0, 5);
        Registries registered = new Registries();
        registered.computeNode(NODE.toString(), """
                {"host": "a", "num_instances": 2, "instances": {"%s": {}, "%s": {}}}""".formatted(INSTANCE, other));
        registered.instance(INSTANCE.toString(), "{\"host\": \"a\"}");
        registered.instance(other.toString(), "{\"host\": \"a\"}");
        Scenario gone = new Scenario(registered.snapshot()).removeInstance(INSTANCE, Map.of());
        HostState one = gone.registry().findComputeNode(NODE).state();
        assertThat(one.numInstances()).isEqualTo(1);
        assertThat(one.instances()).containsOnlyKeys(other.toString());
        assertThat(gone.registry().instancesOn("a", "a")).containsOnlyKeys(other.toString());
        gone.removeInstance(other, Map.of());
        assertThat(gone.registry().findComputeNode(NODE).state().numInstances()).isZero();
    }

    @Test
    void removesInstances() {
        assertThat(present.instancesOn("a", "a")).hasSize(1);
        Scenario fewer = new Scenario(present).remove(RecordCollection.INSTANCES, INSTANCE);
        assertThat(fewer.registry().instancesOn("a", "a")).isEmpty();
        assertThat(present.findInstance(INSTANCE)).isNotNull();
    }
}
