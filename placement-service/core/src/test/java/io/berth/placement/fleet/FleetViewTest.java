package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.placement.fleet.index.Slots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the immutable view of all providers and its indexes. */
class FleetViewTest {
    private static final UUID AGG = new UUID(0, 7);

    @Test
    void ordersParentsFirstAndFindsProvidersWithinASubtree() {
        var view = FleetView.empty().with(
                List.of(provider(3, 2, 1), provider(1, 0, 1), provider(2, 1, 1), provider(4, 1, 1)), List.of(),
                List.of(), List.of());
        ProviderTree tree = view.treeOf(view.find(3L));
        assertThat(tree.size()).isEqualTo(4);
        assertThat(tree.root().id()).isEqualTo(1);
        int child = tree.find(2);
        int grandchild = tree.find(3);
        assertThat(tree.parent(grandchild)).isEqualTo(child);
        assertThat(tree.isWithin(grandchild, child)).isTrue();
        assertThat(tree.isWithin(tree.find(4), child)).isFalse();
        assertThat(tree.isWithin(grandchild, 0)).isTrue();
        assertThat(tree.find(99)).isEqualTo(-1);
    }

    @Test
    void leavesThePreviousViewUnchanged() {
        var before = FleetView.empty().with(List.of(provider(1, 0, 1, 5)), List.of(), List.of(), List.of());
        var after = before.with(List.of(), List.of(1L), List.of(), List.of());
        assertThat(before.find(1L)).isNotNull();
        assertThat(before.slotsWithTrait(5).size()).isEqualTo(1);
        assertThat(after.find(1L)).isNull();
        assertThat(after.slotsWithTrait(5).size()).isZero();
        assertThat(after.providerCount()).isZero();
    }

    @Test
    void swapsNamesAndUuidsInOneChange() {
        var one = named(1, "a");
        var two = named(2, "b");
        var view = FleetView.empty().with(List.of(one, two), List.of(), List.of(), List.of())
                .with(List.of(named(1, "b"), named(2, "a")), List.of(), List.of(), List.of());
        assertThat(view.find("a").id()).isEqualTo(2);
        assertThat(view.find("b").id()).isEqualTo(1);
    }

    @Test
    void joinsAndSplitsTreesWhenProvidersAreReparented() {
        var two = FleetView.empty()
                .with(List.of(provider(1, 0, 1, 5), provider(2, 0, 2, 6)), List.of(), List.of(), List.of());
        var joined = two.with(List.of(provider(2, 1, 1, 6)), List.of(), List.of(), List.of());
        assertThat(joined.treeOf(joined.find(1L)).size()).isEqualTo(2);
        assertThat(joined.slotsWithTrait(6).get(0)).isEqualTo(joined.slotOf(joined.find(1L)));
        var split = joined.with(List.of(provider(2, 0, 2, 6)), List.of(), List.of(), List.of());
        assertThat(split.treeOf(split.find(1L)).size()).isEqualTo(1);
        assertThat(split.slotsWithTrait(6).get(0)).isEqualTo(split.slotOf(split.find(2L)));
    }

    @Test
    void leavesOutProvidersWhoseRootDiffersFromTheirParents() {
        var whole = FleetView.empty().with(
                List.of(provider(1, 0, 1), provider(2, 1, 1, 5), provider(3, 0, 3, 5), provider(4, 0, 4, 5)),
                List.of(), List.of(), List.of());
        var broken = whole.with(List.of(provider(2, 1, 3, 5)), List.of(), List.of(), List.of());
        assertThat(broken.leftOut().get(3L)).extracting(Provider::id).containsExactly(2L);
        assertThat(broken.providerCount()).isEqualTo(3);
        assertThat(broken.find(2L)).isNull();
        assertThat(broken.find(new UUID(1, 2))).isNull();
        assertThat(broken.find("p2")).isNull();
        assertThat(broken.slotsWithTrait(5).size()).isEqualTo(2);
        assertThat(broken.treeOf(broken.find(1L)).size()).isEqualTo(1);
        assertThat(broken.treeOf(broken.find(3L)).size()).isEqualTo(1);
        assertThat(broken.with(List.of(provider(3, 0, 3, 5)), List.of(), List.of(), List.of()).find("p3")).isNotNull();
        var repaired = broken.with(List.of(provider(2, 1, 1, 5)), List.of(), List.of(), List.of());
        assertThat(repaired.leftOut()).isEmpty();
        assertThat(repaired.treeOf(repaired.find(2L)).root().id()).isEqualTo(1);
        assertThat(repaired.find("p3")).isSameAs(repaired.find(3L));
        assertThat(repaired.slotsWithTrait(5).size()).isEqualTo(3);
        assertThat(broken.with(List.of(), List.of(2L, 3L), List.of(), List.of()).leftOut()).isEmpty();
    }

    /**
     * Makes random changes: creations, deletions, new parents, wrong roots and traits. After each step, every lookup
     * agrees with a plain map.
     */
    @Test
    void agreesWithAPlainMapAfterAnyChanges() {
        long seed = Seed.of(FleetViewTest.class);
        Random random = new Random(seed);
        Map<Long, Provider> model = new HashMap<>();
        FleetView view = FleetView.empty();
        long nextId = 1;
        for (int step = 0; step < 1_500; step++) {
            List<Provider> changed = new ArrayList<>();
            List<Long> deleted = new ArrayList<>();
            Set<Long> touched = new HashSet<>();
            int changes = 1 + random.nextInt(step % 100 == 0 ? 200 : 4);
            for (int i = 0; i < changes; i++) {
                List<Provider> roots = model.values().stream().filter(Provider::isRoot)
                        .filter(p -> !touched.contains(p.id())).toList();
                switch (random.nextInt(5)) {
                    case 0 -> {
                        Provider created = provider(nextId, 0, nextId, traits(random));
                        put(created, model, changed, touched);
                        nextId++;
                    }
                    case 1 -> {
                        if (!roots.isEmpty()) {
                            Provider parent = roots.get(random.nextInt(roots.size()));
                            put(provider(nextId, parent.id(), parent.id(), traits(random)), model, changed, touched);
                            touched.add(parent.id());
                            nextId++;
                        }
                    }
                    case 2 -> {
                        List<Provider> leaves = leaves(model, touched);
                        if (!leaves.isEmpty()) {
                            Provider leaf = leaves.get(random.nextInt(leaves.size()));
                            model.remove(leaf.id());
                            deleted.add(leaf.id());
                            touched.add(leaf.id());
                        }
                    }
                    case 3 -> {
                        List<Provider> all = model.values().stream().filter(p -> !touched.contains(p.id())).toList();
                        if (!all.isEmpty()) {
                            Provider one = all.get(random.nextInt(all.size()));
                            long root = random.nextInt(4) == 0 ? 1 + random.nextLong(nextId) : rightRoot(one, model);
                            put(provider(one.id(), one.parentId(), root, one.traitIds()), model, changed, touched);
                        }
                    }
                    default -> {
                        List<Provider> leaves = leaves(model, touched);
                        if (!leaves.isEmpty() && !roots.isEmpty()) {
                            Provider leaf = leaves.get(random.nextInt(leaves.size()));
                            Provider parent = roots.get(random.nextInt(roots.size()));
                            boolean alone = random.nextBoolean() || parent.id() == leaf.id();
                            put(provider(leaf.id(), alone ? 0 : parent.id(), alone ? leaf.id() : parent.id(),
                                    traits(random)), model, changed, touched);
                            touched.add(parent.id());
                        }
                    }
                }
            }
            view = view.with(changed, deleted, List.of(), List.of());
            if (step % 10 == 0) {
                assertSame(view, model);
            }
        }
        assertSame(view, model);
    }

    private static void put(Provider now, Map<Long, Provider> model, List<Provider> changed, Set<Long> touched) {
        model.put(now.id(), now);
        changed.add(now);
        touched.add(now.id());
    }

    private static List<Provider> leaves(Map<Long, Provider> model, Set<Long> touched) {
        Set<Long> parents = model.values().stream().map(Provider::parentId).collect(Collectors.toSet());
        return model.values().stream().filter(p -> !parents.contains(p.id()) && !touched.contains(p.id())).toList();
    }

    private static int[] traits(Random random) {
        return random.ints(random.nextInt(3), 1, 6).distinct().toArray();
    }

    private static long rightRoot(Provider provider, Map<Long, Provider> model) {
        Provider at = provider;
        while (!at.isRoot() && model.containsKey(at.parentId())) {
            at = model.get(at.parentId());
        }
        return at.id();
    }

    /** Returns true if its parents lead to the root that it names, and all of them name that root too. */
    private static boolean isShown(Provider provider, Map<Long, Provider> model) {
        Provider at = provider;
        while (at != null && !at.isRoot() && at.rootId() == provider.rootId()) {
            at = model.get(at.parentId());
        }
        return at != null && at.id() == provider.rootId() && at.rootId() == provider.rootId();
    }

    private static void assertSame(FleetView view, Map<Long, Provider> model) {
        Map<Boolean, List<Provider>> byShown = model.values().stream()
                .collect(Collectors.partitioningBy(provider -> isShown(provider, model)));
        byShown.get(false).forEach(p -> {
            assertThat(view.find(p.id())).isNull();
            assertThat(view.find(p.uuid())).isNull();
            assertThat(view.find(p.name())).isNull();
        });
        assertThat(view.leftOut().values().stream().flatMap(List::stream).toList())
                .containsExactlyInAnyOrderElementsOf(byShown.get(false));
        List<Provider> shown = byShown.get(true);
        assertThat(view.providerCount()).isEqualTo(shown.size());
        assertThat(view.listProviders()).hasSize(shown.size())
                .allSatisfy(p -> assertThat(model.get(p.id())).isSameAs(p));
        Map<Integer, Set<Integer>> slotsByTrait = new HashMap<>();
        shown.forEach(p -> {
            assertThat(view.find(p.uuid())).isSameAs(p);
            assertThat(view.find(p.name())).isSameAs(p);
            for (int trait : p.traitIds()) {
                slotsByTrait.computeIfAbsent(trait, t -> new TreeSet<>()).add(view.slotOf(p));
            }
        });
        for (int trait = 1; trait < 6; trait++) {
            Slots slots = view.slotsWithTrait(trait);
            List<Integer> found = new ArrayList<>();
            for (int i = 0; i < slots.size(); i++) {
                found.add(slots.get(i));
            }
            assertThat(found).containsExactlyElementsOf(slotsByTrait.getOrDefault(trait, Set.of()));
        }
    }

    private static Provider provider(long id, long parentId, long rootId, int... traits) {
        return new Provider(
                id, new UUID(1, id), "p" + id, 0, parentId, rootId, 0, Inventories.NONE, traits, new UUID[] {AGG});
    }

    private static Provider named(long id, String name) {
        return new Provider(id, new UUID(1, name.charAt(0)), name, 0, 0, id, 0, Inventories.NONE, new int[0],
                new UUID[0]);
    }
}
