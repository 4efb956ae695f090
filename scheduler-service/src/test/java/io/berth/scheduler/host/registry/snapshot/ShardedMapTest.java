package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of ShardedMap, with random changes against HashMap. */
class ShardedMapTest {
    @Test
    void equalsAPlainMapAndLeavesEarlierVersionsUnchanged() {
        long seed = Seed.of(ShardedMapTest.class);
        var random = new Random(seed);
        List<ShardedMap<Integer, Integer>> versions = new ArrayList<>();
        List<Map<Integer, Integer>> expected = new ArrayList<>();
        versions.add(ShardedMap.empty());
        expected.add(Map.of());
        for (int step = 0; step < 200; step++) {
            Map<Integer, Integer> changes = new HashMap<>();
            for (int i = random.nextInt(30); i > 0; i--) {
                changes.put(random.nextInt(3000), random.nextInt(5) == 0 ? null : random.nextInt());
            }
            versions.add(versions.getLast().with(changes));
            Map<Integer, Integer> next = new HashMap<>(expected.getLast());
            changes.forEach((key, value) -> {
                if (value == null) {
                    next.remove(key);
                } else {
                    next.put(key, value);
                }
            });
            expected.add(next);
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(versions.get(i)).as("seed %d version %d", seed, i)
                    .isEqualTo(expected.get(i))
                    .hasSize(expected.get(i).size());
            assertThat(new HashMap<>(versions.get(i))).isEqualTo(expected.get(i));
        }
    }

    @Test
    void keepsTheInsertionOrderOfSmallMaps() {
        Map<String, Integer> changes = new LinkedHashMap<>();
        for (int i = 100; i > 0; i--) {
            changes.put("key" + i, i);
        }
        ShardedMap<String, Integer> map = ShardedMap.<String, Integer>empty().with(changes);

        assertThat(map.keySet()).containsExactlyElementsOf(changes.keySet());
        assertThat(map.with(Map.of())).isSameAs(map);
    }
}
