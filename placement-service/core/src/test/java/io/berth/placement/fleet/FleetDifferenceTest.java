package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.placement.fleet.index.Slots;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests that a fleet view that is updated by differences equals a view that is read completely, for random changes. */
class FleetDifferenceTest {
    private static final int IDS = 40;
    private static final int STATES = 12;
    private static final List<NameCatalogue.Entry> NAMES = List.of(
            new NameCatalogue.Entry(0, "ZERO", 1), new NameCatalogue.Entry(1, "ONE", 1),
            new NameCatalogue.Entry(2, "TWO", 1));

    /**
     * Returns a provider in one of a few states, so that many providers do not change. The uuid depends on the state,
     * as after a restore.
     *
     * @param who part of the uuid and name, different for each provider
     */
    private static Provider provider(long id, long who, int state, Random random) {
        long root = random.nextInt(10) == 0 ? 1 + random.nextLong(IDS) : id;
        int amount = state + 1;
        return new Provider(
                id, new UUID(who, state / 3), "p" + who + "-" + state / 2, state, root == id ? 0 : root, root,
                state % 2, new Inventories(
                        new int[] {0}, new int[] {amount}, new int[] {0}, new int[] {1}, new int[] {amount},
                        new int[] {1}, new double[] {1}, new long[] {state % 2}, state / 4),
                new int[] {state % 3}, state == 0 ? new UUID[0] : new UUID[] {new UUID(0, state)});
    }

    /** Exchanges the uuids and names of two providers, as after a restore in which they were swapped. */
    private static void exchange(List<Long> who, int one, int other, Map<Long, Provider> tables, Random random) {
        Collections.swap(who, one, other);
        for (int id : new int[] {one, other}) {
            tables.computeIfPresent((long) id,
                    (same, provider) -> provider(same, who.get(id), provider.generation(), random));
        }
    }

    private static @Nullable Long id(@Nullable Provider provider) {
        return provider == null ? null : (Long) provider.id();
    }

    /** Returns the roots in every index of the view, by index. */
    private static Map<String, Set<Long>> indexes(FleetView view) {
        Map<String, Set<Long>> indexes = new TreeMap<>();
        for (int i = 0; i < STATES; i++) {
            indexes.put("trait " + i, roots(view, view.slotsWithTrait(i)));
            indexes.put("class " + i, roots(view, view.slotsWithClass(i)));
            indexes.put("aggregate " + i, roots(view, view.slotsInAggregate(new UUID(0, i))));
        }
        return indexes;
    }

    private static Set<Long> roots(FleetView view, Slots slots) {
        return IntStream.range(0, slots.size())
                .mapToObj(i -> view.tree(slots.get(i)).root().id())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<NameCatalogue.Entry> names(Random random) {
        List<NameCatalogue.Entry> some = new ArrayList<>(NAMES);
        if (random.nextBoolean()) {
            some.remove(random.nextInt(3));
        }
        if (random.nextInt(4) == 0) {
            some.replaceAll(entry -> new NameCatalogue.Entry((entry.id() + 1) % 3, entry.name(), entry.updatedAtMs()));
        }
        return some;
    }

    private static FleetView read(
            FleetView known,
            Map<Long, Provider> tables, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {
        var difference = new FleetDifference(known, classes, traits);
        tables.values().forEach(provider -> difference.add(provider.with(
                provider.inventories(), provider.traitIds(), provider.aggregates())));
        return difference.view();
    }

    @Test
    void aViewMatchesTheTablesAndKeepsUnchangedProviders() {
        long seed = Seed.of(FleetDifferenceTest.class);
        var random = new Random(seed);
        FleetView view = FleetView.empty();
        Map<Long, Provider> tables = new TreeMap<>();
        List<Long> who = new ArrayList<>(LongStream.rangeClosed(0, IDS).boxed().toList());
        for (int step = 0; step < 2_000; step++) {
            for (int changes = random.nextInt(6); changes > 0; changes--) {
                int id = 1 + random.nextInt(IDS);
                if (random.nextInt(3) == 0) {
                    tables.remove((long) id);
                } else {
                    tables.put((long) id, provider(id, who.get(id), random.nextInt(STATES), random));
                }
            }
            if (random.nextInt(3) == 0) {
                exchange(who, 1 + random.nextInt(IDS), 1 + random.nextInt(IDS), tables, random);
            }
            List<NameCatalogue.Entry> classes = names(random);
            List<NameCatalogue.Entry> traits = names(random);
            FleetView now = read(view, tables, classes, traits);
            FleetView fresh = read(FleetView.empty(), tables, classes, traits);
            String at = "seed " + seed + " step " + step;

            assertThat(now.resourceClasses().list()).as(at).isEqualTo(fresh.resourceClasses().list());
            assertThat(now.traits().list()).as(at).isEqualTo(fresh.traits().list());
            assertThat(now.leftOut().keySet()).as(at).isEqualTo(fresh.leftOut().keySet());
            assertThat(now.listProviders().stream().map(Provider::id)).as(at)
                    .isEqualTo(fresh.listProviders().stream().map(Provider::id).toList());
            for (long id = 1; id <= IDS; id++) {
                Provider inTable = tables.get(id);
                Provider before = view.findInTables(id);
                Provider after = now.findInTables(id);
                assertThat(after == null).as(at).isEqualTo(inTable == null);
                if (inTable != null) {
                    assertThat(after.isSame(inTable)).as(at).isTrue();
                    assertThat(id(now.find(inTable.uuid()))).as(at).isEqualTo(id(fresh.find(inTable.uuid())));
                    assertThat(id(now.find(inTable.name()))).as(at).isEqualTo(id(fresh.find(inTable.name())));
                    if (before != null && before.isSame(inTable)) {
                        assertThat(after).as(at).isSameAs(before);
                    }
                }
                if (before != null) {
                    assertThat(id(now.find(before.uuid()))).as(at).isEqualTo(id(fresh.find(before.uuid())));
                    assertThat(id(now.find(before.name()))).as(at).isEqualTo(id(fresh.find(before.name())));
                }
            }
            assertThat(indexes(now)).as(at).isEqualTo(indexes(fresh));
            assertThat(now.lineage()).as(at).isEqualTo(view.lineage());
            assertThat(read(now, tables, classes, traits)).as(at).isSameAs(now);
            view = now;
        }
    }
}
