package io.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the suggestion of similar names. */
class NearNamesTest {
    private static final List<String> KNOWN =
            List.of("hw:cpu_policy", "hw:cpu_cores", "VCPU", "PCPU", "MEMORY_MB", "az-1", "az-2");

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', value = {
        "hw:cpu_polcy   | hw:cpu_policy",
        "hw:cpu_poilcy  | hw:cpu_policy",
        "hw:cpu-policy  | hw:cpu_policy",
        "HW:CPU_POLICY  | hw:cpu_policy",
        "hw:gpu_polic   | hw:cpu_policy",
        "hw:cpu_pol     | ''",
        "VCPUS          | VCPU",
        "vcpu           | 'VCPU, PCPU'",
        "CPU            | 'PCPU, VCPU'",
        "MEMROY_MB      | MEMORY_MB",
        "az-3           | 'az-1, az-2'",
        "north          | ''",
        "''             | ''"})
    void listsSimilarNamesNearestFirst(String name, String near) {
        assertThat(String.join(", ", NearNames.of(name, KNOWN))).isEqualTo(near);
        assertThat(NearNames.hint(name, KNOWN)).isEqualTo(near.isEmpty() ? "" : "; near: " + near);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"hw:cpu, hw:cpu_cores", "mem, MEMORY_MB", "hw:cpu_polizei, hw:cpu_policy", "az, az-1"})
    void findsTheNearestNameHoweverFar(String name, String nearest) {
        assertThat(NearNames.nearest(name, KNOWN)).contains(nearest);
        assertThat(NearNames.nearest(name, List.of())).isEmpty();
    }
}
