package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.host.GroupMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.request.ImageProperties;
import io.berth.scheduler.request.InstanceGroup;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * Counts members of a group on a host, whether the host's instances are held as registered ones or in a map by text.
 */
class GroupMembersTest {
    private static final RunningInstance RUNNING = new RunningInstance(1L, ImageProperties.read(Map.of()));

    @RepeatedTest(20)
    void countsMembersEquallyInBothRepresentations() {
        long seed = Seed.of(GroupMembersTest.class);
        var random = new Random(seed);
        Map<UUID, RunningInstance> instances = new HashMap<>();
        Set<String> members = new HashSet<>();
        long expected = 0;
        for (int i = 0; i < random.nextInt(300); i++) {
            UUID uuid = new UUID(random.nextInt(3), random.nextInt(100));
            boolean isHere = random.nextBoolean();
            if (isHere) {
                instances.put(uuid, RUNNING);
            }
            if (random.nextInt(3) > 0) {
                members.add(uuid.toString());
            } else {
                members.add(new UUID(0xabcdefL << 32, i).toString().toUpperCase(Locale.ROOT));
            }
        }
        for (UUID uuid : instances.keySet()) {
            expected += members.contains(uuid.toString()) ? 1 : 0;
        }
        InstancesOnNode held = new InstancesOnNode(new Place("h", "h")).with(instances);
        GroupMembers counted = of(members, Map.of());
        assertThat(counted.on(host(held))).as("seed %d", seed).isEqualTo(expected);
        assertThat(counted.on(host(new HashMap<>(held)))).as("seed %d, uuids as texts", seed).isEqualTo(expected);
    }

    @Test
    void countsAReservationOnlyForAnInstanceThatIsElsewhere() {
        UUID here = new UUID(0, 0);
        UUID away = new UUID(1, 1);
        InstancesOnNode held = new InstancesOnNode(new Place("h", "h")).with(Map.of(here, RUNNING));
        Map<String, Set<String>> reservations = Map.of("h", Set.of(here.toString(), away.toString()));
        assertThat(of(Set.of(here.toString()), reservations).on(host(held))).isEqualTo(2);
    }

    private static GroupMembers of(Set<String> members, Map<String, Set<String>> reservations) {
        return new GroupMembers(new InstanceGroup("g", "anti-affinity", null, members, List.of(), reservations));
    }

    private static HostState host(Map<String, RunningInstance> instances) {
        return HostState.named("h").instances(instances).build();
    }
}
