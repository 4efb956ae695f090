package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that the fast check of an amount agrees with the list of the limits that it exceeds. */
class InventoriesTest {
    private static final int[] CLASSES = {0, 1, 2, 10_007};

    private static Inventories some(RandomGenerator random) {
        int[] there = IntStream.of(CLASSES).filter(_ -> random.nextBoolean()).toArray();
        int n = there.length;
        double[] ratios = random.doubles(n, 0.0001, 4).toArray();
        for (int i = 0; i < n; i++) {
            ratios[i] = switch (random.nextInt(4)) {
                case 0 -> 1.0;
                case 1 -> 16.0;
                case 2 -> Float.MAX_VALUE;
                default -> ratios[i];
            };
        }
        return new Inventories(
                there, random.ints(n, 1, 40).toArray(), random.ints(n, 0, 45).toArray(),
                random.ints(n, 1, 6).toArray(), random.ints(n, 1, 30).toArray(), random.ints(n, 1, 4).toArray(),
                ratios, random.longs(n, 0, 60).toArray(), 0);
    }

    @Test
    void fitsExactlyWhenNoLimitIsExceeded() {
        long seed = Seed.of(InventoriesTest.class);
        var random = new SplittableRandom(seed);
        int fitting = 0;
        for (int round = 0; round < 2_000; round++) {
            Inventories inventories = some(random);
            for (int classId : CLASSES) {
                long amount = random.nextInt(1, 35);
                int position = inventories.find(classId);
                boolean expected = position >= 0 && inventories.breaches(position, amount).isEmpty();
                assertThat(inventories.fits(classId, amount))
                        .as("seed %d round %d class %d amount %d", seed, round, classId, amount)
                        .isEqualTo(expected);
                fitting += expected ? 1 : 0;
            }
        }
        assertThat(fitting).isPositive();
    }

    @Test
    void fitsUpToTheLargestInteger() {
        int most = Integer.MAX_VALUE;
        var all = new Inventories(
                new int[] {3}, new int[] {most}, new int[] {0}, new int[] {1}, new int[] {most}, new int[] {1},
                new double[] {Float.MAX_VALUE}, new long[] {Long.MAX_VALUE / 2}, 0);
        assertThat(all.fits(3, most)).isTrue();
        assertThat(all.fits(3, most + 1L)).isFalse();
        assertThat(Inventories.NONE.fits(3, 1)).isFalse();
    }
}
