package io.berth.scheduler.host.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.host.HostFacts;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.QueryParts;
import io.berth.scheduler.placement.candidate.RootCandidates;
import io.berth.scheduler.placement.candidate.TreeRequests;
import io.berth.scheduler.request.RequestedDestination;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that host states of the shared table equal states built from scratch, and that unchanged facts are reused. */
class HostTableTest {
    private static final Duration DOWN_TIME = Duration.ofSeconds(60);
    private static final QueryParts PARTS =
            new QueryParts(List.of(new QueryParts.Part("", Map.of("VCPU", 1L))), List.of("VCPU"));

    private final Registries edits = new Registries();
    private final HostTable table = new HostTable();
    private RegistrySnapshot registry = RegistrySnapshot.EMPTY;
    private Map<String, String> names = new HashMap<>();
    private List<RootCandidates> trees = new ArrayList<>();
    private HostStates states;
    private int seconds;

    /** Input of one look-up. */
    private record Situation(List<RootCandidates> trees, HostSources sources, RequestedDestination destination) {
        /** Builds the states without the table, as for a Placement service other than Berth's. */
        List<HostState> fromScratch() {
            List<RootCandidates> plain = trees.stream()
                    .map(root -> new RootCandidates(root.tree().rootUuid(), root.tree().summaries(), root.requests()))
                    .toList();
            return HostStates.build(
                    new AllocationCandidates(plain), sources.registry(), sources.namesByUuid(),
                    Duration.of(sources.downMicros(), ChronoUnit.MICROS), destination);
        }

        /** Refers to shared trees, and omits requests that take everything from the root. */
        AllocationCandidates referred() {
            return new AllocationCandidates(
                    trees.stream().map(RootCandidates::tree).toArray(ProviderTree[]::new),
                    trees.stream()
                            .map(root -> root.requests().equals(List.of(PARTS.of(root.tree().rootUuid())))
                                    ? null
                                    : new TreeRequests.Listed(root.requests()))
                            .toArray(TreeRequests[]::new),
                    PARTS);
        }
    }

    private Situation situation(RegistrySnapshot at, RequestedDestination destination) {
        return new Situation(List.copyOf(trees), new HostSources(at, names, DOWN_TIME), destination);
    }

    @Test
    void equalsStatesBuiltFromScratchAfterAnyChanges() {
        long seed = Seed.of(HostTableTest.class);
        var random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            trees.add(tree(i, random));
        }
        RegistrySnapshot before = registry;
        for (int step = 0; step < 1_000; step++) {
            change(random);
            next();
            Situation now = situation(registry, null);
            assertThat(states.states()).as("seed %d step %d", seed, step).isEqualTo(now.fromScratch());
            Set<String> roots = HostStates.unregisteredRoots(now.referred(), registry);
            assertThat(states.unregistered()).as("seed %d step %d", seed, step).containsExactlyElementsOf(roots);
            roots.removeAll(names.keySet());
            assertThat(states.unnamedCount()).as("seed %d step %d", seed, step).isEqualTo(roots.size());
            Situation variant = situation(
                    random.nextBoolean() ? registry : before,
                    new RequestedDestination(null, null, uuid(7 + random.nextInt(2)), random.nextBoolean()));
            assertThat(find(variant).states()).as("seed %d step %d, older registry or another destination", seed, step)
                    .isEqualTo(variant.fromScratch());
            before = random.nextInt(5) == 0 ? registry : before;
        }
    }

    @Test
    void concurrentRequestsDoNotAffectEachOthersHosts() throws Exception {
        long seed = Seed.of(HostTableTest.class);
        var random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            trees.add(tree(i, random));
        }
        next();
        var latest = new AtomicReference<>(situation(registry, null));
        var isOver = new AtomicBoolean();
        try (var others = Executors.newFixedThreadPool(3)) {
            List<Future<?>> reading = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                reading.add(others.submit(() -> {
                    while (!isOver.get()) {
                        Situation now = latest.get();
                        assertThat(find(now).states()).as("seed %d", seed).isEqualTo(now.fromScratch());
                    }
                }));
            }
            try {
                for (int step = 0; step < 2_000; step++) {
                    // Heartbeats change services that other threads hold, so what these see is not predictable.
                    changeBut(random, 5, 12);
                    registry = edits.after(registry, seconds);
                    latest.set(situation(registry, null));
                }
            } finally {
                isOver.set(true);
            }
            for (Future<?> each : reading) {
                each.get();
            }
        }
    }

    @Test
    void onlyTheHostWhoseTreeChangedHasNewFacts() {
        var random = new Random(1);
        for (int i = 0; i < 3; i++) {
            trees.add(tree(i, random));
        }
        next();
        List<HostState> before = states.states();
        trees.set(1, tree(1, random));
        assertThat(find(situation(registry, null), 1)).as("one host was rebuilt").isNotNull();
        next();
        assertThat(states.states().get(0).facts()).isSameAs(before.get(0).facts());
        assertThat(states.states().get(1).facts()).isNotSameAs(before.get(1).facts());
        assertThat(states.states().get(2).facts()).isSameAs(before.get(2).facts());
    }

    @Test
    void buildsAtMostTheGivenNumberOfNewHostsPerCall() {
        var random = new Random(1);
        for (int i = 0; i < 10; i++) {
            trees.add(tree(i, random));
        }
        Situation now = situation(registry, null);
        assertThat(find(now, 6)).isNull();
        assertThat(find(now, 3)).isNull();
        assertThat(find(now, 1)).isNotNull();
        assertThat(find(now, 0)).isNotNull();
    }

    @Test
    void keepsTheFactsUntilTheHeartbeatIsTooOld() {
        trees.add(tree(0, new Random(1)));
        edits.computeNode(uuid(0), "{\"host\":\"h0\"}").service(uuid(500), "{\"host\":\"h0\"}", 0);
        next();
        HostFacts up = states.states().getFirst().facts();
        assertThat(up.service().up()).isTrue();

        edits.service(uuid(500), "{\"host\":\"h0\"}", -10);
        seconds = 60;
        next();
        assertThat(states.states().getFirst().facts()).isSameAs(up);
        seconds = 70;
        next();
        assertThat(states.states().getFirst().facts()).isSameAs(up);
        seconds = 71;
        next();
        assertThat(states.states().getFirst().service().up()).isFalse();
    }

    /** A service row left over in one of nova's cells may have the more recent heartbeat. */
    @Test
    void aHostIsUpOnceAnyOfItsServicesSendsAHeartbeatAgain() {
        trees.add(tree(0, new Random(1)));
        edits.computeNode(uuid(0), "{\"host\":\"h0\"}")
                .service(uuid(500), "{\"host\":\"h0\"}", 0)
                .service(uuid(501), "{\"host\":\"h0\"}", 30);
        seconds = 200;
        next();
        assertThat(states.states().getFirst().service().up()).isFalse();
        registry.findService(UUID.fromString(uuid(501))).setLastHeartbeat(registry.asOf());
        next();
        assertThat(states.states().getFirst().service().up()).isTrue();
    }

    @Test
    void keepsTheFactsIfOnlyInstancesOfOtherHostsChange() {
        trees.add(tree(0, new Random(1)));
        trees.add(tree(1, new Random(2)));
        edits.instance(uuid(900), "{\"host\":\"" + uuid(0) + "\",\"nodename\":\"" + uuid(0) + "\"}");
        next();
        List<HostState> before = states.states();
        edits.instance(uuid(901), "{\"host\":\"" + uuid(1) + "\",\"nodename\":\"" + uuid(1) + "\"}");
        next();
        assertThat(states.states().get(0).facts()).isSameAs(before.get(0).facts());
        assertThat(states.states().get(1).instances()).containsOnlyKeys(uuid(901));
    }

    @Test
    void clearsTheMarksWhenThereAreTooMany() {
        var marks = new RegistryMarks(2);
        var first = marks.of("one");
        var all = marks.ofAll();
        marks.of("two");
        marks.of("three");
        assertThat(all.isUnchangedBetween(1, 1)).isTrue();
        assertThat(marks.ofAll()).isNotSameAs(all);
        assertThat(all.isUnchangedBetween(1, 1)).as("states built with the old marks").isFalse();
        assertThat(marks.of("one")).isNotSameAs(first);
    }

    private void next() {
        registry = edits.after(registry, seconds);
        states = find(situation(registry, null));
    }

    private HostStates find(Situation now) {
        return find(now, Integer.MAX_VALUE);
    }

    private HostStates find(Situation now, int newMax) {
        return table.find(now.referred(), now.sources(), now.destination(), newMax);
    }

    private void change(Random random) {
        changeBut(random, -1, -1);
    }

    private void changeBut(Random random, int one, int other) {
        int kind = random.nextInt(14);
        int i = random.nextInt(trees.size());
        String uuid = trees.get(i).tree().rootUuid();
        String host = "h" + uuid;
        switch (kind == one || kind == other ? 13 : kind) {
            case 0 -> trees.set(i, tree(numberOf(uuid), random));
            case 1 -> {
                if (trees.size() > 5) {
                    trees.remove(i);
                }
            }
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
                // Nothing changes between two queries of placement.
            }
        }
    }

    /** Creates a single provider, a root with a child that may be a node itself, or a sharing provider. */
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
                Map.of("", List.of(root))));
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
