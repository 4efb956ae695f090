package io.berth.scheduler.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the warnings of extra specs and image properties without effect. */
class RequestWarningsTest {
    private static List<String> warnings(Map<String, String> extraSpecs, Map<String, Object> properties) {
        Flavor flavor = new Flavor(null, null, null, 1, 1, 0, 0, 0, extraSpecs);
        return RequestWarnings.of(
                RequestSpec.of(flavor).image(new Image(null, null, null, properties)).build(), "ssd"::equals);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(delimiter = '|', value = {
        "hw:cpu_polcy          | dedicated | extra spec hw:cpu_polcy is not known and has no effect; near:"
                + " hw:cpu_policy",
        "capabilites:cpu_arch  | x86_64    | extra spec capabilites:cpu_arch is not known and has no effect; near:"
                + " capabilities",
        "resource:VCPU         | 2         | extra spec resource:VCPU is not known and has no effect; near: resources",
        "resources:VCPUS       | 2         | extra spec resources:VCPUS has no effect: VCPUS is no resource class;"
                + " near: VCPU",
        "resources2:VGPU       | two       | extra spec resources2:VGPU has no effect: its value must be a whole"
                + " number, at least 0, not two",
        "trait:CUSTOM_A        | requird   | extra spec trait:CUSTOM_A has no effect: its value must be required or"
                + " forbidden, not requird",
        "foo                   | bar       | extra spec foo is not known and has no effect: no filter that is enabled"
                + " reads it",
        "group_policy          | isolated  | extra spec group_policy has no effect: its value must be none or"
                + " isolate, not isolated"})
    void warnsOfExtraSpecsWithoutEffect(String key, String value, String warning) {
        assertThat(warnings(Map.of(key, value), Map.of())).containsExactly(warning);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "hw:cpu_policy, dedicated", "hw:numa_cpus.0, 1", "hw:numa_mem.12, 1", "quota:cpu_shares, 5", "my:own, x",
        "capabilities:hypervisor_type, kvm", "aggregate_instance_extra_specs:ssd, true", "vmware:hw_versoin, 13",
        "resources1:CUSTOM_GOLD, 1", "resources:VCPU, 0", "traitA:CUSTOM_A, forbidden", "ssd, true",
        "hw:cpu_max_cores, 4", "quota:disk_read_iops_sec, 1"})
    void doesNotWarnOfKnownOrUnrelatedExtraSpecs(String key, String value) {
        assertThat(warnings(Map.of(key, value), Map.of())).isEmpty();
    }

    @Test
    void warnsOfImagePropertiesWithoutEffect() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("hw_disc_bus", "scsi");
        properties.put("architectur", "x86_64");
        properties.put("trait:CUSTOM_A", "forbidden");
        properties.put("hw_disk_bus", "scsi");
        properties.put("hw_numa_cpus.1", "0");
        properties.put("os_version", "12");
        properties.put("owner_specified.x", 1);
        assertThat(warnings(Map.of(), properties)).containsExactly(
                "image property hw_disc_bus is not known and has no effect; near: hw_disk_bus",
                "image property architectur is not known and has no effect; near: architecture",
                "image property trait:CUSTOM_A has no effect: its value must be required, not forbidden");
    }

    @Test
    void limitsTheNumberOfWarnings() {
        Map<String, String> extraSpecs = new LinkedHashMap<>();
        for (int i = 0; i < 1_000; i++) {
            extraSpecs.put("trait:CUSTOM_" + i, "?");
        }
        assertThat(warnings(extraSpecs, Map.of())).hasSize(20);
    }
}
