package io.berth.scheduler.numa.fitting;

import static io.berth.scheduler.numa.NumaBuilders.aHostCell;
import static io.berth.scheduler.numa.NumaBuilders.anInstanceCell;
import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static io.berth.scheduler.numa.NumaBuilders.host;
import static io.berth.scheduler.numa.NumaBuilders.instance;
import static io.berth.scheduler.numa.NumaBuilders.isolatingEmulator;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.numa.NumaBuilders;
import io.berth.scheduler.numa.NumaBuilders.HostCell;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.PageSize;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the search of host cells for all cells of an instance. */
class FittingSessionTest {
    /** Devices as the test states them, without a host. */
    private record StatedDevices(boolean requested, Map<Integer, Long> free, Set<Integer> nearTo)
            implements CellDevices {
        @Override
        public long freeOn(int cellId) {
            return free.getOrDefault(cellId, 0L);
        }

        @Override
        public boolean satisfiableOn(Set<Integer> cellIds) {
            return cellIds.stream().anyMatch(nearTo::contains);
        }
    }

    private static StatedDevices wantedNear(Integer... cellIds) {
        return new StatedDevices(true, Map.of(), Set.of(cellIds));
    }

    @Test
    void refusesAHostWithFewerCells() {
        var two = instance(anInstanceCell(0), anInstanceCell(1));
        assertThat(rendered(host(aHostCell(0)), two, null)).isEqualTo("needs 2 NUMA cells, offers 1");
    }

    @ParameterizedTest(name = "pack {0}: {1}")
    @CsvSource({"false, shared, 0 2 1", "true, shared, 1 2 0", "false, dedicated, 2 0 1", "true, dedicated, 1 0 2"})
    void ordersCellsByMemoryThenByCpus(boolean pack, String policy, String expected) {
        // CPU usage 1, 5, 1; free CPUs 3, 1, 4; available memory 3000, 3500, 2000.
        HostNuma host = host(
                aHostCell(0).used(1, 1096).pinned("0"),
                aHostCell(1).used(5, 596).pinned("0-2"),
                aHostCell(2).used(1, 2096));
        var one = policy.equals("shared") ? anInstanceCell(0) : anInstanceCell(0).dedicated("0");
        assertThat(order(host, instance(one), pack, null)).isEqualTo(expected);
    }

    @Test
    void ordersCellsByMemoryIfCpusTie() {
        HostNuma host = host(aHostCell(0).used(1, 900), aHostCell(1).used(1, 100), aHostCell(2).used(1, 900));
        assertThat(order(host, instance(anInstanceCell(0)), false, null)).isEqualTo("1 0 2");
        assertThat(order(host, instance(anInstanceCell(0)), true, null)).isEqualTo("0 2 1");
    }

    @ParameterizedTest(name = "devices wanted {0}, pack {1}")
    @CsvSource({"true, false, 2 0 1", "true, true, 2 1 0", "false, false, 0 1 2", "false, true, 1 0 2"})
    void ordersCellsByDevicesAboveAll(boolean wanted, boolean pack, String expected) {
        HostNuma host = host(aHostCell(0), aHostCell(1).used(1, 0), aHostCell(2).used(2, 0));
        var devices = new StatedDevices(wanted, Map.of(2, 8L), Set.of());
        assertThat(order(host, instance(anInstanceCell(0)), pack, devices)).isEqualTo(expected);
    }

    @Test
    void keepsTheHostsOrderIfEveryCellIsNeeded() {
        HostNuma host = host(aHostCell(0).used(9, 4000), aHostCell(1));
        assertThat(order(host, instance(anInstanceCell(0), anInstanceCell(1)), false, null)).isEqualTo("0 1");
    }

    @Test
    void triesOtherAssignmentsUntilAllCellsFit() {
        HostNuma host = host(aHostCell(0).memoryMb(4096), aHostCell(1).memoryMb(1024));
        var unlike = instance(anInstanceCell(0).memoryMb(512), anInstanceCell(1).memoryMb(2048));
        assertThat(fittedIds(session(host, unlike).fit(null))).containsExactly(1, 0);
    }

    @Test
    void reusesTheOutcomeOfAnotherCellWhenIdsCollideLikeUpstream() {
        // The same as above, with the host's cells in reverse order: 512 on 0 and 2048 on 1 would fit. But the first
        // attempt puts 512 on 1 and gives that instance cell the id 1, and for id 1 on 0 the outcome of the other cell
        // is remembered: 2048 does not fit.
        HostNuma host = host(aHostCell(1).memoryMb(4096), aHostCell(0).memoryMb(1024));
        var unlike = instance(anInstanceCell(0).memoryMb(512), anInstanceCell(1).memoryMb(2048));
        assertThat(rendered(host, unlike, null)).isEqualTo("cell 0: needs 2048 MiB, offers 1024");
    }

    @Test
    void keepsAChosenPageSizeForLaterHostCells() {
        HostNuma host = host(
                aHostCell(0).pages(4, 1_048_576, 0, 0).pages(2048, 512, 0, 0),
                aHostCell(1).used(1, 0).pages(4, 1_048_576, 0, 0).pages(1_048_576, 1, 0, 0));
        var large = instance(anInstanceCell(0).memoryMb(1024).pageSize(PageSize.LARGE));
        // Cell 1 alone would fit, but the page size of cell 0, which was tried first, is now the one requested.
        assertThat(rendered(host, large, wantedNear(1)))
                .isEqualTo("needs 1 PCI requests satisfied near the cells, offers 0");
        assertThat(fittedIds(session(new HostNuma(host.cells().subList(1, 2)), large).fit(wantedNear(1))))
                .containsExactly(1);
    }

    @Test
    void keepsAChosenPageSizeForTheNextCandidateOfTheHost() {
        HostNuma host = host(
                aHostCell(0).pages(4, 1_048_576, 0, 0).pages(2048, 512, 0, 0),
                aHostCell(1).pages(4, 1_048_576, 0, 0).pages(1_048_576, 1, 0, 0));
        var large = instance(anInstanceCell(0).memoryMb(1024).pageSize(PageSize.LARGE));
        var onCell1 = new StatedDevices(true, Map.of(1, 1L), Set.of(1));

        assertThat(fittedIds(session(host, large).fit(onCell1))).containsExactly(1);

        FittingSession session = session(host, large);
        assertThat(fittedIds(session.fit(wantedNear(0)))).containsExactly(0);
        assertThat(session.fit(onCell1)).isInstanceOf(Fitting.Unfit.class);
    }

    @Test
    void doesNotTouchTheRequestedTopology() {
        var requested = instance(anInstanceCell(0).pageSize(PageSize.SMALL));
        session(host(aHostCell(5).pages(4, 1_048_576, 0, 0)), requested).fit(null);
        assertThat(requested).isEqualTo(instance(anInstanceCell(0).pageSize(PageSize.SMALL)));
    }

    @Test
    void reservesACpuForTheEmulatorOfTheFirstCellOnly() {
        HostNuma host = host(aHostCell(0).cpus("0-1"), aHostCell(1).cpus("2"));
        var two = isolatingEmulator(instance(anInstanceCell(0).dedicated("0"), anInstanceCell(1).dedicated("1")));
        InstanceNuma fitted = fitted(session(host, two).fit(null));
        assertThat(fitted.emulatorThreadsPolicy()).isEqualTo(EmulatorThreadsPolicy.ISOLATE);
        assertThat(fitted.cells()).extracting(InstanceNumaCell::pinning).containsExactly(Map.of(0, 0), Map.of(1, 2));
        assertThat(fitted.cells()).extracting(InstanceNumaCell::reservedPcpus).containsExactly(cpus("1"), cpus(""));
    }

    @Test
    void checksDevicesOnlyIfSomeAreRequested() {
        var nothingWanted = new StatedDevices(false, Map.of(), Set.of());
        assertThat(fittedIds(session(host(aHostCell(3)), instance(anInstanceCell(0))).fit(nothingWanted)))
                .containsExactly(3);
    }

    @ParameterizedTest(name = "{0} -> {3}")
    @CsvSource({
        "near cell 1,           b, false, 1",
        "near cell 0,           a, false, 0",
        "on both,               c, false, 0",
        "known to no cell,      x, false, 0",
        "tunnel,                '', true, 1",
        "cells apart,           a b, false, -",
        "network off tunnel,    a, true, -",
        "network near tunnel,   b, true, 1"})
    void choosesCellsNearTheNetworks(String name, String physnets, boolean tunneled, String expected) {
        HostNuma host = host(aHostCell(0).near(false, "a", "c"), aHostCell(1).near(true, "b", "c"), aHostCell(2));
        Set<String> wanted = physnets.isEmpty() ? Set.of() : Set.of(physnets.split(" "));
        var limits = new NumaLimits(1, 1, new NetworkMetadata(wanted, tunneled));
        Fitting fitting = new FittingSession(host, instance(anInstanceCell(0)), limits, false).fit(null);
        assertThat(fitting instanceof Fitting.Fitted f ? "" + f.topology().cells().getFirst().id() : "-")
                .isEqualTo(expected);
    }

    @Test
    void reportsTheObstacleOfTheAttemptThatGotFurthest() {
        HostNuma host = host(aHostCell(0), aHostCell(1).memoryMb(256));
        var two = instance(anInstanceCell(0).memoryMb(512), anInstanceCell(1).memoryMb(512));
        assertThat(rendered(host, two, null)).isEqualTo("cell 1: needs 512 MiB, offers 256");
    }

    @Test
    void givesUpOnHostsWithTooManyAssignments() {
        HostNuma host = host(IntStream.range(0, 12).mapToObj(NumaBuilders::aHostCell).toArray(HostCell[]::new));
        InstanceNuma twelve = new InstanceNuma(
                IntStream.range(0, 12).mapToObj(id -> anInstanceCell(id).build()).toList(), null);
        var nowhere = wantedNear();
        assertThat(session(host, twelve).fit(nowhere)).isInstanceOfSatisfying(Fitting.Unfit.class,
                unfit -> assertThat(unfit.obstacle().kind()).isEqualTo(FittingObstacle.Kind.ATTEMPTS));
        var eight = new InstanceNuma(twelve.cells().subList(0, 8), null);
        assertThat(session(new HostNuma(host.cells().subList(0, 8)), eight).fit(nowhere))
                .isEqualTo(new Fitting.Unfit(FittingObstacle.ofHost(FittingObstacle.Kind.PCI, 1, 0)));
    }

    /** A simulation may contain so many candidates that trying all assignments for each would take an hour. */
    @Test
    void givesUpOnManyCandidatesWithManyAssignments() {
        HostNuma host = host(IntStream.range(0, 12).mapToObj(NumaBuilders::aHostCell).toArray(HostCell[]::new));
        var session = session(host, new InstanceNuma(
                IntStream.range(0, 12).mapToObj(id -> anInstanceCell(id).build()).toList(), null));
        for (int candidate = 0; candidate < FittingSession.CANDIDATES_MAX; candidate++) {
            session.fit(wantedNear());
        }
        assertThat(session.fit(null)).isEqualTo(
                new Fitting.Unfit(
                        FittingObstacle.ofHost(FittingObstacle.Kind.ATTEMPTS, 0, FittingSession.LOOKUPS_MAX)));
    }

    private static FittingSession session(HostNuma host, InstanceNuma requested) {
        return new FittingSession(host, requested, null, false);
    }

    private static String rendered(HostNuma host, InstanceNuma requested, CellDevices devices) {
        return switch (session(host, requested).fit(devices)) {
            case Fitting.Fitted fitted -> "fitted " + fitted.topology().cellIds();
            case Fitting.Unfit unfit -> unfit.obstacle().render();
        };
    }

    private static InstanceNuma fitted(Fitting fitting) {
        assertThat(fitting).isInstanceOf(Fitting.Fitted.class);
        return ((Fitting.Fitted) fitting).topology();
    }

    private static List<Integer> fittedIds(Fitting fitting) {
        return fitted(fitting).cells().stream().map(InstanceNumaCell::id).toList();
    }

    private static String order(HostNuma host, InstanceNuma requested, boolean pack, CellDevices devices) {
        return String.join(" ", CellOrder.of(host, requested.cells(), pack, devices).stream()
                .map(cell -> Integer.toString(cell.id()))
                .toList());
    }
}
