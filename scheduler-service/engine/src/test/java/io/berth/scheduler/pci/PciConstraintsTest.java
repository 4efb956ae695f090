package io.berth.scheduler.pci;

import static io.berth.scheduler.numa.NumaBuilders.refusalOf;
import static io.berth.scheduler.numa.NumaBuilders.valueOf;
import static io.berth.scheduler.pci.PciAliasesTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.DerivedValue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the PCI requests that flavor and image lead to. */
class PciConstraintsTest {
    private static final DerivedValue<PciAliases> ALIASES = PciAliases.parse(json("""
            [{'name': 'gpu', 'vendor_id': '10de', 'product_id': '20b0', 'numa_policy': 'required'},
             {'name': 'nic', 'vendor_id': '8086', 'product_id': '154c', 'device_type': 'type-VF'}]"""), false);

    @Test
    void makesOneRequestPerItemEachWithItsOwnId() {
        assertThat(valueOf(derive(Map.of("pci_passthrough:alias", " gpu : 2 ,nic:1"), Map.of()))).containsExactly(
                new PciRequest(
                        "id-1", 2, List.of(Map.of("vendor_id", "10de", "product_id", "20b0")), "gpu",
                        PciNumaPolicy.REQUIRED),
                new PciRequest(
                        "id-2", 1, List.of(Map.of("vendor_id", "8086", "product_id", "154c", "dev_type", "type-VF")),
                        "nic", PciNumaPolicy.LEGACY));
    }

    @Test
    void returnsNoneWithoutTheExtraSpecEvenIfAliasesAreBroken() {
        DerivedValue<PciAliases> broken = PciAliases.parse(json("7"), false);
        assertThat(valueOf(PciConstraints.derive(new FlavorAndImage(Map.of(), Map.of(), 1, 1), broken, () -> "id")))
                .isEmpty();
        var asks = new FlavorAndImage(Map.of("pci_passthrough:alias", "gpu:1"), Map.of(), 1, 1);
        assertThat(refusalOf(PciConstraints.derive(asks, broken, () -> "id")))
                .isEqualTo("a PCI alias must be an object with a name");
    }

    @ParameterizedTest(name = "flavor {0}, image {1} -> {2}")
    @CsvSource({"socket, '', SOCKET", "'', preferred, PREFERRED", "legacy, legacy, LEGACY", "'', '', REQUIRED"})
    void letsFlavorOrImageOverrideTheAliasPolicy(String flavor, String image, PciNumaPolicy expected) {
        var requests = valueOf(derive(
                Map.of("pci_passthrough:alias", "gpu:1", "hw:pci_numa_affinity_policy", flavor),
                Map.of("hw_pci_numa_affinity_policy", image)));
        assertThat(requests).extracting(PciRequest::numaPolicy).containsExactly(expected);
    }

    @Test
    void refusesPoliciesThatDifferOrDoNotExist() {
        assertThat(
                refusalOf(derive(
                        Map.of("hw:pci_numa_affinity_policy", "legacy"),
                        Map.of("hw_pci_numa_affinity_policy", "socket"))))
                .contains("differ");
        assertThat(refusalOf(derive(Map.of("hw:pci_numa_affinity_policy", "Legacy"), Map.of())))
                .contains("must be required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpu", "gpu:", "gpu:one", "gpu:1:2", "gpu:1,", "gpu:1.0", "gpu:4294967297"})
    void refusesItemsThatAreNotNameAndCount(String text) {
        assertThat(refusalOf(derive(Map.of("pci_passthrough:alias", text), Map.of()))).contains("is not name:count");
    }

    @Test
    void refusesUnknownAliasesAndHostileLengths() {
        assertThat(refusalOf(derive(Map.of("pci_passthrough:alias", "fpga:1"), Map.of())))
                .isEqualTo("PCI alias 'fpga' is not defined");
        assertThat(refusalOf(derive(Map.of("pci_passthrough:alias", "gpu:1,".repeat(300)), Map.of())))
                .contains("more than 256");
    }

    private static DerivedValue<List<PciRequest>> derive(Map<String, String> extraSpecs, Map<String, String> image) {
        var next = new AtomicInteger();
        return PciConstraints.derive(
                new FlavorAndImage(extraSpecs, image, 1, 512), ALIASES, () -> "id-" + next.incrementAndGet());
    }
}
