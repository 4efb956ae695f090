package io.berth.scheduler.numa.constraint;

import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static io.berth.scheduler.numa.NumaBuilders.flavor;
import static io.berth.scheduler.numa.NumaBuilders.refusalOf;
import static io.berth.scheduler.numa.NumaBuilders.valueOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.text.DerivedValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Derives NUMA constraints from a flavor of 4 vCPUs and 4096 MiB, unless stated otherwise. Items are {@code key=value},
 * separated by semicolons.
 */
class NumaConstraintsTest {
    /**
     * Expected are cells as "shared|dedicated|MiB", then page size, CPU policy, thread policy and emulator threads
     * policy.
     */
    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(delimiter = '!', value = {
        "hw:numa_nodes=2                        !                       ! {0, 1}|{}|2048 {2, 3}|{}|2048 null null"
                + " null null",
        "                                       ! hw_numa_nodes=4       ! {0}|{}|1024 {1}|{}|1024 {2}|{}|1024"
                + " {3}|{}|1024 null null null null",
        "hw:mem_page_size=2MB                   !                       ! {0, 1, 2, 3}|{}|4096 2048 null null null",
        "hw:mem_page_size=large                 ! hw_mem_page_size=1GB  ! {0, 1, 2, 3}|{}|4096 1048576 null null null",
        "hw:mem_page_size=any                   ! hw_mem_page_size=small! {0, 1, 2, 3}|{}|4096 -1 null null null",
        "hw:mem_page_size=4;hw:locked_memory=on !                       ! {0, 1, 2, 3}|{}|4096 4 null null null",
        "hw:pmem=6GB                            !                       ! {0, 1, 2, 3}|{}|4096 null null null null",
        "hw:cpu_policy=dedicated                !                       ! {}|{0, 1, 2, 3}|4096 null DEDICATED null"
                + " null",
        "hw:cpu_policy=dedicated                ! hw_cpu_policy=shared  ! {}|{0, 1, 2, 3}|4096 null DEDICATED null"
                + " null",
        "                                       ! hw_cpu_policy=dedicated;hw_cpu_thread_policy=require ! {}|{0, 1, 2,"
                + " 3}|4096 null DEDICATED REQUIRE null",
        "hw:cpu_policy=dedicated;hw:cpu_thread_policy=prefer ! hw_cpu_thread_policy=isolate ! {}|{0, 1, 2, 3}|4096"
                + " null DEDICATED PREFER null",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=1-2       ! hw_cpu_policy=mixed          ! {0, 3}|{1, 2}|4096 null"
                + " MIXED null null",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=^0;hw:numa_nodes=2 !                     ! {0}|{1}|2048 {}|{2,"
                + " 3}|2048 null MIXED null null",
        "hw:cpu_policy=mixed;hw:cpu_realtime=yes;hw:cpu_realtime_mask=^0-1 ! hw_cpu_realtime_mask=^3 ! {3}|{0, 1,"
                + " 2}|4096 null MIXED null null",
        "hw:cpu_policy=dedicated;hw:cpu_realtime=1;hw:emulator_threads_policy=share !       ! {}|{0, 1, 2, 3}|4096"
                + " null DEDICATED null SHARE",
        "resources:PCPU=4                       !                       ! {}|{0, 1, 2, 3}|4096 null DEDICATED null"
                + " null",
        "resources7:PCPU=3;resources:PCPU=2;hw:emulator_threads_policy=isolate !            ! {}|{0, 1, 2, 3}|4096"
                + " null DEDICATED null ISOLATE",
        "resources:PCPU=4;trait:HW_CPU_HYPERTHREADING=forbidden !       ! {}|{0, 1, 2, 3}|4096 null DEDICATED ISOLATE"
                + " null",
        "resources:VCPU=9;hw:numa_nodes=1       !                       ! {0, 1, 2, 3}|{}|4096 null SHARED null null",
        "hw:cpu_policy=dedicated;trait2:HW_CPU_HYPERTHREADING=required ! ! {}|{0, 1, 2, 3}|4096 null DEDICATED"
                + " REQUIRE null",
        "hw:numa_nodes=2;hw:numa_cpus.0=0-2;hw:numa_mem.0=1024;hw:numa_cpus.1=3;hw:numa_mem.1=3072 ! ! {0, 1,"
                + " 2}|{}|1024 {3}|{}|3072 null null null null"})
    void derivesTheTopology(String extraSpecs, String image, String expected) {
        assertThat(render(valueOf(derive(extraSpecs, image)))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(delimiter = '!', value = {
        " ! ",
        "hw:cpu_policy=shared ! ",
        "hw:mem_page_size=0 ! ",
        "hw:pmem=, ! ",
        "hw:numa_cpus.0=0-9 ! ",
        "resources:VCPU=2 ! ",
        "resources:PCPU=a ! ",
        "resources07:PCPU=9 ! ",
        "hw:emulator_threads_policy=share ! hw_locked_memory=false"})
    void derivesNoTopology(String extraSpecs, String image) {
        assertThat(derive(extraSpecs, image)).isEqualTo(new DerivedValue.Value<>(null));
    }

    @ParameterizedTest(name = "{0} with {1}: {2}")
    @CsvSource(delimiter = '!', value = {
        "hw:cpu_policy=pinned      !                          ! hw:cpu_policy must be",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=0 ! hw_cpu_policy=dedicated ! contradicts hw:cpu_policy mixed",
        "hw:cpu_policy=shared      ! hw_cpu_policy=mixed      ! contradicts hw:cpu_policy shared",
        "hw:cpu_policy=shared      ! hw_cpu_policy=dedicated  ! contradicts hw:cpu_policy shared",
        "hw:cpu_policy=dedicated;hw:cpu_thread_policy=many ! ! hw:cpu_thread_policy must be",
        "hw:cpu_policy=dedicated;hw:cpu_thread_policy=isolate ! hw_cpu_thread_policy=require ! contradicts"
                + " hw:cpu_thread_policy isolate",
        "hw:emulator_threads_policy=prefer !                  ! hw:emulator_threads_policy must be",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=0-3 !      ! must name at least one and not all of the 4",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=^0-3 !     ! must name at least one and not all of the 4",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=4 !        ! must name at least one and not all of the 4",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=x !        ! is no CPU list",
        "hw:cpu_policy=dedicated;hw:cpu_realtime=true !       ! hw:cpu_realtime_mask must leave out at least one",
        "hw:cpu_policy=dedicated;hw:cpu_realtime=true;hw:cpu_realtime_mask=^0-3 !    ! hw:cpu_realtime_mask must name",
        "hw:cpu_policy=dedicated;hw:cpu_realtime=true ! hw_cpu_realtime_mask=3-4     ! hw_cpu_realtime_mask must name",
        "resources:PCPU=4;resources1:VCPU=1 !                 ! VCPU and PCPU resources at once",
        "resources:PCPU=4;hw:cpu_policy=dedicated !           ! exclude each other",
        "resources:VCPU=4;hw:cpu_policy=shared !              ! exclude each other",
        "resources:PCPU=3 !                                   ! asks for 3 PCPU, its virtual CPUs and emulator"
                + " threads need 4",
        "resources:PCPU=4;hw:emulator_threads_policy=isolate !! asks for 4 PCPU, its virtual CPUs and emulator"
                + " threads need 5",
        "hw:cpu_policy=dedicated;hw:cpu_thread_policy=prefer;trait:HW_CPU_HYPERTHREADING=required ! !"
                + " HW_CPU_HYPERTHREADING exclude each other",
        "trait:HW_CPU_HYPERTHREADING=required !               ! a cpu thread policy needs cpu policy",
        "                          ! hw_cpu_thread_policy=prefer ! a cpu thread policy needs cpu policy",
        "hw:emulator_threads_policy=isolate !                 ! isolate needs cpu policy",
        "hw:cpu_dedicated_mask=1   !                          ! hw:cpu_dedicated_mask needs cpu policy mixed",
        "hw:cpu_policy=dedicated;hw:cpu_dedicated_mask=1 !    ! hw:cpu_dedicated_mask needs cpu policy mixed",
        "hw:cpu_realtime=true;hw:cpu_realtime_mask=1 !        ! hw:cpu_realtime needs cpu policy",
        "hw:cpu_policy=mixed       !                          ! needs either",
        "hw:cpu_policy=mixed;hw:cpu_dedicated_mask=1;hw:cpu_realtime=true;hw:cpu_realtime_mask=1 ! ! needs either",
        "hw:locked_memory=true     !                          ! locked memory needs",
        "hw:mem_page_size=4;hw:locked_memory=no ! hw_locked_memory=true ! differ",
        "hw:numa_nodes=2           ! hw_numa_nodes=2          ! exclude each other",
        "hw:numa_nodes=0           !                          ! integer of at least 1",
        "hw:numa_nodes=two         !                          ! integer of at least 1",
        "hw:numa_nodes=02          !                          ! integer of at least 1",
        "hw:numa_nodes=4000000     !                          ! at most 1024",
        "hw:numa_nodes=3           !                          ! do not split evenly",
        "hw:mem_page_size=huge     !                          ! a memory page size must be",
        "                          ! hw_mem_page_size=large   ! needs hw:mem_page_size",
        "hw:mem_page_size=small    ! hw_mem_page_size=4       ! needs hw:mem_page_size any or large",
        "hw:mem_page_size=2048     ! hw_mem_page_size=2048    ! needs hw:mem_page_size any or large",
        "hw:numa_nodes=1;hw:numa_cpus.0=0-3 !                 ! must be listed together",
        "hw:numa_nodes=1;hw:numa_mem.0=4096 !                 ! must be listed together",
        "hw:numa_nodes=2;hw:numa_cpus.0=0-3;hw:numa_mem.0=4096 !      ! CPUs are listed for 1 and memory for 1 of 2",
        "hw:mem_page_size=4;hw:numa_cpus.0=0-1;hw:numa_mem.0=1;hw:numa_cpus.1=2-3;hw:numa_mem.1=4095 ! ! CPUs are"
                + " listed for 2 and memory for 2 of 1",
        "hw:numa_nodes=1;hw:numa_cpus.0=0-2;hw:numa_mem.0=4096 !      ! each of the 4 virtual CPUs once",
        "hw:numa_nodes=1;hw:numa_cpus.0=0-4;hw:numa_mem.0=4096 !      ! each of the 4 virtual CPUs once",
        "hw:numa_nodes=2;hw:numa_cpus.0=0-2;hw:numa_mem.0=96;hw:numa_cpus.1=2-3;hw:numa_mem.1=4000 ! ! each of the 4"
                + " virtual CPUs once",
        "hw:numa_nodes=1;hw:numa_cpus.0=0-3;hw:numa_mem.0=4095 !      ! list 4095 MiB, the flavor has 4096",
        "hw:numa_nodes=2;hw:numa_cpus.0=0-1;hw:numa_mem.0=18014398509481984;hw:numa_cpus.1=2-3;hw:numa_mem.1=-18014398509477888 ! ! at most 2147483647 MiB",
        "hw:numa_nodes=1;hw:numa_cpus.0=0-3;hw:numa_mem.0=4G !        ! hw:numa_mem.0 must be an integer"})
    void refusesInvalidConstraints(String extraSpecs, String image, String detail) {
        assertThat(refusalOf(derive(extraSpecs, image))).contains(detail);
    }

    @Test
    void readsAtMostOneListedCellMoreThanAllowed() {
        Map<String, String> most = new HashMap<>(listing(1_024));
        most.put("hw:numa_nodes", "1024");
        assertThat(valueOf(NumaConstraints.derive(flavor(1_024, 1_024, most))).cells()).hasSize(1_024);
        most.putAll(listing(5_000));
        assertThat(refusalOf(NumaConstraints.derive(flavor(1_024, 1_024, most))))
                .contains("CPUs are listed for 1025 and memory for 1025 of 1024");
    }

    private static Map<String, String> listing(int cells) {
        Map<String, String> listing = new HashMap<>();
        for (int cell = 0; cell < cells; cell++) {
            listing.put("hw:numa_cpus." + cell, String.valueOf(cell));
            listing.put("hw:numa_mem." + cell, "1");
        }
        return listing;
    }

    @Test
    void readsListedCellsFromTheImageButRefusesBoth() {
        Map<String, Object> image = Map.of("hw_numa_cpus", List.of(cpus("0-3")), "hw_numa_mem", List.of(4096));
        var nodes = Map.of("hw:numa_nodes", "1");
        assertThat(render(valueOf(NumaConstraints.derive(new FlavorAndImage(nodes, image, 4, 4096)))))
                .isEqualTo("{0, 1, 2, 3}|{}|4096 null null null null");

        var both = Map.of("hw:numa_nodes", "1", "hw:numa_cpus.0", "0-3");
        assertThat(NumaConstraints.derive(new FlavorAndImage(both, image, 4, 4096)))
                .isEqualTo(new DerivedValue.Refused<>("hw:numa_cpus.N and hw_numa_cpus.N exclude each other"));
    }

    @Test
    void readsAnImageThatRequiresHyperthreading() {
        var image = Map.of("traits_required", List.of("HW_CPU_HYPERTHREADING"));
        var request = new FlavorAndImage(Map.of("hw:cpu_policy", "dedicated"), image, 2, 512);
        assertThat(valueOf(NumaConstraints.derive(request)).cells().getFirst().cpuThreadPolicy())
                .isEqualTo(CpuThreadPolicy.REQUIRE);
    }

    @Test
    void usesTheFirstOfSeveralHyperthreadingTraits() {
        var specs = new LinkedHashMap<String, String>();
        specs.put("hw:cpu_policy", "dedicated");
        specs.put("trait1:HW_CPU_HYPERTHREADING", "forbidden");
        specs.put("trait:HW_CPU_HYPERTHREADING", "required");
        assertThat(valueOf(NumaConstraints.derive(flavor(2, 512, specs))).cells().getFirst().cpuThreadPolicy())
                .isEqualTo(CpuThreadPolicy.ISOLATE);
    }

    @Test
    void reportsAllBrokenRulesOfAStepAtOnce() {
        assertThat(derive("hw:cpu_policy=pinned;hw:cpu_thread_policy=many", null))
                .isEqualTo(new DerivedValue.Refused<>("hw:cpu_policy must be shared, dedicated or mixed; "
                        + "hw:cpu_thread_policy must be prefer, isolate or require"));
    }

    @Test
    void refusesHostileSizesInsteadOfAllocatingThem() {
        var pinned =
                Map.of("hw:cpu_policy", "dedicated", "hw:cpu_realtime", "true", "hw:emulator_threads_policy", "share");
        assertThat(NumaConstraints.derive(flavor(Integer.MAX_VALUE, 4096, pinned)))
                .isInstanceOf(DerivedValue.Refused.class);
        assertThat(NumaConstraints.derive(flavor(-4, 4096, Map.of("hw:numa_nodes", "1"))))
                .isInstanceOf(DerivedValue.Refused.class);
        assertThat(NumaConstraints.derive(flavor(Integer.MAX_VALUE, 4096, Map.of())))
                .isEqualTo(new DerivedValue.Value<>(null));
    }

    @Test
    void readsCpuPoliciesWithoutThoseThatResourcesImply() {
        var policies = valueOf(CpuPolicies.read(flavor(4, 4096, Map.of(
                "hw:cpu_policy", "mixed", "hw:cpu_dedicated_mask", "^0", "hw:emulator_threads_policy", "isolate"))));
        assertThat(policies).isEqualTo(new CpuPolicies(
                CpuPolicy.MIXED, null, EmulatorThreadsPolicy.ISOLATE, cpus("1-3"), null));
        assertThat(policies.pinnedVcpuCount(4)).isEqualTo(3);
        assertThat(valueOf(CpuPolicies.read(flavor(4, 4096, Map.of("resources:PCPU", "4")))).policy()).isNull();
    }

    private static DerivedValue<InstanceNuma> derive(String extraSpecs, String image) {
        return NumaConstraints.derive(new FlavorAndImage(items(extraSpecs), items(image), 4, 4096));
    }

    private static Map<String, String> items(String text) {
        var items = new LinkedHashMap<String, String>();
        for (String item : text == null ? new String[0] : text.strip().split(";")) {
            if (!item.isEmpty()) {
                items.put(item.substring(0, item.indexOf('=')), item.substring(item.indexOf('=') + 1));
            }
        }
        return items;
    }

    private static String render(InstanceNuma topology) {
        var parts = new ArrayList<String>();
        for (int id = 0; id < topology.cells().size(); id++) {
            InstanceNumaCell cell = topology.cells().get(id);
            assertThat(cell.id()).isEqualTo(id);
            parts.add(cell.cpuset() + "|" + cell.pcpuset() + "|" + cell.memoryMb());
        }
        InstanceNumaCell last = topology.cells().getLast();
        parts.add(last.pageSize() + " " + last.cpuPolicy() + " " + last.cpuThreadPolicy() + " "
                + topology.emulatorThreadsPolicy());
        return String.join(" ", parts);
    }
}
