package io.berth.scheduler.numa.fitting;

import static io.berth.scheduler.numa.NumaBuilders.aHostCell;
import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.NumaBuilders.HostCell;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the packing of CPUs onto cores. Expected is "host CPUs in the order of the virtual ones / reserved ones", or
 * "unfit".
 */
class CorePackingTest {
    @ParameterizedTest(name = "{0}, {1} pinned: {2} vCPUs + {3} reserved -> {4}")
    @CsvSource({
        "PREFER,  '',        3, 0, '0 1 2 / {}'",
        "PREFER,  '0,2,4,6', 3, 0, '1 3 5 / {}'",
        "PREFER,  '0',       5, 0, '2 3 4 5 6 / {}'",
        "PREFER,  '0',       7, 0, '1 2 3 4 5 6 7 / {}'",
        "PREFER,  '',        9, 0, unfit",
        "PREFER,  '',        4, 1, '0 1 2 3 / {4}'",
        "PREFER,  '',        7, 1, '0 1 2 3 4 5 6 / {7}'",
        "PREFER,  '',        8, 1, unfit",
        "PREFER,  '0,2,4,6', 4, 1, unfit",
        "PREFER,  '4-6',     5, 0, '0 1 2 3 7 / {}'",
        "PREFER,  '',        0, 0, ' / {}'",
        "PREFER,  '0-7',     0, 0, ' / {}'",
        "PREFER,  '',        0, 1, unfit",
        "REQUIRE, '',        3, 0, '0 1 2 / {}'",
        "REQUIRE, '0,2,4',   2, 0, '6 7 / {}'",
        "REQUIRE, '0,2,4',   3, 0, unfit",
        "REQUIRE, '0,2,4,6', 1, 0, unfit",
        "REQUIRE, '0,2,4',   2, 1, '6 7 / {1}'",
        "REQUIRE, '',        0, 0, ' / {}'",
        "ISOLATE, '',        3, 0, '0 2 4 / {}'",
        "ISOLATE, '0',       3, 0, '2 4 6 / {}'",
        "ISOLATE, '0',       4, 0, unfit",
        "ISOLATE, '0,2,4,6', 1, 0, unfit",
        "ISOLATE, '',        2, 1, '0 2 / {4}'",
        "ISOLATE, '',        4, 1, unfit",
        "ISOLATE, '0',       3, 1, '2 4 6 / {1}'",
        "ISOLATE, '',        0, 0, unfit"})
    void packsOntoFourCoresOfTwoThreads(
            CpuThreadPolicy policy, String pinned, int vcpus, int reserved, String expected) {
        assertThat(pack(fourCores().pinned(pinned), policy, vcpus, reserved)).isEqualTo(expected);
    }

    private static HostCell fourCores() {
        return aHostCell(0).cpus("0-7").cores("0,1", "2,3", "4,5", "6,7");
    }

    @ParameterizedTest(name = "{0}: {1} vCPUs -> {2}")
    @CsvSource({"PREFER, 2, '0 1 / {}'", "REQUIRE, 2, unfit", "ISOLATE, 2, '0 1 / {}'", "ISOLATE, 4, '0 1 2 3 / {}'"})
    void packsOntoCoresWithoutThreadsEvenIfSharedCpusDiffer(CpuThreadPolicy policy, int vcpus, String expected) {
        assertThat(pack(aHostCell(0).shared("4-7").dedicated("0-3"), policy, vcpus, 0)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"PREFER, '0 2 / {}'", "REQUIRE, unfit", "ISOLATE, unfit"})
    void countsThreadsThatBelongToSharedCpus(CpuThreadPolicy policy, String expected) {
        var oneThreadEach = fourCores().shared("1,3,5,7").dedicated("0,2,4,6");
        assertThat(pack(oneThreadEach, policy, 2, 0)).isEqualTo(expected);
    }

    @Test
    void isolatesOnThreadsOnlyIfSharedAndPinnedCpusAreTheSame() {
        assertThat(pack(fourCores().shared("8-9"), CpuThreadPolicy.ISOLATE, 1, 0)).isEqualTo("unfit");
    }

    @Test
    void packsNothingOntoACellWithoutCores() {
        assertThat(pack(aHostCell(0).cores(), CpuThreadPolicy.PREFER, 1, 0)).isEqualTo("unfit");
        assertThat(pack(aHostCell(0).cores(), null, 0, 0)).isEqualTo("unfit");
    }

    @Test
    void assignsVirtualCpusInAscendingOrderOfTheirNumbers() {
        var pinning = new CorePacking(fourCores().build()).pack(cpus("9,3,5"), 0, null);
        assertThat(pinning.orElseThrow().pcpuByVcpu()).containsEntry(3, 0).containsEntry(5, 1).containsEntry(9, 2);
    }

    private static String pack(HostCell cell, CpuThreadPolicy policy, int vcpus, int reserved) {
        Optional<CorePacking.Pinning> pinning =
                new CorePacking(cell.build()).pack(CpuSet.range(0, vcpus), reserved, policy);
        return pinning
                .map(p -> p.pcpuByVcpu().values().stream().map(String::valueOf).collect(Collectors.joining(" "))
                        + " / " + p.reserved())
                .orElse("unfit");
    }
}
