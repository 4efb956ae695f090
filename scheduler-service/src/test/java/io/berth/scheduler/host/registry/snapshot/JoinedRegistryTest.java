package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.snapshot.RegistryLayers.Layer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of JoinedRegistry, which merges the registries of nova's cells and Berth's own records. */
class JoinedRegistryTest {
    private static final String NODE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String INSTANCE = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
    private static final Set<RecordCollection> ALL = EnumSet.allOf(RecordCollection.class);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final JoinedRegistry joined = new JoinedRegistry(1 << 20, Duration.ZERO);

    private static RegistrySnapshot instanceOn(String host) {
        return new Registries().instance(INSTANCE, "{\"host\": \"" + host + "\"}").snapshot();
    }

    private static RegistrySnapshot nodeOf(String host) {
        return new Registries().computeNode(NODE, "{\"host\": \"" + host + "\"}").snapshot();
    }

    private RegistrySnapshot join(Layer... layers) {
        return joined.of(new RegistryLayers(List.of(layers), NOW));
    }

    @Test
    void takesEachRecordFromTheFirstLayerThatHasIt() {
        RegistrySnapshot both = join(
                new Layer("upper", instanceOn("cmp1"), ALL), new Layer("lower", instanceOn("cmp2"), ALL));
        assertThat(both.findInstance(UUID.fromString(INSTANCE)).host()).isEqualTo("cmp1");
        assertThat(both.instancesOn("cmp2", "cmp2")).isEmpty();
        RegistrySnapshot forgotten = join(
                new Layer("upper", RegistrySnapshot.EMPTY, ALL), new Layer("lower", instanceOn("cmp2"), ALL));
        assertThat(forgotten.findInstance(UUID.fromString(INSTANCE)).host()).isEqualTo("cmp2");
        assertThat(forgotten.instancesOn("cmp1", "cmp1")).isEmpty();
    }

    @Test
    void ignoresCollectionsThatALayerDoesNotContribute() {
        assertThat(join(new Layer("own", nodeOf("cmp1"), Set.of(RecordCollection.INSTANCES))).computeNodeCount())
                .isZero();
    }

    @Test
    void dropsTheRecordsOfARemovedLayer() {
        assertThat(join(new Layer("one", nodeOf("cmp1"), ALL)).computeNodesOf("cmp1")).hasSize(1);
        assertThat(join().computeNodesOf("cmp1")).isEmpty();
    }

    @Test
    void countsNewInstancesThatOnlyTheLowestLayerHasAsBuilds() {
        JoinedRegistry counting = new JoinedRegistry(1 << 20, Duration.ofDays(1));
        Layer nova = new Layer("nova", nodeOf("cmp1"), ALL);
        RegistrySnapshot older = new Registries().instance(NODE, "{\"host\": \"cmp1\"}").snapshot();
        counting.of(new RegistryLayers(List.of(nova, new Layer("own", older, ALL)), NOW));
        Layer own = new Layer("own", new Registries().instance(INSTANCE, "{\"host\": \"cmp1\"}").after(older, 0), ALL);
        assertThat(counting.of(new RegistryLayers(List.of(nova, own), NOW)).ownBuilds().on("cmp1", "cmp1")).isOne();
        Layer known = new Layer(
                "nova",
                new Registries().instance(INSTANCE, "{\"host\": \"cmp1\"}")
                        .computeNode(NODE, "{\"host\": \"cmp1\", \"num_io_ops\": 1}").after(nova.registry(), 0),
                ALL);
        assertThat(counting.of(new RegistryLayers(List.of(known, own), NOW)).ownBuilds().on("cmp1", "cmp1")).isZero();
    }

    private static Layer serviceOf(String layer, int secondsSinceHeartbeat) {
        String uuid = UUID.nameUUIDFromBytes(layer.getBytes(StandardCharsets.UTF_8)).toString();
        return new Layer(layer, new Registries().service(uuid, "{\"host\":\"cmp1\"}", secondsSinceHeartbeat).snapshot(),
                ALL);
    }

    /** Happens after a host moved to another nova cell, because its old service row stays behind. */
    @Test
    void usesTheServiceWithTheLatestHeartbeatIfAHostHasTwo() {
        Layer old = serviceOf("old", 900);
        Layer now = serviceOf("now", 0);
        UUID latest = now.registry().listServices().getFirst().uuid();
        join(now);
        assertThat(join(old, now).findService("cmp1").uuid()).isEqualTo(latest);
        assertThat(join(now).findService("cmp1").uuid()).isEqualTo(latest);
        assertThat(join(now, old).findService("cmp1").uuid()).isEqualTo(latest);
        assertThat(join(old).findService("cmp1").uuid()).isNotEqualTo(latest);
        assertThat(join().findService("cmp1")).isNull();
    }

    @Test
    void exposesHiddenRecordsWhenALayerIsRenamedAndMovedDown() {
        Layer upper = new Layer("upper", nodeOf("cmp1"), ALL);
        Layer lower = new Layer("lower", nodeOf("cmp2"), ALL);
        assertThat(join(upper, lower).computeNodesOf("cmp1")).hasSize(1);
        RegistrySnapshot turned = join(lower, new Layer("lowest", upper.registry(), ALL));
        assertThat(turned.computeNodesOf("cmp1")).isEmpty();
        assertThat(turned.computeNodesOf("cmp2")).hasSize(1);
    }

    private static RegistrySnapshot manyOn(String host, int count, long bytesMax) {
        Registries registries = new Registries();
        IntStream.range(0, count).forEach(
                i -> registries.instance(new UUID(host.hashCode(), i).toString(), "{\"host\": \"" + host + "\"}"));
        return registries.after(RegistrySnapshot.emptyUpTo(bytesMax), 0);
    }

    @Test
    void isMarkedFullIfAnyLayerOmittedInstances() {
        long few = 5L * Instances.INSTANCE_BYTES + 400;
        Layer full = new Layer("cell", manyOn("cmp1", 9, few), ALL);
        assertThat(join(full).hasOmittedInstances()).isTrue();
        assertThat(join(full).instanceCount()).isEqualTo(5);
        assertThat(join(new Layer("cell", full.registry(), Set.of(RecordCollection.COMPUTE_NODES)))
                .hasOmittedInstances())
                .isFalse();
        assertThat(join(full, new Layer("other", manyOn("cmp2", 1, few), ALL)).hasOmittedInstances()).isTrue();
        assertThat(join(new Layer("cell", manyOn("cmp1", 4, few), ALL)).hasOmittedInstances()).isFalse();
    }

    @Test
    void restoresOmittedInstancesWhenALayerIsRemoved() {
        JoinedRegistry small = new JoinedRegistry(20L * Instances.INSTANCE_BYTES + 400, Duration.ZERO);
        Layer stays = new Layer("stays", manyOn("cmp1", 15, Long.MAX_VALUE), ALL);
        Layer goes = new Layer("goes", manyOn("cmp2", 15, Long.MAX_VALUE), ALL);
        RegistrySnapshot both = small.of(new RegistryLayers(List.of(goes, stays), NOW));
        assertThat(both.instanceCount()).isEqualTo(20);
        assertThat(both.hasOmittedInstances()).isTrue();
        small.of(new RegistryLayers(List.of(stays), NOW));
        RegistrySnapshot left = small.of(new RegistryLayers(List.of(stays), NOW));
        assertThat(left.instanceCount()).isEqualTo(15);
        assertThat(left.hasOmittedInstances()).isFalse();
    }

    @Test
    void removesInstancesThatVanishWhileOmittedOnesAreRestored() {
        JoinedRegistry small = new JoinedRegistry(20L * Instances.INSTANCE_BYTES + 400, Duration.ZERO);
        Layer full = new Layer("full", manyOn("cmp1", 15, Long.MAX_VALUE), ALL);
        RegistrySnapshot one = manyOn("cmp2", 15, Long.MAX_VALUE);
        small.of(new RegistryLayers(List.of(new Layer("cell", one, ALL), full), NOW));
        small.of(new RegistryLayers(List.of(new Layer("cell", one, ALL)), NOW));
        RegistrySnapshot left = small.of(new RegistryLayers(
                List.of(new Layer("cell", RegistrySnapshot.EMPTY, ALL)), NOW));
        assertThat(left.instanceCount()).isZero();
    }

    @Test
    void isQuickOnlyIfNoLayerWasAddedOrRemoved() {
        RegistryLayers none = new RegistryLayers(List.of(), NOW);
        RegistryLayers one =
                new RegistryLayers(List.of(new Layer("cell", manyOn("cmp1", 2_000, Long.MAX_VALUE), ALL)), NOW);
        assertThat(joined.isQuick(one)).isFalse();
        joined.of(one);
        assertThat(joined.isQuick(one)).isTrue();
        assertThat(joined.isQuick(none)).isFalse();
    }

    @Test
    void reportsOnlyChangedCollectionsAsDifferent() {
        Layer upper = new Layer("upper", nodeOf("cmp1"), ALL);
        RegistrySnapshot before = join(upper);
        RegistrySnapshot after = join(upper, new Layer("lower", instanceOn("cmp2"), ALL));
        assertThat(after.number()).isGreaterThan(before.number());
        assertThat(after.mayDiffer(before, RecordCollection.COMPUTE_NODES)).isFalse();
        assertThat(after.mayDiffer(before, RecordCollection.INSTANCES)).isTrue();
        assertThat(after.listsAllHosts()).isTrue();
    }
}
