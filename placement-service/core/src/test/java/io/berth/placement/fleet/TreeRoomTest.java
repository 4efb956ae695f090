package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the index of the largest amount that each provider tree can provide of a resource class. */
class TreeRoomTest {
    private static final int CLASSES = 3;

    private static Provider provider(long id, long root, Random random) {
        int[] classIds = random.ints(0, CLASSES).limit(random.nextInt(1, 4)).distinct().sorted().toArray();
        int n = classIds.length;
        int[] minUnits = new int[n];
        int[] steps = new int[n];
        int[] totals = new int[n];
        int[] reserved = new int[n];
        int[] maxUnits = new int[n];
        double[] ratios = new double[n];
        long[] used = new long[n];
        for (int i = 0; i < n; i++) {
            minUnits[i] = random.nextInt(4) == 0 ? random.nextInt(9) : 1;
            steps[i] = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1;
            totals[i] = 1 << random.nextInt(31);
            reserved[i] = random.nextInt(3);
            ratios[i] = random.nextBoolean() ? 1.0 : 1.7;
            used[i] = random.nextLong(2L * totals[i]);
            maxUnits[i] = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : Integer.MAX_VALUE;
        }
        return new Provider(
                id, new UUID(1, id), "p" + id, 0, id == root ? 0 : root, root, 0,
                new Inventories(classIds, totals, reserved, minUnits, maxUnits, steps, ratios, used, 0),
                new int[0], new UUID[0]);
    }

    private static int most(Provider provider, int classId) {
        Inventories inventories = provider.inventories();
        int at = inventories.find(classId);
        return at < 0 ? 0 : (int) Math.clamp(
                Math.floor(inventories.capacity(at)) - inventories.used()[at], -1, inventories.maxUnit()[at]);
    }

    /**
     * An amount that fits into a provider must not exceed the amount of its tree, nor the highest amount of the tree's
     * chunk.
     */
    @Test
    void isNeverLessThanAnAmountThatFits() {
        long seed = Seed.of(TreeRoomTest.class);
        Random random = new Random(seed);
        FleetView view = FleetView.empty();
        int full = 0;
        int fitting = 0;
        int exact = 0;
        int several = 0;
        for (int step = 0; step < 60; step++) {
            List<Provider> changed = new ArrayList<>();
            List<Long> deleted = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                long root = 1 + 2L * random.nextInt(400);
                if (random.nextInt(5) == 0) {
                    deleted.add(root);
                    deleted.add(root + 1);
                } else if (!deleted.contains(root)) {
                    changed.add(provider(root, root, random));
                    if (random.nextBoolean()) {
                        changed.add(provider(root + 1, root, random));
                    }
                }
            }
            changed.removeIf(one -> deleted.contains(one.rootId()));
            view = view.with(changed, deleted, List.of(), List.of());
            for (int classId = 0; classId < CLASSES; classId++) {
                TreeRoom room = view.room(classId);
                for (int slot = 0; slot < view.slotCount() + 300; slot++) {
                    ProviderTree tree = slot < view.slotCount() ? view.tree(slot) : null;
                    int of = classId;
                    int most = room.amountAt(slot);
                    assertThat(most)
                            .isEqualTo(Math.max(0, tree == null
                                    ? 0
                                    : tree.nodes().stream().mapToInt(node -> most(node, of)).max().orElse(0)))
                            .isLessThanOrEqualTo(room.highestInChunk(slot));
                    if (tree != null) {
                        long amount = random.nextBoolean()
                                ? 1 + random.nextLong(most + 2L)
                                : 1L << random.nextInt(32) | random.nextInt(100);
                        boolean fits = tree.nodes().stream().anyMatch(node -> node.inventories().fits(of, amount));
                        assertThat(!fits || amount <= most).as(amount + " of " + most).isTrue();
                        fitting += fits ? 1 : 0;
                        if (room.isExact(slot)) {
                            assertThat(tree.size()).isOne();
                            assertThat(fits).as(amount + " of " + most).isEqualTo(amount <= most);
                            exact++;
                        } else if (tree.size() > 1 || most == 0) {
                            several++;
                        }
                        full += room.amountAt(slot) == 0 ? 1 : 0;
                    }
                }
                for (int slot = 0; slot < view.slotCount(); slot += 256) {
                    int highest = 0;
                    for (int near = slot; near < slot + 256; near++) {
                        highest = Math.max(highest, room.amountAt(near));
                    }
                    assertThat(room.highestInChunk(slot)).isEqualTo(highest);
                }
            }
        }
        assertThat(full).isGreaterThan(1_000);
        assertThat(fitting).isGreaterThan(1_000);
        assertThat(exact).isGreaterThan(1_000);
        assertThat(several).isGreaterThan(1_000);
    }

    @Test
    void leavesThePreviousViewUnchanged() {
        Random random = new Random(1);
        Provider one = provider(1, 1, random);
        FleetView before = FleetView.empty().with(List.of(one), List.of(), List.of(), List.of());
        int classId = one.inventories().classIds()[0];
        int most = before.room(classId).amountAt(0);
        before.with(List.of(), List.of(1L), List.of(), List.of());
        assertThat(before.room(classId).amountAt(0)).isEqualTo(most);
    }

    @Test
    void removesTheRoomOfAClassWithoutInventories() {
        Inventories some = new Inventories(
                new int[] {1}, new int[] {8}, new int[1], new int[] {1}, new int[] {8}, new int[] {1}, new double[] {1},
                new long[1], 0);
        Provider with = new Provider(1, new UUID(1, 1), "p1", 0, 0, 1, 0, some, new int[0], new UUID[0]);
        FleetView view = FleetView.empty().with(List.of(with), List.of(), List.of(), List.of());
        assertThat(view.room(1).amountAt(0)).isEqualTo(8);
        FleetView emptied = view.with(
                List.of(with.with(Inventories.NONE, new int[0], new UUID[0])), List.of(), List.of(), List.of());
        assertThat(emptied.room(1)).isSameAs(TreeRoom.NONE);
        assertThat(view.with(List.of(), List.of(1L), List.of(), List.of()).room(1)).isSameAs(TreeRoom.NONE);
        assertThat(emptied.with(List.of(with), List.of(), List.of(), List.of()).room(1).amountAt(0)).isEqualTo(8);
    }
}
