package io.berth.scheduler.numa.fitting;

import static io.berth.scheduler.numa.NumaBuilders.aHostCell;
import static io.berth.scheduler.numa.NumaBuilders.anInstanceCell;
import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.NumaBuilders.HostCell;
import io.berth.scheduler.numa.NumaBuilders.InstanceCell;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.PageSize;
import io.berth.scheduler.numa.fitting.FittingObstacle.Kind;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests whether one instance cell fits one host cell, and the obstacle if it does not. */
class CellFitTest {
    private static final NumaLimits DOUBLE = new NumaLimits(2.0, 1.5, null);

    static Stream<Arguments> attempts() {
        return Stream.of(
                arguments(
                        "no pages: shared up to all memory",
                        aHostCell(7).used(0, 4000), anInstanceCell(0).memoryMb(4096), null,
                        "fits"),
                arguments(
                        "no pages: shared above all memory",
                        aHostCell(7), anInstanceCell(0).memoryMb(4097), null,
                        "cell 7: needs 4097 MiB, offers 4096"),
                arguments(
                        "no pages: pinned up to available memory",
                        aHostCell(7).used(0, 96), anInstanceCell(0).dedicated("0").memoryMb(4000), null,
                        "fits"),
                arguments(
                        "no pages: pinned above available memory",
                        aHostCell(7).used(0, 97), anInstanceCell(0).dedicated("0").memoryMb(4000), null,
                        "cell 7: needs 4000 MiB, offers 3999"),
                arguments(
                        "no pages: any size asked for",
                        aHostCell(7), anInstanceCell(0).pageSize(PageSize.ANY), null,
                        "cell 7: needs pages of size any, has none"),
                arguments(
                        "unasked: shared within all smallest pages",
                        twoSizes(), anInstanceCell(0).memoryMb(512), null,
                        "fits"),
                arguments(
                        "unasked: shared above all smallest pages",
                        twoSizes(), anInstanceCell(0).memoryMb(513), null,
                        "cell 7: needs 525312 KiB in pages, offers 524288"),
                arguments(
                        "unasked: pinned within free smallest pages",
                        twoSizes(), anInstanceCell(0).dedicated("0").memoryMb(256), null,
                        "fits"),
                arguments(
                        "unasked: pinned above free smallest pages",
                        twoSizes(), anInstanceCell(0).dedicated("0").memoryMb(257), null,
                        "cell 7: needs 263168 KiB in pages, offers 262144"),
                arguments(
                        "unasked: not divisible by the smallest page",
                        aHostCell(7).pages(2048, 512, 0, 0), anInstanceCell(0).memoryMb(511), null,
                        "cell 7: 511 MiB are not a multiple of its pages of 2048 KiB"),
                arguments(
                        "small: free pages count",
                        twoSizes(), anInstanceCell(0).memoryMb(257).pageSize(PageSize.SMALL), null,
                        "cell 7: needs 263168 KiB in pages, offers 262144"),
                arguments(
                        "large: not divisible",
                        twoSizes(), anInstanceCell(0).memoryMb(255).pageSize(PageSize.LARGE), null,
                        "cell 7: 255 MiB are not a multiple of its pages of 2048 KiB"),
                arguments(
                        "large: only one size",
                        aHostCell(7).pages(4, 262144, 0, 0), anInstanceCell(0).pageSize(PageSize.LARGE), null,
                        "cell 7: needs pages of size large, has none"),
                arguments(
                        "a number the host lacks",
                        twoSizes(), anInstanceCell(0).pageSize(1024), null,
                        "cell 7: needs 1024 KiB per page, offers 0"),
                arguments(
                        "a number the host has",
                        twoSizes(), anInstanceCell(0).pageSize(2048), null,
                        "fits"),
                arguments(
                        "more shared CPUs than the cell has",
                        aHostCell(7), anInstanceCell(0).shared("0-4"), DOUBLE,
                        "cell 7: needs 5 CPUs, offers 4"),
                arguments(
                        "more dedicated CPUs than the cell has",
                        aHostCell(7), anInstanceCell(0).dedicated("0-4"), null,
                        "cell 7: needs 5 CPUs, offers 4"),
                arguments(
                        "more dedicated CPUs than are free",
                        aHostCell(7).pinned("1"), anInstanceCell(0).dedicated("0-3"), null,
                        "cell 7: needs 4 CPUs, offers 3"),
                arguments(
                        "dedicated CPUs that the thread policy refuses",
                        aHostCell(7), anInstanceCell(0).dedicated("0-1").threads(CpuThreadPolicy.REQUIRE), null,
                        "cell 7: needs 2 CPUs that the thread policy allows, offers 0"),
                arguments(
                        "dedicated CPUs on cores that are in use",
                        aHostCell(7).cpus("0-7").cores("0-1", "2-3", "4-5", "6-7").pinned("0,2"),
                        anInstanceCell(0).dedicated("0-4").threads(CpuThreadPolicy.REQUIRE), null,
                        "cell 7: needs 5 CPUs that the thread policy allows, offers 4"),
                arguments(
                        "dedicated CPUs of cores of their own",
                        aHostCell(7).cpus("0-7").cores("0-1", "2-3", "4-5", "6-7").pinned("0"),
                        anInstanceCell(0).dedicated("0-3").threads(CpuThreadPolicy.ISOLATE), null,
                        "cell 7: needs 4 CPUs that the thread policy allows, offers 3"),
                arguments(
                        "dedicated CPUs of cores that others may share",
                        aHostCell(7).shared("8-9").dedicated("0-3").cores("0-1", "2-3", "8-9"),
                        anInstanceCell(0).dedicated("0").threads(CpuThreadPolicy.ISOLATE), null,
                        "cell 7: needs 1 CPUs that the thread policy allows, offers 0"),
                arguments(
                        "dedicated CPUs on a cell that lists no cores",
                        aHostCell(7).cores(), anInstanceCell(0).dedicated("0"), null,
                        "cell 7: needs 1 CPUs that the thread policy allows, offers 0"),
                arguments(
                        "dedicated CPUs of which some are on no core",
                        aHostCell(7).cores("0", "1"), anInstanceCell(0).dedicated("0-2"), null,
                        "cell 7: needs 3 CPUs that the thread policy allows, offers 2"),
                arguments(
                        "mixed: dedicated part",
                        aHostCell(7).dedicated("0"), anInstanceCell(0).mixed("0", "1-2"), null,
                        "cell 7: needs 2 CPUs, offers 1"),
                arguments(
                        "mixed: shared part",
                        aHostCell(7).shared("0"), anInstanceCell(0).mixed("0-1", "2"), null,
                        "cell 7: needs 2 CPUs, offers 1"),
                arguments(
                        "shared at the CPU limit",
                        aHostCell(7).used(6, 0), anInstanceCell(0).shared("0-1"), DOUBLE,
                        "fits"),
                arguments(
                        "shared above the CPU limit",
                        aHostCell(7).used(7, 0), anInstanceCell(0).shared("0-1"), DOUBLE,
                        "cell 7: needs 9 CPUs within the allocation ratio, offers 8"),
                arguments(
                        "shared above without limits",
                        aHostCell(7).used(700, 0), anInstanceCell(0).shared("0-1"), null,
                        "fits"),
                arguments(
                        "shared at the RAM limit",
                        aHostCell(7).used(0, 5632), anInstanceCell(0).memoryMb(512), DOUBLE,
                        "fits"),
                arguments(
                        "shared above the RAM limit",
                        aHostCell(7).used(0, 5633), anInstanceCell(0).memoryMb(512), DOUBLE,
                        "cell 7: needs 6145 MiB within the allocation ratio, offers 6144"),
                arguments(
                        "dedicated knows no limits",
                        aHostCell(7).used(700, 0), anInstanceCell(0).dedicated("0"), DOUBLE,
                        "fits"),
                arguments(
                        "mixed above the CPU limit",
                        aHostCell(7).used(8, 0), anInstanceCell(0).mixed("0", "1"), DOUBLE,
                        "cell 7: needs 9 CPUs within the allocation ratio, offers 8"),
                arguments(
                        "mixed above the RAM limit",
                        aHostCell(7).used(0, 3600), anInstanceCell(0).mixed("0", "1").memoryMb(400),
                        new NumaLimits(9, 0.5, null),
                        "cell 7: needs 4000 MiB within the allocation ratio, offers 2048"));
    }

    /** A cell with 512 MiB of small pages, of which half are free, and 512 MiB of large pages, which are all free. */
    private static HostCell twoSizes() {
        return aHostCell(7).pages(4, 131_072, 60_000, 5_536).pages(2048, 256, 0, 0);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attempts")
    void fitsOrReportsTheObstacle(String name, HostCell host, InstanceCell instance, NumaLimits limits,
            String expected) {
        CellAttempt attempt = CellFit.attempt(host.build(), instance.build(), limits, 0);
        assertThat(attempt.fits() ? "fits" : attempt.obstacle().render()).isEqualTo(expected);
        assertThat(attempt.cell().id()).isEqualTo(attempt.fits() ? 7 : 0);
    }

    @Test
    void choosesTheLargestPageThatFits() {
        var any = anInstanceCell(0).pageSize(PageSize.ANY).memoryMb(256);
        assertThat(CellFit.attempt(twoSizes().build(), any.build(), null, 0).cell().pageSize()).isEqualTo(2048);
        assertThat(CellFit.attempt(twoSizes().build(), any.memoryMb(255).build(), null, 0).cell().pageSize())
                .isEqualTo(4);
    }

    @Test
    void leavesThePageSizeOpenIfNoneWasRequested() {
        assertThat(CellFit.attempt(twoSizes().build(), anInstanceCell(0).build(), null, 0).cell().pageSize()).isNull();
    }

    @Test
    void keepsThePageSizeOfAnAttemptThatFailsLater() {
        var instance = anInstanceCell(0).shared("0-8").pageSize(PageSize.LARGE).build();
        CellAttempt attempt = CellFit.attempt(twoSizes().build(), instance, null, 0);
        assertThat(attempt.obstacle().kind()).isEqualTo(Kind.CPUS);
        assertThat(attempt.cell().pageSize()).isEqualTo(2048);
    }

    @Test
    void countsTheReservedCpuLikeADedicatedOne() {
        var instance = anInstanceCell(0).dedicated("0-2").build();
        CellAttempt fits = CellFit.attempt(aHostCell(7).build(), instance, null, 1);
        assertThat(fits.cell().takenPcpus()).isEqualTo(cpus("0-3"));
        assertThat(fits.cell().reservedPcpus()).isEqualTo(cpus("3"));
        CellAttempt unfit = CellFit.attempt(aHostCell(7).pinned("2").build(), instance, null, 1);
        assertThat(unfit.obstacle().render()).isEqualTo("cell 7: needs 4 CPUs, offers 3");
    }

    /** There are two cores for the dedicated CPUs, but no third one for the emulator. */
    @Test
    void reportsAnObstacleIfOnlyTheReservedCpuIsMissing() {
        CellAttempt unfit = CellFit.attempt(
                aHostCell(7).cores("0-1", "2-3").build(),
                anInstanceCell(0).dedicated("0-1").threads(CpuThreadPolicy.ISOLATE).build(), null, 1);
        assertThat(unfit.obstacle().render())
                .isEqualTo("cell 7: needs 3 CPUs that the thread policy allows, offers 2");
    }
}
