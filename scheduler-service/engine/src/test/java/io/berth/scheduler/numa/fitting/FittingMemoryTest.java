package io.berth.scheduler.numa.fitting;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NumaBuilders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that it makes no difference that a session skips assignments that would end like the previous one: verdicts,
 * cells and what is left for the host's next candidate equal those of a search that tries every assignment. Cells
 * differ and have clashing ids here, so that remembered outcomes matter.
 */
class FittingMemoryTest {
    private static final int SEEDS = 5_000;

    @Test
    void equalsASearchThatTriesEveryAssignment() {
        int fits = 0;
        int changedVerdicts = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            HostNuma host = aHost(random);
            InstanceNuma instance = anInstance(random, host.cells().size());
            var session = new FittingSession(host, instance, null, false);
            var plain = new PlainSearch(host, instance);
            for (int candidate = 0; candidate < 3; candidate++) {
                CellDevices devices = someDevices(random);
                Fitting fitting = session.fit(devices);
                InstanceNuma expected = plain.fit(devices);
                assertThat(fitting instanceof Fitting.Fitted(InstanceNuma topology) ? topology : null)
                        .as("seed %d, candidate %d: %s onto %s: %s", seed, candidate, instance, host, fitting)
                        .isEqualTo(expected);
                fits += expected != null ? 1 : 0;
                boolean freshFits = new PlainSearch(host, instance).fit(devices) != null;
                changedVerdicts += (expected != null) != freshFits ? 1 : 0;
            }
        }
        assertThat(fits).as("the generator makes both outcomes").isBetween(SEEDS / 2, SEEDS * 5 / 2);
        assertThat(changedVerdicts).as("earlier candidates matter for some verdicts").isPositive();
    }

    /**
     * Recursion over all ordered selections, with the changes that attempts leave behind, and without optimizations.
     */
    private static final class PlainSearch {
        private final HostNuma host;
        private final List<InstanceNumaCell> cells;
        private final EmulatorThreadsPolicy emulatorThreads;

        PlainSearch(HostNuma host, InstanceNuma instance) {
            this.host = host;
            this.cells = new ArrayList<>(instance.cells());
            this.emulatorThreads = instance.emulatorThreadsPolicy();
        }

        /** Returns the fitted topology; null if it does not fit. */
        InstanceNuma fit(CellDevices devices) {
            List<HostNumaCell> ordered = CellOrder.of(host, cells, false, devices);
            var outcomes = new HashMap<String, Boolean>();
            for (List<HostNumaCell> chosen : selections(ordered, cells.size())) {
                if (fits(chosen, outcomes)) {
                    Set<Integer> ids = Set.copyOf(chosen.stream().map(HostNumaCell::id).toList());
                    if (!devices.requested() || devices.satisfiableOn(ids)) {
                        return new InstanceNuma(cells, emulatorThreads);
                    }
                }
            }
            return null;
        }

        private boolean fits(List<HostNumaCell> chosen, Map<String, Boolean> outcomes) {
            for (int index = 0; index < cells.size(); index++) {
                HostNumaCell hostCell = chosen.get(index);
                String key = hostCell.id() + " " + cells.get(index).id();
                if (!outcomes.containsKey(key)) {
                    int reserved = index == 0 && emulatorThreads == EmulatorThreadsPolicy.ISOLATE ? 1 : 0;
                    CellAttempt attempt = CellFit.attempt(hostCell, cells.get(index), null, reserved);
                    cells.set(index, attempt.cell());
                    outcomes.put(key, attempt.fits());
                }
                if (!outcomes.get(key)) {
                    return false;
                }
                cells.set(index, cells.get(index).withId(hostCell.id()));
            }
            return true;
        }

        private static List<List<HostNumaCell>> selections(List<HostNumaCell> from, int count) {
            if (count == 0) {
                return List.of(List.of());
            }
            var all = new ArrayList<List<HostNumaCell>>();
            for (HostNumaCell first : from) {
                List<HostNumaCell> others = from.stream().filter(each -> each != first).toList();
                for (List<HostNumaCell> rest : selections(others, count - 1)) {
                    var selection = new ArrayList<HostNumaCell>(List.of(first));
                    selection.addAll(rest);
                    all.add(selection);
                }
            }
            return all;
        }
    }

    private static HostNuma aHost(Random random) {
        int firstId = random.nextInt(3);
        int cellCount = 2 + random.nextInt(3);
        var cells = new ArrayList<HostNumaCell>();
        for (int id = firstId; id < firstId + cellCount; id++) {
            var cell = NumaBuilders.aHostCell(id).memoryMb(512L * (1 + random.nextInt(8)));
            if (random.nextBoolean()) {
                cell.pinned("0-" + random.nextInt(4));
            }
            if (random.nextBoolean()) {
                cell.pages(4, 262_144, 0, 0).pages(random.nextBoolean() ? 2048 : 1_048_576, random.nextInt(600), 0, 0);
            }
            cells.add(cell.build());
        }
        Collections.shuffle(cells, random);
        return new HostNuma(cells);
    }

    private static InstanceNuma anInstance(Random random, int cellsMax) {
        var cells = new ArrayList<InstanceNumaCell>();
        int cellCount = 1 + random.nextInt(cellsMax);
        boolean pins = random.nextInt(3) == 0;
        for (int id = 0; id < cellCount; id++) {
            var cell = NumaBuilders.anInstanceCell(id).memoryMb(256L * (1 + random.nextInt(8)));
            if (pins) {
                cell.dedicated("0-" + random.nextInt(2));
            }
            if (random.nextInt(3) == 0) {
                cell.pageSize(-1 - random.nextInt(3));
            }
            cells.add(cell.build());
        }
        boolean isolates = pins && random.nextBoolean();
        return new InstanceNuma(cells, isolates ? EmulatorThreadsPolicy.ISOLATE : null);
    }

    private static CellDevices someDevices(Random random) {
        boolean requested = random.nextInt(3) > 0;
        int near = random.nextInt(4);
        return new CellDevices() {
            @Override
            public boolean requested() {
                return requested;
            }

            @Override
            public long freeOn(int cellId) {
                return cellId == near ? 2 : 0;
            }

            @Override
            public boolean satisfiableOn(Set<Integer> cellIds) {
                return cellIds.contains(near);
            }
        };
    }
}
