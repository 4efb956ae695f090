package io.berth.scheduler.host.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.placement.RootCandidates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Host states made from those before are those made from nothing, and the same objects where nothing changed. */
class HostStatesSharingTest {
    private static final Duration DOWN_TIME = Duration.ofSeconds(60);

    private final Registries edits = new Registries();
    private RegistrySnapshot registry = RegistrySnapshot.EMPTY;
    private Map<String, String> names = new HashMap<>();
    private List<RootCandidates> trees = new ArrayList<>();
    private HostStates states = HostStates.NONE;
    private int seconds;

    @Test
    void followingAnyChangesTheyAreWhatTheyWouldBeMadeFromNothing() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            trees.add(tree(i, random));
        }
        for (int step = 0; step < 400; step++) {
            change(random);
            next();
            assertThat(states.states()).as("seed %d step %d", seed, step).isEqualTo(HostStates.build(
                    new AllocationCandidates(trees), registry, names, DOWN_TIME, null));
            Set<String> roots = HostStates.unregisteredRoots(new AllocationCandidates(trees), registry);
            assertThat(states.unregistered()).as("seed %d step %d", seed, step).isEqualTo(roots);
            assertThat(states.unregisteredCount()).isEqualTo(roots.size());
            roots.removeAll(names.keySet());
            assertThat(states.unnamedCount()).as("seed %d step %d", seed, step).isEqualTo(roots.size());
        }
    }

    @Test
    void onlyTheHostWhoseTreeChangedIsANewObject() {
        var random = new Random(1);
        for (int i = 0; i < 3; i++) {
            trees.add(tree(i, random));
        }
        next();
        List<HostState> before = states.states();
        next();
        assertThat(states.states()).isSameAs(before);

        trees.set(1, tree(1, random));
        assertThat(states.countNew(new AllocationCandidates(trees), 64)).isEqualTo(1);
        next();
        assertThat(states.states().get(0)).isSameAs(before.get(0));
        assertThat(states.states().get(1)).isNotSameAs(before.get(1));
        assertThat(states.states().get(2)).isSameAs(before.get(2));
    }

    @Test
    void countsTheTreesThatAreNewHoweverManyThereWere() {
        var random = new Random(1);
        for (int i = 0; i < 10; i++) {
            trees.add(tree(i, random));
        }
        next();
        assertThat(states.countNew(new AllocationCandidates(trees.reversed()), 64)).isZero();
        List<RootCandidates> others = new ArrayList<>(trees.subList(5, 10));
        for (int i = 0; i < 5; i++) {
            others.add(tree(i, random));
        }
        assertThat(states.countNew(new AllocationCandidates(others), 64)).isEqualTo(5);
        assertThat(states.countNew(new AllocationCandidates(others), 3)).isEqualTo(3);
    }

    @Test
    void aHeartbeatChangesNothingUntilItIsTooOld() {
        trees.add(tree(0, new Random(1)));
        edits.computeNode(uuid(0), "{\"host\":\"h0\"}").service(uuid(500), "{\"host\":\"h0\"}", 0);
        next();
        HostState up = states.states().getFirst();
        assertThat(up.service().up()).isTrue();

        edits.service(uuid(500), "{\"host\":\"h0\"}", -10);
        seconds = 60;
        next();
        assertThat(states.states().getFirst()).isSameAs(up);
        seconds = 70;
        next();
        assertThat(states.states().getFirst()).isSameAs(up);
        seconds = 71;
        next();
        assertThat(states.states().getFirst().service().up()).isFalse();
    }

    @Test
    void instancesOfOtherHostsChangeNothing() {
        trees.add(tree(0, new Random(1)));
        trees.add(tree(1, new Random(2)));
        edits.instance(uuid(900), "{\"host\":\"" + uuid(0) + "\",\"nodename\":\"" + uuid(0) + "\"}");
        next();
        List<HostState> before = states.states();
        edits.instance(uuid(901), "{\"host\":\"" + uuid(1) + "\",\"nodename\":\"" + uuid(1) + "\"}");
        next();
        assertThat(states.states().get(0)).isSameAs(before.get(0));
        assertThat(states.states().get(1).instances()).containsOnlyKeys(uuid(901));
    }

    private void next() {
        registry = edits.after(registry, seconds);
        states = states.next(
                new AllocationCandidates(trees), new HostSources(registry, names, DOWN_TIME), null);
    }

    private void change(Random random) {
        int i = random.nextInt(trees.size());
        String uuid = trees.get(i).rootUuid();
        String host = "h" + uuid;
        switch (random.nextInt(14)) {
            case 0 -> trees.set(i, tree(numberOf(uuid), random));
            case 1 -> trees.remove(trees.size() > 5 ? i : 0);
            case 2 -> trees.add(i, tree(1000 + random.nextInt(1_000_000), random));
            case 3 -> Collections.swap(trees, i, random.nextInt(trees.size()));
            case 4 -> edits.computeNode(uuid, "{\"host\":\"" + host + "\",\"vcpus_total\":" + random.nextInt(9)
                    + (random.nextInt(4) == 0 ? ",\"cell_uuid\":\"" + uuid(7) + "\"" : "") + "}");
            case 5 -> edits.service(uuid(numberOf(uuid) + 5_000_000), "{\"host\":\"" + host + "\",\"disabled\":"
                    + random.nextBoolean() + "}", random.nextInt(100) - seconds);
            case 6 -> edits.aggregate(uuid(8), "{\"name\":\"g\",\"hosts\":[\"" + host + "\",\"" + uuid + "\"]}");
            case 7 -> edits.cell(uuid(7), "{\"name\":\"c\",\"enabled\":" + random.nextBoolean() + "}");
            case 8 -> edits.instance(uuid(20_000_000 + random.nextInt(50)), "{\"host\":\"" + host + "\"}");
            case 9 -> edits.instance(uuid(20_000_000 + random.nextInt(50)),
                    "{\"host\":\"" + host + "\",\"nodename\":\"" + host + "\"}");
            case 10 -> edits.without(uuid(20_000_000 + random.nextInt(50)));
            case 11 -> {
                names = new HashMap<>(names);
                names.put(uuid, "name" + random.nextInt(3));
            }
            case 12 -> seconds += random.nextInt(40);
            default -> {
                // Placement is asked again, and nothing changed.
            }
        }
    }

    /** One provider, or a root with a child that may be a node of its own, or one that shares. */
    private static RootCandidates tree(int number, Random random) {
        String root = uuid(number);
        List<ProviderSummary> summaries = new ArrayList<>();
        List<AllocationRequest> requests = new ArrayList<>();
        summaries.add(new ProviderSummary(
                root,
                root,
                Map.of("VCPU", new ProviderSummary.Usage(64, random.nextInt(64))),
                random.nextInt(10) == 0));
        requests.add(new AllocationRequest(
                random.nextInt(10) == 0
                        ? Map.of(root, Map.of("DISK_GB", 1L), uuid(3_000_000), Map.of("VCPU", 1L))
                        : Map.of(root, Map.of("VCPU", 1L)),
                Map.of()));
        if (random.nextInt(4) == 0) {
            String child = uuid(number + 2_000_000);
            summaries.add(new ProviderSummary(
                    child, root, Map.of("MEMORY_MB", new ProviderSummary.Usage(4096, random.nextInt(64))), false));
            requests.addFirst(new AllocationRequest(Map.of(child, Map.of("MEMORY_MB", 1L)), Map.of()));
        }
        return new RootCandidates(root, summaries, requests);
    }

    private static int numberOf(String uuid) {
        return (int) UUID.fromString(uuid).getLeastSignificantBits();
    }

    private static String uuid(int number) {
        return new UUID(0x4000L, 0x8000000000000000L | number).toString();
    }
}
