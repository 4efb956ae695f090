package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Seed;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.json.StrictObject;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the immutable snapshots of the registry, partly with random changes against plain maps. */
class RegistrySnapshotTest {
    private static final String[] HOSTS = {"a", "b", "c", "d"};

    @Test
    void extendsTheDownTimeByRecentOutages() {
        Duration minute = Duration.ofMinutes(1);
        Instant now = Instant.parse("2026-11-28T12:00:00Z");
        RegistrySnapshot read = RegistrySnapshot.EMPTY.after(Map.of(), now).afterOutage(Duration.ofMinutes(5));
        assertThat(read.downTime(minute)).hasMinutes(6);
        RegistrySnapshot again = read.after(Map.of(), now.plusSeconds(31)).afterOutage(Duration.ofSeconds(1));
        assertThat(again.downTime(minute)).as("a second outage 30 s later, for one second").hasSeconds(6 * 60 + 31);
        assertThat(again.after(Map.of(), now.plusSeconds(90)).downTime(minute)).hasSeconds(6 * 60 + 31);
        assertThat(again.after(Map.of(), now.plusSeconds(91)).downTime(minute)).as("services had time for heartbeats")
                .isEqualTo(minute);
        for (int i = 2; i < 20; i++) {
            again = again.after(Map.of(), now.plusSeconds(31L * i)).afterOutage(Duration.ofSeconds(1));
        }
        assertThat(again.downTime(minute)).as("heartbeats between the outages").isLessThan(minute.multipliedBy(2));
        RegistrySnapshot standby = again.after(Map.of(), now.minusSeconds(300)).afterOutage(Duration.ofSeconds(5));
        assertThat(standby.downTime(minute)).as("a standby whose clock is behind").hasSeconds(65);
    }

    /** Adds, removes and moves instances at random and compares every look-up with a scan of all instances. */
    @Test
    void findsInstancesAndServicesAfterAnyChange() {
        long seed = Seed.of(RegistrySnapshotTest.class);
        var random = new Random(seed);
        Map<UUID, RegisteredInstance> instances = new HashMap<>();
        Map<UUID, ComputeService> services = new HashMap<>();
        RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;
        for (int step = 0; step < 300; step++) {
            Map<RecordCollection, Map<UUID, RegistryRecord>> changes = new HashMap<>();
            UUID uuid = new UUID(0, random.nextInt(200));
            if (random.nextInt(3) == 0) {
                instances.remove(uuid);
                changes.put(RecordCollection.INSTANCES, change(uuid, null));
            } else {
                var instance = new RegisteredInstance(
                        uuid,
                        host(random),
                        random.nextInt(5) == 0 ? null : host(random),
                        new RunningInstance((long) random.nextInt(4), null));
                instances.put(uuid, instance);
                changes.put(RecordCollection.INSTANCES, change(uuid, instance));
            }
            int place = random.nextInt(HOSTS.length);
            UUID serviceUuid = new UUID(1, place);
            ComputeService service = random.nextBoolean()
                    ? null
                    : service(serviceUuid, HOSTS[place], random.nextBoolean());
            changes.put(RecordCollection.SERVICES, change(serviceUuid, service));
            services.put(serviceUuid, service);
            snapshot = snapshot.after(changes, Instant.EPOCH);

            assertThat(snapshot.findInstance(uuid)).as("seed %d step %d", seed, step).isEqualTo(instances.get(uuid));
            assertThat(snapshot.instanceCount()).as("seed %d step %d", seed, step).isEqualTo(instances.size());
            for (int host = 0; host < HOSTS.length; host++) {
                assertThat(snapshot.findService(HOSTS[host])).isEqualTo(services.get(new UUID(1, host)));
                for (String node : HOSTS) {
                    assertThat(snapshot.instancesOn(HOSTS[host], node)).as("seed %d step %d", seed, step)
                            .isEqualTo(on(HOSTS[host], node, instances));
                }
            }
        }
    }

    private static ComputeService service(UUID uuid, String host, boolean disabled) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("host", host).put("disabled", disabled);
        return (ComputeService) RecordCollection.SERVICES.read(uuid, new StrictObject(body, "$"));
    }

    /** Pages have random sizes; a record may change several times. */
    @Test
    void equalsAFullReadAfterAnyChanges() {
        long seed = Seed.of(RegistrySnapshotTest.class);
        var random = new Random(seed);
        Map<UUID, RegistryRecord> instances = new HashMap<>();
        RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;
        for (int step = 0; step < 60; step++) {
            Map<UUID, RegistryRecord> changes = new HashMap<>();
            for (int i = random.nextInt(100); i >= 0; i--) {
                UUID uuid = new UUID(random.nextInt(40), random.nextInt(40) - 20L);
                changes.put(uuid, random.nextInt(3) == 0 ? null : new RegisteredInstance(
                        uuid, host(random), random.nextInt(5) == 0 ? null : host(random),
                        new RunningInstance((long) random.nextInt(4), null)));
            }
            changes.forEach((uuid, record) -> {
                if (record == null) {
                    instances.remove(uuid);
                } else {
                    instances.put(uuid, record);
                }
            });
            snapshot = snapshot.after(Map.of(RecordCollection.INSTANCES, changes), Instant.EPOCH);
            RegistrySnapshot reread = RegistrySnapshot.EMPTY.after(
                    Map.of(RecordCollection.INSTANCES, instances), Instant.EPOCH);
            assertThat(snapshot.instanceCount()).as("seed %d step %d", seed, step).isEqualTo(instances.size());
            assertThat(snapshot.instanceBytes()).as("seed %d step %d", seed, step).isEqualTo(reread.instanceBytes());
            for (UUID uuid : changes.keySet()) {
                assertThat(snapshot.findInstance(uuid)).as("seed %d step %d", seed, step)
                        .isEqualTo(instances.get(uuid)).isEqualTo(reread.findInstance(uuid));
            }
            for (String host : HOSTS) {
                Set<String> onHost = new HashSet<>();
                instances.values().stream().map(RegisteredInstance.class::cast)
                        .filter(instance -> instance.host().equals(host))
                        .forEach(instance -> onHost.add(instance.uuid().toString()));
                assertThat(snapshot.instancesOn(host).keySet()).as("seed %d step %d", seed, step).isEqualTo(onHost);
                assertThat(snapshot.instancesOn(host)).as("seed %d step %d", seed, step)
                        .isEqualTo(reread.instancesOn(host));
                for (String node : HOSTS) {
                    assertThat(snapshot.instancesOn(host, node)).as("seed %d step %d", seed, step)
                            .isEqualTo(reread.instancesOn(host, node));
                    assertThat(snapshot.instancesOn(host, node).toString()).as("seed %d step %d", seed, step)
                            .isEqualTo(reread.instancesOn(host, node).toString());
                }
            }
        }
    }

    /** A full snapshot still updates the instances it holds, and has room again when enough of them are gone. */
    @Test
    void leavesOutInstancesThatWouldTakeTooMuchMemory() {
        RegistrySnapshot snapshot = RegistrySnapshot.emptyUpTo(20L * Instances.INSTANCE_BYTES + 400);
        for (int i = 0; i < 25; i++) {
            UUID uuid = new UUID(0, i);
            snapshot = snapshot.after(Map.of(RecordCollection.INSTANCES, change(uuid, instance(uuid, "a"))),
                    Instant.EPOCH);
            assertThat(snapshot.instanceCount()).isEqualTo(Math.min(20, i + 1));
            assertThat(snapshot.hasOmittedInstances()).isEqualTo(i >= 20);
        }
        UUID held = new UUID(0, 3);
        snapshot = snapshot.after(Map.of(RecordCollection.INSTANCES, change(held, instance(held, "b"))), Instant.EPOCH);
        assertThat(snapshot.findInstance(held).host()).isEqualTo("b");
        assertThat(snapshot.findInstance(new UUID(0, 22))).isNull();
        assertThat(snapshot.hasRoomForOmittedInstances()).isFalse();
        for (int i = 0; i < 10; i++) {
            snapshot = snapshot.after(Map.of(RecordCollection.INSTANCES, change(new UUID(0, i), null)), Instant.EPOCH);
        }
        assertThat(snapshot.instanceCount()).isEqualTo(10);
        assertThat(snapshot.hasRoomForOmittedInstances()).isTrue();
        snapshot = snapshot.withoutFullMark();
        assertThat(snapshot.hasOmittedInstances()).isFalse();
        assertThat(snapshot.hasRoomForOmittedInstances()).isFalse();
    }

    /** Reproduces a full read, which finds deletions only at its end. */
    @Test
    void findsTheNewServiceAlthoughTheOldOneIsRemovedLater() {
        String old = new UUID(0, 1).toString();
        String next = new UUID(0, 2).toString();
        RegistrySnapshot snapshot = new Registries().service(old, "{\"host\":\"h\"}", 1).snapshot();
        snapshot = new Registries().service(next, "{\"host\":\"h\"}", 1).after(snapshot, 1);
        snapshot = snapshot.after(
                Map.of(RecordCollection.SERVICES, change(UUID.fromString(old), null)), Instant.EPOCH);
        assertThat(snapshot.findService("h").uuid()).isEqualTo(UUID.fromString(next));
        snapshot = snapshot.after(
                Map.of(RecordCollection.SERVICES, change(UUID.fromString(next), null)), Instant.EPOCH);
        assertThat(snapshot.findService("h")).isNull();
    }

    /** A uuid in capital letters matches no instance. */
    @Test
    void findsInstancesOnlyByTheCanonicalTextOfTheirUuid() {
        UUID uuid = UUID.fromString("abcdef00-1111-4111-8111-111111111111");
        Map<String, RunningInstance> found = RegistrySnapshot.EMPTY
                .after(Map.of(RecordCollection.INSTANCES, change(uuid, instance(uuid, "a"))), Instant.EPOCH)
                .instancesOn("a", "a");
        assertThat(found).containsOnlyKeys(uuid.toString()).containsKey(uuid.toString());
        for (String other : List.of(
                "", "ABCDEF00-1111-4111-8111-111111111111", "abcdef00-1111-4111-8111-11111111111",
                "abcdef0-01111-4111-8111-111111111111", "gbcdef00-1111-4111-8111-111111111111")) {
            assertThat(found.containsKey(other)).as(other).isFalse();
        }
        assertThat(found.containsKey((Object) uuid)).isFalse();
        assertThat(found.containsKey(null)).isFalse();
    }

    /** Adds, removes and changes groups at random; an instance may be in several groups for a while. */
    @Test
    void findsTheGroupOfAnInstanceWithoutLookingThroughAllGroups() {
        long seed = Seed.of(RegistrySnapshotTest.class);
        var random = new Random(seed);
        Map<UUID, ServerGroup> groups = new HashMap<>();
        RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;
        for (int step = 0; step < 300; step++) {
            UUID uuid = new UUID(2, random.nextInt(8));
            ServerGroup group = random.nextInt(3) == 0 ? null : new ServerGroup(
                    uuid, "group", "affinity", null, new ReadThroughOnly(random.ints(3, 0, 20).mapToObj(
                            String::valueOf).collect(Collectors.toSet())), random.nextInt(3) > 0, List.of());
            groups.put(uuid, group);
            snapshot = snapshot.after(Map.of(RecordCollection.SERVER_GROUPS, change(uuid, group)), Instant.EPOCH);
            for (int member = 0; member < 20; member++) {
                String instance = String.valueOf(member);
                List<ServerGroup> having = groups.values().stream()
                        .filter(one -> one != null && one.members().stream().anyMatch(instance::equals)).toList();
                ServerGroup found = snapshot.findServerGroupOf(instance);
                if (having.isEmpty()) {
                    assertThat(found).as("seed %d step %d", seed, step).isNull();
                } else {
                    assertThat(having).as("seed %d step %d", seed, step)
                            .extracting(ServerGroup::uuid).contains(found.uuid());
                    assertThat(found.isRegistered()).as("seed %d step %d", seed, step)
                            .isEqualTo(having.stream().anyMatch(ServerGroup::isRegistered));
                }
            }
        }
    }

    /** Set that fails on contains, which a scan of all groups would call. */
    private static final class ReadThroughOnly extends AbstractSet<String> {
        private final Set<String> members;

        private ReadThroughOnly(Set<String> members) {
            this.members = members;
        }

        @Override
        public boolean contains(Object member) {
            throw new AssertionError("contains was called for " + member);
        }

        @Override
        public Iterator<String> iterator() {
            return members.iterator();
        }

        @Override
        public int size() {
            return members.size();
        }
    }

    @Test
    void reusesTheInstancesOfAHostWhileOtherHostsChange() {
        UUID one = new UUID(0, 1);
        UUID two = new UUID(0, 2);
        RegistrySnapshot before = RegistrySnapshot.EMPTY.after(
                Map.of(RecordCollection.INSTANCES, change(one, instance(one, "a"))),
                Instant.EPOCH);
        RegistrySnapshot after = before.after(
                Map.of(RecordCollection.INSTANCES, change(two, instance(two, "b"))),
                Instant.EPOCH);

        assertThat(after.instancesOn("a", "a")).isSameAs(before.instancesOn("a", "a"));
        assertThat(after.instancesOn("b", "b")).containsOnlyKeys(two.toString());
        assertThat(after.mayDiffer(before, RecordCollection.INSTANCES)).isTrue();
        assertThat(after.mayDiffer(before, RecordCollection.SERVICES)).isFalse();
    }

    private static RegisteredInstance instance(UUID uuid, String host) {
        return new RegisteredInstance(uuid, host, host, RunningInstance.UNKNOWN);
    }

    private static Map<UUID, RegistryRecord> change(UUID uuid, RegistryRecord record) {
        Map<UUID, RegistryRecord> change = new LinkedHashMap<>();
        change.put(uuid, record);
        return change;
    }

    private static String host(Random random) {
        return HOSTS[random.nextInt(HOSTS.length)];
    }

    private static Map<String, RunningInstance> on(
            String host, String node, Map<UUID, RegisteredInstance> instances) {
        Map<String, RunningInstance> found = new HashMap<>();
        instances.forEach((uuid, instance) -> {
            if (instance.host().equals(host) && (instance.nodename() == null || instance.nodename().equals(node))) {
                found.put(uuid.toString(), instance.running());
            }
        });
        return found;
    }
}
