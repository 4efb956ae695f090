package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TreeRoomTest {
    private static final int CLASSES = 3;

    private static Provider provider(long id, long root, Random random) {
        int[] classIds = random.ints(0, CLASSES).limit(random.nextInt(1, 4)).distinct().sorted().toArray();
        int n = classIds.length;
        int[] ones = new int[n];
        int[] totals = new int[n];
        int[] reserved = new int[n];
        int[] maxUnits = new int[n];
        double[] ratios = new double[n];
        long[] used = new long[n];
        for (int i = 0; i < n; i++) {
            ones[i] = 1;
            totals[i] = 1 << random.nextInt(31);
            reserved[i] = random.nextInt(3);
            ratios[i] = random.nextBoolean() ? 1.0 : 1.7;
            used[i] = random.nextLong(2L * totals[i]);
            maxUnits[i] = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : Integer.MAX_VALUE;
        }
        return new Provider(
                id, new UUID(1, id), "p" + id, 0, id == root ? 0 : root, root, 0,
                new Inventories(classIds, totals, reserved, ones, maxUnits, ones, ratios, used, 0),
                new int[0], new UUID[0]);
    }

    /** Whatever fits into any provider of a tree is within the tree's step, and that within the step of its neighbours. */
    @Test
    void isNeverLessThanWhatFits() {
        long seed = Long.getLong("berth.test.seed", System.nanoTime());
        System.out.println("RoomTest seed " + seed + " (repeat with -Dberth.test.seed=" + seed + ")");
        Random random = new Random(seed);
        FleetView view = FleetView.empty();
        int full = 0;
        int fitting = 0;
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
                    assertThat(room.at(slot)).isEqualTo(TreeRoom.of(tree, classId)).isLessThanOrEqualTo(room.highestNear(slot));
                    if (tree != null) {
                        long amount = 1L << random.nextInt(32) | random.nextInt(100);
                        int of = classId;
                        if (tree.nodes().stream().anyMatch(node -> node.inventories().fits(of, amount))) {
                            assertThat(room.at(slot)).isGreaterThanOrEqualTo(TreeRoom.step(amount));
                            fitting++;
                        }
                        full += room.at(slot) == 0 ? 1 : 0;
                    }
                }
                for (int slot = 0; slot < view.slotCount(); slot += 256) {
                    int highest = 0;
                    for (int near = slot; near < slot + 256; near++) {
                        highest = Math.max(highest, room.at(near));
                    }
                    assertThat(room.highestNear(slot)).isEqualTo(highest);
                }
            }
        }
        assertThat(full).isGreaterThan(1_000);
        assertThat(fitting).isGreaterThan(1_000);
    }

    @Test
    void stepsRiseWithTheAmountAndTellCommonOnesApart() {
        assertThat(TreeRoom.step(-5)).isZero();
        assertThat(TreeRoom.step(0)).isZero();
        assertThat(TreeRoom.step(Long.MAX_VALUE)).isEqualTo(TreeRoom.step(Integer.MAX_VALUE)).isEqualTo(231);
        int before = 0;
        for (long amount = 1; amount <= Integer.MAX_VALUE; amount += 1 + amount / 1_000) {
            assertThat(TreeRoom.step(amount)).isGreaterThanOrEqualTo(before);
            before = TreeRoom.step(amount);
        }
        for (long amount : new long[] {1, 2, 3, 8, 15, 16, 20, 512, 2_048, 3_072, 4_096, 10_240, 65_536}) {
            assertThat(TreeRoom.step(amount - 1)).as(amount + " and one less").isLessThan(TreeRoom.step(amount));
        }
    }

    @Test
    void leavesTheViewBeforeAsItWas() {
        Random random = new Random(1);
        Provider one = provider(1, 1, random);
        FleetView before = FleetView.empty().with(List.of(one), List.of(), List.of(), List.of());
        int classId = one.inventories().classIds()[0];
        int step = before.room(classId).at(0);
        before.with(List.of(), List.of(1L), List.of(), List.of());
        assertThat(before.room(classId).at(0)).isEqualTo(step);
    }
}
