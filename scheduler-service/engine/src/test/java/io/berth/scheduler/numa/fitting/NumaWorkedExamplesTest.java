package io.berth.scheduler.numa.fitting;

import static io.berth.scheduler.numa.NumaBuilders.aHostCell;
import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static io.berth.scheduler.numa.NumaBuilders.flavor;
import static io.berth.scheduler.numa.NumaBuilders.host;
import static io.berth.scheduler.numa.NumaBuilders.valueOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.constraint.NumaConstraints;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worked examples from a flavor to a charged host, with numbers that can be checked by hand. */
class NumaWorkedExamplesTest {
    private static final HostNuma TWO_CELLS = host(
            aHostCell(0).cpus("0-7").cores("0,1", "2,3", "4,5", "6,7"),
            aHostCell(1).cpus("8-15").cores("8,9", "10,11", "12,13", "14,15"));

    @ParameterizedTest(name = "{0}: pins {1}, takes {2}")
    @CsvSource({
        "prefer,  '0,1,2', '0-2'",
        "require, '0,1,2', '0-2'",
        "isolate, '0,2,4', '0-5'"})
    void pinsThreeCpusOnTwoCellsOfFourCores(String threadPolicy, String pins, String takes) {
        InstanceNuma topology = topology(3, Map.of("hw:cpu_policy", "dedicated", "hw:cpu_thread_policy", threadPolicy));
        InstanceNuma fitted = fit(TWO_CELLS, topology);
        assertThat(CpuSet.of(fitted.cells().getFirst().pinning().values())).isEqualTo(cpus(pins));
        assertThat(((NumaCharge.Charged) NumaCharge.add(TWO_CELLS, fitted)).host().cells())
                .extracting(HostNumaCell::pinnedCpus)
                .containsExactly(cpus(takes), CpuSet.EMPTY);
    }

    @Test
    void isolationDoesNotFitIfSharedCpusAreSeparate() {
        HostNuma apart = host(aHostCell(0).shared("8-9").dedicated("0-7").cores("0,1", "2,3", "4,5", "6,7"));
        var isolate = Map.of("hw:cpu_policy", "dedicated", "hw:cpu_thread_policy", "isolate");
        assertThat(fit(apart, topology(3, isolate))).isNull();
        assertThat(fit(apart, topology(3, Map.of("hw:cpu_policy", "dedicated")))).isNotNull();
    }

    @ParameterizedTest(name = "{0} vCPUs beside {1} on 2 CPUs, ratio 16: {2}")
    @CsvSource({"2, 30, true", "2, 31, false", "3, 0, false"})
    void overcommitsSharedCpusButNotWithinOneInstance(int vcpus, int used, boolean fits) {
        HostNuma host = host(aHostCell(0).cpus("0-1").used(used, 0));
        var session = new FittingSession(
                host, topology(vcpus, Map.of("hw:numa_nodes", "1")), new NumaLimits(16, 1, null), false);
        assertThat(session.fit(null) instanceof Fitting.Fitted).isEqualTo(fits);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"large, 0", "any, 4", "small, 4", "2048, 0"})
    void choosesPageSizesIfLargePagesRunOut(String pageSize, int chosenKb) {
        HostNuma host = host(aHostCell(0).pages(4, 1_048_576, 0, 0).pages(2048, 512, 0, 0));
        InstanceNuma fitted = fit(host, topology(1, 1536, Map.of("hw:mem_page_size", pageSize)));
        assertThat(fitted == null ? 0 : fitted.cells().getFirst().pageSize()).isEqualTo(chosenKb);
    }

    private static InstanceNuma topology(int vcpus, Map<String, String> extraSpecs) {
        return topology(vcpus, 512, extraSpecs);
    }

    private static InstanceNuma topology(int vcpus, long memoryMb, Map<String, String> extraSpecs) {
        return valueOf(NumaConstraints.derive(flavor(vcpus, memoryMb, new HashMap<>(extraSpecs))));
    }

    private static InstanceNuma fit(HostNuma host, InstanceNuma topology) {
        return switch (new FittingSession(host, topology, null, false).fit(null)) {
            case Fitting.Fitted fitted -> fitted.topology();
            case Fitting.Unfit _ -> null;
        };
    }
}
