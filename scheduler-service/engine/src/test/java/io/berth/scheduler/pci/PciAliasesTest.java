package io.berth.scheduler.pci;

import static io.berth.scheduler.numa.NumaBuilders.refusalOf;
import static io.berth.scheduler.numa.NumaBuilders.valueOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser of PCI aliases. */
class PciAliasesTest {
    private static final String GPU = "{'name': ' gpu ', 'vendor_id': '10DE', 'product_id': '20b0'}";

    @Test
    void readsEveryMember() {
        var aliases = valueOf(PciAliases.parse(json("""
                [{'name': 'nic', 'vendor_id': '8086', 'product_id': '154c', 'device_type': 'type-VF',
                  'numa_policy': 'socket', 'resource_class': 'CUSTOM_NIC', 'traits': 'CUSTOM_A',
                  'capability_type': 'pci', 'live_migratable': 'Yes'}]"""), false));
        assertThat(aliases.byName()).containsOnly(Map.entry("nic", new PciAlias(
                "nic",
                PciNumaPolicy.SOCKET,
                List.of(Map.of(
                        "vendor_id", "8086", "product_id", "154c", "dev_type", "type-VF",
                        "resource_class", "CUSTOM_NIC", "traits", "CUSTOM_A", "capability_type", "pci",
                        "live_migratable", "true")))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[" + GPU + "]", GPU, "[\"" + GPU + "\"]", "\"[" + GPU + "]\"", "\"" + GPU + "\""})
    void readsListsObjectsAndTextsOfThem(String option) {
        // The inner quotes of a text are escaped.
        String text = option.contains("\"") ? option.replace("'", "\\\"") : option;
        assertThat(valueOf(PciAliases.parse(json(text), false)).byName().get("gpu"))
                .isEqualTo(
                        new PciAlias(
                                "gpu", PciNumaPolicy.LEGACY,
                                List.of(Map.of("vendor_id", "10DE", "product_id", "20b0"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\" \""})
    void returnsNoAliasesWithoutConfiguration(String option) {
        assertThat(valueOf(PciAliases.parse(json(option), false))).isEqualTo(PciAliases.NONE);
        assertThat(valueOf(PciAliases.parse(null, true))).isEqualTo(PciAliases.NONE);
    }

    @Test
    void joinsAlternativesOfOneName() {
        String two =
                "[" + GPU + ", {'name': 'gpu', 'vendor_id': '10de', 'product_id': '20b5', 'numa_policy': 'legacy'}]";
        assertThat(valueOf(PciAliases.parse(json(two), false)).byName().get("gpu").spec()).hasSize(2);
        assertThat(refusalOf(PciAliases.parse(json(two), true))).contains("defined twice");
    }

    @Test
    void acceptsAResourceClassInsteadOfIdsWithPlacement() {
        JsonNode option = json("{'name': 'gpu', 'resource_class': 'CUSTOM_GPU'}");
        assertThat(valueOf(PciAliases.parse(option, true)).byName()).containsKey("gpu");
        assertThat(refusalOf(PciAliases.parse(option, false)))
                .isEqualTo("PCI alias gpu needs vendor_id and product_id");
        assertThat(refusalOf(PciAliases.parse(json("{'name': 'gpu'}"), true)))
                .isEqualTo("PCI alias gpu needs vendor_id and product_id, or resource_class");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '!', quoteCharacter = '"', value = {
        "'vendor_id': '10d', 'product_id': '20b0' ! has an invalid vendor_id",
        "'vendor_id': '10de', 'product_id': '20b0x' ! has an invalid product_id",
        "'vendor_id': 1234, 'product_id': '20b0' ! has an invalid vendor_id",
        "'vendor_id': '10de', 'product_id': '20b0', 'device_type': 'vdpa' ! has an invalid device_type",
        "'vendor_id': '10de', 'product_id': '20b0', 'numa_policy': 'near' ! has a numa_policy that is none",
        "'vendor_id': '10de', 'product_id': '20b0', 'capability_type': 'usb' ! has an invalid capability_type",
        "'vendor_id': '10de', 'product_id': '20b0', 'live_migratable': 'maybe' ! has a live_migratable that",
        "'vendor_id': '10de', 'product_id': '20b0', 'colour': 'red' ! has the unknown member colour"})
    void refusesBadMembers(String members, String detail) {
        assertThat(refusalOf(PciAliases.parse(json("{'name': 'gpu', " + members + "}"), false)))
                .contains("PCI alias gpu " + detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "[[]]", "{}", "{'name': '  '}", "[{'vendor_id': '10de', 'product_id': '20b0'}]"})
    void refusesAliasesWithoutAName(String option) {
        assertThat(refusalOf(PciAliases.parse(json(option), false)))
                .isEqualTo("a PCI alias must be an object with a name");
    }

    @Test
    void refusesTextThatIsNotJson() {
        assertThat(refusalOf(PciAliases.parse(json("[\"gpu\"]"), false))).contains("a PCI alias is not JSON");
    }

    @Test
    void refusesAlternativesThatDifferInPolicyOrType() {
        String other = ", 'name': 'gpu', 'vendor_id': '10de', 'product_id': '20b5'}]";
        assertThat(refusalOf(PciAliases.parse(json("[" + GPU + ", {'numa_policy': 'required'" + other), false)))
                .contains("one numa_policy and device_type");
        assertThat(refusalOf(PciAliases.parse(json("[" + GPU + ", {'device_type': 'type-PF'" + other), false)))
                .contains("one numa_policy and device_type");
    }

    static JsonNode json(String singleQuoted) {
        try {
            return new ObjectMapper().readTree(singleQuoted.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
