package io.berth.scheduler.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.CpuSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the reading of image properties and of version predicates. */
class ImagePropertiesTest {
    @Test
    void translatesOldNamesAndPrefersCurrentOnes() {
        assertThat(
                read(Map.of("architecture", "i386", "vm_mode", "HV", "hypervisor_type", "xapi", "img_hv_type", "QEMU")))
                .isEqualTo(Map.of("hw_architecture", "i686", "hw_vm_mode", "hvm", "img_hv_type", "qemu"));
    }

    @Test
    void dropsUnknownNames() {
        assertThat(read(Map.of("colour", "red", "hw_numa_cpus", "0"))).isEmpty();
    }

    @Test
    void readsTypes() {
        assertThat(read(Map.of("hw_boot_menu", "ON", "hw_pmu", "nope", "hw_cpu_cores", " 4 ", "os_distro", 5)))
                .isEqualTo(Map.of("hw_boot_menu", true, "hw_pmu", false, "hw_cpu_cores", 4L, "os_distro", "5"));
    }

    @Test
    void splitsTheAdapterTypeOfVmware() {
        assertThat(read(Map.of("vmware_adaptertype", "ide"))).isEqualTo(Map.of("hw_disk_bus", "ide"));
        assertThat(read(Map.of("vmware_adaptertype", "lsiLogic")))
                .isEqualTo(Map.of("hw_disk_bus", "scsi", "hw_scsi_model", "lsiLogic"));
    }

    @Test
    void collectsNumberedNamesUpToTheFirstGapAndRequiredTraits() {
        assertThat(
                read(Map.of(
                        "hw_numa_cpus.0", "0-1", "hw_numa_cpus.2", "3", "hw_numa_mem.0", "512", "trait:A", "required",
                        "trait:B", "x")))
                .isEqualTo(Map.of(
                        "hw_numa_cpus", List.of(CpuSet.of(0, 1)), "hw_numa_mem", List.of(512L), "traits_required",
                        List.of("A")));
    }

    @Test
    void readsAtMostOneCellMoreThanAllowed() {
        Map<String, Object> raw = new HashMap<>();
        for (int cell = 0; cell < 5_000; cell++) {
            raw.put("hw_numa_cpus." + cell, "0");
            raw.put("hw_numa_mem." + cell, "1");
        }
        assertThat((List<?>) read(raw).get("hw_numa_cpus")).hasSize(1_025);
        assertThat((List<?>) read(raw).get("hw_numa_mem")).hasSize(1_025);
    }

    @ParameterizedTest
    @CsvSource({
        "hw_architecture, pdp11", "hw_cpu_policy, mine", "hw_vm_mode, container", "img_hv_type, abacus",
        "hw_cpu_cores, many",
        "img_hv_requested_version, 2.0", "img_hv_requested_version, >=x", "'hw_numa_cpus.0', '3-1'"
    })
    void refusesInvalidValues(String name, String value) {
        assertThat(ImageProperties.read(Map.of(name, value))).isInstanceOf(ImageReading.Unreadable.class);
    }

    @Test
    void refusesVersionsWithThousandsOfComponents() {
        assertThat(VersionPredicate.parse(">=1" + ".1".repeat(100_000))).isNull();
        assertThat(VersionPredicate.parse(">=1" + ".1".repeat(400)).holdsFor("2")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"'>=2.1,<3', 2.12.0, true", "'>=2.1,<3', 3.0, false", "==6, 6.0, true",
        "!=6.0.0, 6.0, false", ">2.9, 2.10, true"})
    void comparesVersionsByComponent(String predicate, String version, boolean holds) {
        assertThat(VersionPredicate.parse(predicate).holdsFor(version)).isEqualTo(holds);
    }

    private static Map<String, Object> read(Map<String, Object> raw) {
        return ((ImageReading.Read) ImageProperties.read(raw)).properties().values();
    }
}
