package io.berth.scheduler.placement.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.placement.candidate.RootCandidates;
import io.berth.scheduler.placement.feed.Replica.Tree;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that candidates in references equal a plain response, for any replicas and any order of arrival. */
class TreeExchangeTest {
    private static final int PLENTY = 1 << 20;

    private final Map<Long, Tree> database = new LinkedHashMap<>();
    private long ids;

    private Tree add(String uuid) {
        return put(new Tree(++ids, uuid, List.of(), 0));
    }

    private Tree addWithTwoChildren(String uuid) {
        ids += 3;
        return put(new Tree(ids - 2, uuid, List.of(ids - 1, ids), 2));
    }

    private Tree put(Tree tree) {
        database.put(tree.id(), tree);
        return tree;
    }

    private Tree use(Tree tree, long used) {
        return put(new Tree(tree.id(), tree.uuid(), tree.children(), used));
    }

    private static References parsed(String body) {
        try {
            return ReferencesParser.parse(body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ReferencesParser.Trees treesIn(String body) {
        try {
            return ReferencesParser.parseTrees(body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AllocationCandidates resolved(TreeExchange trees, References answer, Replica replica) {
        return trees.resolve(answer, ids -> Uni.createFrom().item(treesIn(replica.trees(ids)))).await().indefinitely();
    }

    private static AllocationCandidates get(TreeExchange trees, Replica replica) {
        return resolved(trees, parsed(replica.references(trees.positionsAsParameters())), replica);
    }

    private static List<ProviderTree> trees(AllocationCandidates candidates) {
        return candidates.roots().stream().map(RootCandidates::tree).toList();
    }

    @Test
    void requestsMissingTreesOnceAndThenReceivesChanges() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree first = add("h1");
        add("h2");
        addWithTwoChildren("h3");
        AllocationCandidates before = get(trees, replica);
        assertThat(before).isEqualTo(replica.plain());
        assertThat(trees.positionsAsParameters()).isEqualTo("&after=A.4");
        use(first, 3);
        AllocationCandidates after = get(trees, replica);
        assertThat(after).isEqualTo(replica.plain());
        assertThat(replica.asked()).isEqualTo(1);
        assertThat(after.tree(0)).isNotSameAs(before.tree(0));
        assertThat(after.tree(1)).as("shared by both responses").isSameAs(before.tree(1));
    }

    @Test
    void reusesTreesThatAnotherReplicaHasInTheSameVersion() {
        var a = new Replica("A", database);
        var b = new Replica("B", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = add("h1");
        get(trees, a);
        assertThat(get(trees, b)).isEqualTo(b.plain());
        assertThat(b.asked()).isZero();
        use(tree, 1);
        assertThat(get(trees, b)).isEqualTo(b.plain());
        assertThat(get(trees, a)).isEqualTo(a.plain());
        assertThat(a.asked() + b.asked()).as("received as changed").isEqualTo(1);
        assertThat(trees.positionsAsParameters()).contains("&after=A.").contains("&after=B.");
    }

    @Test
    void anOvertakenResponseUsesTheLaterState() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = add("h1");
        get(trees, replica);
        use(tree, 1);
        References overtaken = parsed(replica.references(trees.positionsAsParameters()));
        use(tree, 2);
        AllocationCandidates now = get(trees, replica);
        assertThat(trees(resolved(trees, overtaken, replica))).isEqualTo(trees(replica.plain()));
        assertThat(trees(get(trees, replica))).isEqualTo(trees(now));
        assertThat(replica.asked()).isEqualTo(1);
    }

    @Test
    void findsTreesOnlyInTheVersionOfTheResponse() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = add("h1");
        add("h2");
        assertThat(trees.positions()).isEmpty();
        get(trees, replica);
        assertThat(trees.positions()).containsExactly("A.3");
        References before = parsed(replica.references(""));
        AllocationCandidates earlier = replica.plain();
        assertThat(trees.find(before)).isEqualTo(earlier);
        use(tree, 1);
        References now = parsed(replica.references(""));
        assertThat(trees.find(now)).as("not received yet").isNull();
        trees.askForLacking(now, ids -> Uni.createFrom().item(treesIn(replica.trees(ids)))).await().indefinitely();
        assertThat(trees.find(now)).isEqualTo(replica.plain());
        assertThat(trees.find(before)).as("overtaken, but in its own version").isEqualTo(earlier);
        assertThat(trees(get(trees, replica))).isEqualTo(trees(replica.plain()));
    }

    @Test
    void doesNotKeepTreesOfScenarios() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = add("h1");
        add("h2");
        get(trees, replica);
        References present = parsed(replica.references(""));
        Tree scenario = new Tree(tree.id(), tree.uuid(), List.of(), 7);
        ByteBuffer references =
                ByteBuffer.wrap(present.trees().array().clone()).putLong(Long.BYTES, scenario.version());
        List<ReceivedTree> changed =
                treesIn("{\"replica\":\"A\",\"position\":3,\"trees\":[" + scenario.json() + "]}").trees();
        AllocationCandidates found = trees.find(
                new References(present.fleetPosition(), present.parts(), references, Map.of(), changed));
        assertThat(found.tree(0)).isEqualTo(scenario.plain().tree());
        assertThat(found.tree(1)).isSameAs(trees.find(present).tree(1));
        assertThat(trees.find(present)).isEqualTo(replica.plain());
        assertThat(trees.find(
                new References(present.fleetPosition(), present.parts(), references, Map.of(), List.of())))
                .as("without the changed tree").isNull();
    }

    @Test
    void startsTheCountOfARestartedReplicaAgain() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = add("h1");
        for (int used = 0; used < 8; used++) {
            tree = use(tree, used);
            get(trees, replica);
        }
        replica.startAgain("C");
        use(tree, 1);
        assertThat(get(trees, replica)).as("position 2 is not before position 9 of another").isEqualTo(replica.plain());
        assertThat(replica.asked()).isEqualTo(2);
        for (int i = 0; i < 20; i++) {
            replica.startAgain("R" + i);
            get(trees, replica);
        }
        assertThat(trees.positionsAsParameters().split("&after=")).hasSize(9).endsWith("R19.1");
    }

    @Test
    void aTreeThatIsDeletedAndCreatedAgainIsAnother() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = addWithTwoChildren("h1");
        get(trees, replica);
        database.remove(tree.id());
        add("h1");
        assertThat(get(trees, replica)).isEqualTo(replica.plain());
        database.clear();
        assertThat(get(trees, replica)).isEqualTo(AllocationCandidates.NONE);
    }

    @Test
    void omitsTreesThatWereDeletedBeforeTheyWereRequested() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree gone = add("h1");
        add("h2");
        References answer = parsed(replica.references(""));
        database.remove(gone.id());
        assertThat(resolved(trees, answer, replica)).isEqualTo(replica.plain());
    }

    @Test
    void dropsTheRequestsOfADeletedChild() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        Tree tree = addWithTwoChildren("h1");
        References answer = parsed(replica.references(""));
        put(new Tree(tree.id(), "h1", tree.children().subList(0, 1), 5));
        assertThat(resolved(trees, answer, replica)).isEqualTo(replica.plain());
        References before = parsed(replica.references(""));
        put(new Tree(tree.id(), "h1", List.of(), 5));
        get(trees, replica);
        assertThat(resolved(trees, before, replica).isEmpty()).isTrue();
    }

    @Test
    void requestsManyTreesInChunks() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(1 << 30));
        for (int i = 0; i < 2 * TreeExchange.TREES_MAX + 1; i++) {
            add("h" + i);
        }
        assertThat(get(trees, replica)).isEqualTo(replica.plain());
        assertThat(replica.asked()).isEqualTo(3);
    }

    @Test
    void failsIfARequestForTreesFailsAndKeepsTheKnownTrees() {
        var replica = new Replica("A", database);
        var trees = new TreeExchange(new TreeTable(PLENTY));
        add("h1");
        get(trees, replica);
        add("h2");
        References answer = parsed(replica.references(""));
        var failure = trees.resolve(answer, ids -> Uni.createFrom().failure(new IOException("cable cut")))
                .map(found -> "found").onFailure(IOException.class).recoverWithItem(lost -> lost.getMessage())
                .await().indefinitely();
        assertThat(failure).isEqualTo("cable cut");
        assertThat(get(trees, replica)).isEqualTo(replica.plain());
        assertThat(replica.asked()).isEqualTo(2);
    }

    @Test
    void aTreeThatOnlySupportsARequestIsNoCandidateItself() {
        var answer = parsed("""
                {"replica":"A","position":5,"parts":[{"group":"","resources":{"VCPU":2}},{"group":"","resources":{"DISK_GB":9}},
                {"group":"_N","resources":{"VCPU":1,"DISK_GB":1}},{"group":"_T","resources":{}}],"classes":["VCPU","DISK_GB"],
                "trees":"%s","requests":[[0,[[1,3,2,9],[2,3,2,9]]],[1,[[1,3,2,9],[2,3,2,9]]],[2,[]]],"changed":[]}"""
                .formatted(Base64.getEncoder().encodeToString(
                        ByteBuffer.allocate(48).putLong(1).putLong(-1).putLong(3).putLong(-1).putLong(9).putLong(-1)
                                .array())));
        var trees = new TreeExchange(new TreeTable(PLENTY));
        AllocationCandidates found = trees.resolve(answer, ids -> Uni.createFrom().item(treesIn("""
                {"replica":"A","position":5,"trees":[
                 {"id":9,"version":-1,"providers":[{"id":9,"uuid":"t","parent":null,"resources":{},"traits":[]}]},
                 {"id":1,"version":-1,"providers":[{"id":1,"uuid":"h","parent":null,"resources":{},"traits":[]},
                   {"id":2,"uuid":"n","parent":1,"resources":{},"traits":[]}]},
                 {"id":3,"version":-1,"providers":[{"id":3,"uuid":"s","parent":null,
                   "resources":{"DISK_GB":{"capacity":99999999999999999999,"used":1}},
                   "traits":["MISC_SHARES_VIA_AGGREGATE"]}]}]}"""))).await().indefinitely();
        assertThat(trees(found)).extracting(ProviderTree::rootUuid).containsExactly("h", "s");
        assertThat(found.tree(1).summaries().getFirst().sharing()).isTrue();
        assertThat(found.requests(0).list()).hasToString(
                "[AllocationRequest[allocations={h={VCPU=2}, s={DISK_GB=9}, n={VCPU=1, DISK_GB=1}},"
                        + " mappings={=[h, s], _N=[n], _T=[t]}],"
                        + " AllocationRequest[allocations={n={VCPU=3, DISK_GB=1}, s={DISK_GB=9}},"
                        + " mappings={=[n, s], _N=[n], _T=[t]}]]");
        assertThat(found.takesFrom(0, "h")).isTrue();
        assertThat(found.takesFrom(0, "t")).isFalse();
        assertThat(found.takesFrom(1, "s")).isTrue();
        assertThat(found.requests()).hasSize(2);
    }

    /** Replicas take turns and restart while the fleet changes; responses arrive in any order. */
    @ParameterizedTest(name = "a table of {0} bytes")
    @ValueSource(ints = {PLENTY, 8 * (TreeTable.TREE_BYTES + TreeTable.PROVIDER_BYTES), 0})
    void equalsAPlainResponseAfterAnyChanges(int bytes) {
        long seed = Seed.of(TreeExchangeTest.class);
        var random = new Random(seed);
        var table = new TreeTable(bytes);
        var trees = new TreeExchange(table);
        List<Replica> replicas = List.of(new Replica("A", database), new Replica("B", database));
        List<InFlight> inFlight = new ArrayList<>();
        /* Every state that a root was in. */
        Map<String, Set<ProviderTree>> states = new HashMap<>();
        int knownCount = 0;
        for (int step = 0; step < 3_000; step++) {
            change(random);
            if (random.nextInt(40) == 0) {
                replicas.get(random.nextInt(2)).startAgain("R" + step);
            }
            Replica replica = replicas.get(random.nextInt(2));
            database.values().forEach(tree -> states.computeIfAbsent(tree.uuid(), made -> new HashSet<>())
                    .add(tree.plain().tree()));
            inFlight.add(new InFlight(parsed(replica.references(trees.positionsAsParameters())), replica.plain(), step));
            while (inFlight.size() > random.nextInt(6)) {
                InFlight answer = inFlight.remove(random.nextInt(inFlight.size()));
                AllocationCandidates known = trees.find(answer.references());
                if (known != null) {
                    assertThat(known).as("without a request, seed %d step %d", seed, step).isEqualTo(answer.plain());
                    knownCount++;
                }
                AllocationCandidates found = resolved(trees, answer.references(), replicas.get(random.nextInt(2)));
                if (answer.step() == step) {
                    assertThat(found).as("seed %d step %d", seed, step).isEqualTo(answer.plain());
                }
                for (RootCandidates root : found.roots()) {
                    assertThat(states.get(root.tree().rootUuid())).as("seed %d step %d", seed, step)
                            .contains(root.tree());
                    assertThat(root.requests()).as("seed %d step %d", seed, step).isNotEmpty();
                }
            }
            assertThat(table.bytes()).isBetween(0L, (long) bytes);
        }
        assertThat(replicas.getFirst().asked()).isPositive();
        assertThat(knownCount).isPositive();
    }

    /** A response on its way, the plain response, and the step after which the fleet is different. */
    private record InFlight(References references, AllocationCandidates plain, int step) {}

    private void change(Random random) {
        List<Tree> all = List.copyOf(database.values());
        Tree one = all.isEmpty() ? add("h0") : all.get(random.nextInt(all.size()));
        switch (random.nextInt(8)) {
            case 0 -> add("h" + random.nextInt(20) + "." + ids);
            case 1 -> database.remove(one.id());
            case 2 -> {
                database.remove(one.id());
                add(one.uuid());
            }
            case 3 -> put(new Tree(one.id(), one.uuid(), List.of(++ids), one.used()));
            case 4 -> put(new Tree(one.id(), one.uuid(), List.of(), one.used()));
            case 5, 6 -> use(one, random.nextInt(8));
            default -> {
                // Nothing changes before the next request.
            }
        }
    }
}
