package io.berth.scheduler.numa.fitting;

import static io.berth.scheduler.numa.NumaBuilders.aHostCell;
import static io.berth.scheduler.numa.NumaBuilders.anInstanceCell;
import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static io.berth.scheduler.numa.NumaBuilders.host;
import static io.berth.scheduler.numa.NumaBuilders.instance;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the charging of an instance's cells to its host. */
class NumaChargeTest {
    @Test
    void chargesTheCellsOfTheSameId() {
        HostNuma before = host(aHostCell(0).used(1, 100), aHostCell(1).used(2, 200), aHostCell(2).used(3, 300));
        var guest =
                instance(anInstanceCell(2).shared("0-1").memoryMb(1000), anInstanceCell(0).shared("2-4").memoryMb(500));
        assertThat(charged(NumaCharge.add(before, guest)))
                .isEqualTo(host(aHostCell(0).used(4, 600), aHostCell(1).used(2, 200), aHostCell(2).used(5, 1300)));
    }

    @Test
    void chargesPagesOfTheChosenOrTheSmallestSize() {
        HostNuma before = host(aHostCell(0).pages(2048, 512, 10, 0).pages(4, 1000, 20, 0));
        assertThat(charged(NumaCharge.add(before, instance(anInstanceCell(0).memoryMb(64).pageSize(2048)))))
                .isEqualTo(host(aHostCell(0).used(1, 64).pages(2048, 512, 42, 0).pages(4, 1000, 20, 0)));
        assertThat(charged(NumaCharge.add(before, instance(anInstanceCell(0).memoryMb(1)))))
                .isEqualTo(host(aHostCell(0).used(1, 1).pages(2048, 512, 10, 0).pages(4, 1000, 276, 0)));
        assertThat(charged(NumaCharge.add(before, instance(anInstanceCell(0).memoryMb(1024).pageSize(1_048_576)))))
                .isEqualTo(host(aHostCell(0).used(1, 1024).pages(2048, 512, 10, 0).pages(4, 1000, 20, 0)));
    }

    @Test
    void chargesNoPagesIfTheHostHasNone() {
        assertThat(charged(NumaCharge.add(host(aHostCell(0)), instance(anInstanceCell(0)))))
                .isEqualTo(host(aHostCell(0).used(1, 512)));
    }

    @Test
    void pinsDedicatedAndReservedCpus() {
        HostNuma before = host(aHostCell(0).pinned("3"));
        InstanceNuma guest = pinned(anInstanceCell(0).dedicated("0-1").build(), Map.of(0, 0, 1, 2), cpus("1"));
        assertThat(charged(NumaCharge.add(before, guest))).isEqualTo(host(aHostCell(0).used(0, 512).pinned("0-3")));
    }

    @Test
    void pinsWholeCoresForIsolation() {
        HostNuma before = host(aHostCell(0).cpus("0-5").cores("0,1", "2,3", "4,5"));
        InstanceNuma guest = pinned(
                anInstanceCell(0).dedicated("0").threads(CpuThreadPolicy.ISOLATE).build(), Map.of(0, 0), cpus("4"));
        assertThat(charged(NumaCharge.add(before, guest)).cells().getFirst().pinnedCpus()).isEqualTo(cpus("0,1,4,5"));
    }

    @Test
    void refusesCpusThatAreTakenOrNotInTheCell() {
        InstanceNuma guest = pinned(anInstanceCell(0).dedicated("0").build(), Map.of(0, 2), CpuSet.EMPTY);
        assertThat(NumaCharge.add(host(aHostCell(0).pinned("2")), guest))
                .isEqualTo(new NumaCharge.Refused(0, cpus("2")));
        assertThat(NumaCharge.add(host(aHostCell(0).dedicated("0-1")), guest))
                .isEqualTo(new NumaCharge.Refused(0, cpus("2")));
    }

    private static InstanceNuma pinned(InstanceNumaCell cell, Map<Integer, Integer> pinning, CpuSet reserved) {
        return new InstanceNuma(List.of(cell.withPinning(pinning, reserved)), null);
    }

    private static HostNuma charged(NumaCharge charge) {
        assertThat(charge).isInstanceOf(NumaCharge.Charged.class);
        return ((NumaCharge.Charged) charge).host();
    }
}
