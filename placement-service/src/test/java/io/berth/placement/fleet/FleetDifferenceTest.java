package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FleetDifferenceTest {
    private static final int IDS = 40;
    private static final List<NameCatalogue.Entry> NAMES = List.of(
            new NameCatalogue.Entry(0, "ZERO", 1), new NameCatalogue.Entry(1, "ONE", 1), new NameCatalogue.Entry(2, "TWO", 1));

    /** Each id has one of a few states, so that many stay what they are; uuids go with the state, as after a restore. */
    private static Provider provider(long id, int state, Random random) {
        long root = random.nextInt(10) == 0 ? 1 + random.nextLong(IDS) : id;
        int amount = state + 1;
        return new Provider(
                id, new UUID(id, state / 3), "p" + id + "-" + state / 2, state, root == id ? 0 : root, root, state % 2,
                new Inventories(
                        new int[] {0}, new int[] {amount}, new int[] {0}, new int[] {1}, new int[] {amount}, new int[] {1},
                        new double[] {1}, new long[] {state % 2}, state / 4),
                new int[] {state % 3}, state == 0 ? new UUID[0] : new UUID[] {new UUID(0, state)});
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
            FleetView known, Map<Long, Provider> tables, List<NameCatalogue.Entry> classes, List<NameCatalogue.Entry> traits) {
        var difference = new FleetDifference(known, classes, traits);
        tables.values().forEach(provider -> difference.read(provider.with(
                provider.inventories(), provider.traitIds(), provider.aggregates())));
        return difference.view();
    }

    @Test
    void ofAnyViewBecomesWhatTheTablesHoldAndKeepsWhatIsTheSame() {
        long seed = Seed.of(FleetDifferenceTest.class);
        var random = new Random(seed);
        FleetView view = FleetView.empty();
        Map<Long, Provider> tables = new TreeMap<>();
        for (int step = 0; step < 2_000; step++) {
            for (int changes = random.nextInt(6); changes > 0; changes--) {
                long id = 1 + random.nextLong(IDS);
                if (random.nextInt(3) == 0) {
                    tables.remove(id);
                } else {
                    tables.put(id, provider(id, random.nextInt(12), random));
                }
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
                    assertThat(now.find(inTable.uuid()) == null).as(at).isEqualTo(fresh.find(inTable.uuid()) == null);
                    if (before != null && before.isSame(inTable)) {
                        assertThat(after).as(at).isSameAs(before);
                    }
                }
            }
            assertThat(now.lineage()).as(at).isEqualTo(view.lineage());
            assertThat(read(now, tables, classes, traits)).as(at).isSameAs(now);
            view = now;
        }
    }
}
