package io.berth.scheduler.numa.fitting;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.PageInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests properties of the fitting with random hosts and instances; a failure names its seed. */
class NumaPropertiesTest {
    private static final int SEEDS = 20_000;

    @Test
    void pinsOnlyFreeCpusOfTheCellAndEachOnce() {
        int fits = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            HostNuma host = aHost(random);
            InstanceNuma requested = anInstance(random, 1, true);
            Fitting found = new FittingSession(host, requested, someLimits(random), random.nextBoolean()).fit(null);
            if (found instanceof Fitting.Fitted(InstanceNuma fitted)) {
                fits++;
                checkPinning(seed, host, requested.cells().getFirst(), fitted);
                NumaCharge charge = NumaCharge.add(host, fitted);
                // A reserved CPU may be on a core in use; isolation then needs a sibling that is taken.
                assertThat(charge instanceof NumaCharge.Charged || isolatesEmulatorByCore(fitted))
                        .as("seed %d: %s", seed, charge)
                        .isTrue();
            }
        }
        assertThat(fits).as("the generator makes both outcomes").isBetween(SEEDS / 5, SEEDS * 4 / 5);
    }

    private static boolean isolatesEmulatorByCore(InstanceNuma fitted) {
        return fitted.emulatorThreadsPolicy() == EmulatorThreadsPolicy.ISOLATE
                && fitted.cells().getFirst().cpuThreadPolicy() == CpuThreadPolicy.ISOLATE;
    }

    private static void checkPinning(int seed, HostNuma host, InstanceNumaCell requested, InstanceNuma fitted) {
        InstanceNumaCell cell = fitted.cells().getFirst();
        HostNumaCell on = host.cells().stream().filter(each -> each.id() == cell.id()).findFirst().orElseThrow();
        int reserved = fitted.emulatorThreadsPolicy() == EmulatorThreadsPolicy.ISOLATE && requested.pins() ? 1 : 0;
        assertThat(cell.pinning().keySet().stream().mapToInt(each -> each).sorted().toArray())
                .as("seed %d: every dedicated CPU is pinned", seed)
                .isEqualTo(requested.pcpuset().stream().toArray());
        assertThat(cell.reservedPcpus().size()).as("seed %d", seed).isEqualTo(reserved);
        assertThat(cell.takenPcpus().size())
                .as("seed %d: no CPU is given twice", seed)
                .isEqualTo(requested.pcpuset().size() + reserved);
        assertThat(on.freePcpus().containsAll(cell.takenPcpus())).as("seed %d: only free CPUs", seed).isTrue();
    }

    /** For equal cells the remembered outcomes are always right, so it is enough to count the cells that fit. */
    @Test
    void agreesWithASlowSearchForEqualCells() {
        int fits = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            HostNuma host = aHost(random);
            InstanceNuma requested = anInstance(random, 1 + random.nextInt(3), false);
            NumaLimits limits = someLimits(random);
            long suitable = host.cells().stream()
                    .filter(cell -> SlowCellFit.fits(cell, requested.cells().getFirst(), limits))
                    .count();
            Fitting fitting = new FittingSession(host, requested, limits, random.nextBoolean()).fit(null);
            assertThat(fitting instanceof Fitting.Fitted)
                    .as("seed %d: %s onto %s: %s", seed, requested, host, fitting)
                    .isEqualTo(suitable >= requested.cells().size());
            fits += fitting instanceof Fitting.Fitted ? 1 : 0;
        }
        assertThat(fits).as("the generator makes both outcomes").isBetween(SEEDS / 5, SEEDS * 4 / 5);
    }

    private static HostNuma aHost(Random random) {
        int threads = 1 + random.nextInt(2);
        var cells = new ArrayList<HostNumaCell>();
        for (int id = 0, first = 0; id < 1 + random.nextInt(4); id++, first += 8) {
            CpuSet all = CpuSet.range(first, first + 8);
            boolean apart = random.nextInt(3) == 0;
            CpuSet pcpuset = apart ? CpuSet.range(first + 2, first + 8) : all;
            List<CpuSet> cores = IntStream.iterate(first, core -> core + threads)
                    .limit(8 / threads)
                    .mapToObj(core -> CpuSet.range(core, core + threads))
                    .toList();
            List<PageInfo> pages = random.nextBoolean()
                    ? List.of()
                    : List.of(
                            new PageInfo(4, 524_288, random.nextInt(524_288), random.nextInt(2000)),
                            new PageInfo(2048, 1024, random.nextInt(1024), 0));
            cells.add(new HostNumaCell(
                    id,
                    apart ? all.minus(pcpuset) : all,
                    pcpuset,
                    4096,
                    random.nextInt(12),
                    random.nextInt(3000),
                    some(pcpuset, random),
                    cores,
                    pages,
                    null,
                    null));
        }
        return new HostNuma(cells);
    }

    private static CpuSet some(CpuSet cpus, Random random) {
        int sparsity = 1 + random.nextInt(6);
        return CpuSet.of(cpus.stream().filter(cpu -> random.nextInt(sparsity) == 1).toArray());
    }

    private static InstanceNuma anInstance(Random random, int cellCount, boolean withEmulator) {
        CpuPolicy policy = random.nextInt(4) == 0 ? null : CpuPolicy.values()[random.nextInt(3)];
        CpuThreadPolicy threadPolicy =
                CpuPolicy.pins(policy) && random.nextBoolean() ? CpuThreadPolicy.values()[random.nextInt(3)] : null;
        int dedicated = CpuPolicy.pins(policy) ? 1 + random.nextInt(4) : 0;
        int shared = CpuPolicy.shares(policy) ? 1 + random.nextInt(3) : 0;
        Integer pageSize = random.nextInt(3) > 0 ? null : random.nextBoolean() ? 4 : 2048;
        long memoryMb = 1L + random.nextInt(1500);
        var cells = new ArrayList<InstanceNumaCell>();
        for (int id = 0; id < cellCount; id++) {
            CpuSet pcpuset = CpuSet.range(0, dedicated);
            cells.add(new InstanceNumaCell(
                    id, CpuSet.range(dedicated, dedicated + shared), pcpuset, memoryMb, pageSize, policy,
                    threadPolicy));
        }
        boolean isolate = withEmulator && random.nextInt(4) == 0;
        return new InstanceNuma(cells, isolate && dedicated > 0 ? EmulatorThreadsPolicy.ISOLATE : null);
    }

    private static NumaLimits someLimits(Random random) {
        return random.nextBoolean() ? null : new NumaLimits(1 + random.nextInt(3), 0.5 + random.nextDouble(), null);
    }
}
