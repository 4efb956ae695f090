package io.berth.scheduler.request.query;

import static io.berth.scheduler.request.query.RequestBuilder.aRequest;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.text.DerivedValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the query string to placement that is built from a request. */
class QueryConstructionTest {
    private static final String NODE = "11111111-1111-4111-8111-111111111111";

    private static String query(PlacementRequest request) {
        return query(request, NamedHosts.NONE);
    }

    private static String query(PlacementRequest request, NamedHosts named) {
        return switch (QueryConstruction.build(request, named, TranslationOptions.DEFAULTS)) {
            case DerivedValue.Value<PlacementQuery>(PlacementQuery built) ->
                RequestBuilder.decoded(built.queryString());
            case DerivedValue.Refused<PlacementQuery>(String detail) -> "refused: " + detail;
        };
    }

    @Test
    void encodesAndSortsTheParameters() {
        var built = QueryConstruction.build(aRequest().build(), NamedHosts.NONE, TranslationOptions.DEFAULTS);
        assertThat(built).isEqualTo(new DerivedValue.Value<>(new PlacementQuery(
                "limit=1000&resources=DISK_GB%3A10%2CMEMORY_MB%3A512%2CVCPU%3A2", false)));
    }

    @ParameterizedTest(name = "{0}={1} -> {2}")
    @CsvSource(delimiter = '|', value = {
        "resources:VCPU            | 0            | limit=1000&resources=DISK_GB:10,MEMORY_MB:512",
        "resources:VCPU            | 7            | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:7",
        "resources:VCPU            | -1           | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "resources:VCPU            | many         | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "resources:NOT_A_CLASS     | 1            | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "resources:CUSTOM_GOLD     | 1            | limit=1000&resources=CUSTOM_GOLD:1,DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "resources1:VGPU           | 1            |"
                + " limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2&resources1=VGPU:1",
        "resources_Net-1:VCPU      | 4            |"
                + " limit=1000&resources=DISK_GB:10,MEMORY_MB:512&resources_Net-1=VCPU:4",
        "trait:CUSTOM_A            | required     |"
                + " limit=1000&required=CUSTOM_A&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "trait:CUSTOM_A            | forbidden    |"
                + " limit=1000&required=!CUSTOM_A&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "trait:CUSTOM_A            | preferred    | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "traitX:CUSTOM_A           | required     |"
                + " limit=1000&requiredX=CUSTOM_A&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2&resourcesX=",
        "group_policy              | isolate      |"
                + " group_policy=isolate&limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "group_policy              | sometimes    | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "hw:pmem                   | 4GB, 4GB,x.y |"
                + " limit=1000&resources=CUSTOM_PMEM_NAMESPACE_4GB:2,CUSTOM_PMEM_NAMESPACE_X_Y:1,DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "hw:tpm_version            | 1.2          |"
                + " limit=1000&required=COMPUTE_SECURITY_TPM_1_2,COMPUTE_SECURITY_TPM_TIS&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "os:secure_boot            | required     |"
                + " limit=1000&required=COMPUTE_SECURITY_UEFI_SECURE_BOOT&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "hw:maxphysaddr_mode       | emulate      |"
                + " limit=1000&required=COMPUTE_ADDRESS_SPACE_EMULATED&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "hw:pci_numa_affinity_policy | socket     |"
                + " limit=1000&required=COMPUTE_SOCKET_PCI_NUMA_AFFINITY&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2",
        "quota:cpu_shares          | 5            | limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2"})
    void translatesAnExtraSpec(String key, String value, String expected) {
        assertThat(query(aRequest().spec(key, value).build())).isEqualTo(expected);
    }

    @Test
    void replacesVcpuByPcpuForADedicatedPolicyAndOffersTheFallback() {
        var request = aRequest().spec("hw:cpu_policy", "dedicated").spec("hw:cpu_thread_policy", "isolate").build();
        var built = QueryConstruction.build(request, NamedHosts.NONE, TranslationOptions.DEFAULTS);
        assertThat(built).isEqualTo(new DerivedValue.Value<>(new PlacementQuery(
                "limit=1000&required=%21HW_CPU_HYPERTHREADING&resources=DISK_GB%3A10%2CMEMORY_MB%3A512%2CPCPU%3A2",
                true)));
        assertThat(QueryConstruction.buildFallback(request, NamedHosts.NONE, TranslationOptions.DEFAULTS))
                .isEqualTo(new DerivedValue.Value<>(new PlacementQuery(
                        "limit=1000&resources=DISK_GB%3A10%2CMEMORY_MB%3A512%2CVCPU%3A2&without_inventory=PCPU",
                        false)));
    }

    @ParameterizedTest(name = "PCPU requested directly, {0} = {1} -> {2}")
    @CsvSource({
        "hw:cpu_thread_policy, isolate, !HW_CPU_HYPERTHREADING",
        "hw:cpu_thread_policy, require, HW_CPU_HYPERTHREADING"})
    void keepsTheThreadPolicyWhateverTheCpuPolicyIs(String key, String value, String traits) {
        var request = aRequest().spec("resources:PCPU", "2").spec(key, value).build();
        assertThat(query(request))
                .isEqualTo("limit=1000&required=" + traits + "&resources=DISK_GB:10,MEMORY_MB:512,PCPU:2");
    }

    @Test
    void countsPersistentMemoryByLabelAndIgnoresTheFlavorsAmount() {
        assertThat(
                query(aRequest()
                        .spec("resources:CUSTOM_PMEM_NAMESPACE_4GB", "3")
                        .spec("hw:pmem", "4GB,-big--one-")
                        .build()))
                .isEqualTo("limit=1000&resources=CUSTOM_PMEM_NAMESPACE_4GB:1,CUSTOM_PMEM_NAMESPACE_BIG_ONE_:1,"
                        + "DISK_GB:10,MEMORY_MB:512,VCPU:2");
    }

    private static PlacementRequest stated(String members) {
        return ((DerivedValue.Value<PlacementRequest>) derived(members)).value();
    }

    private static DerivedValue<PlacementRequest> derived(String members) {
        RequestSpec spec = RequestSpecBody.read(
                new StrictObject(
                        JsonBody.parse("""
                                        {"flavor": {"vcpus": 2, "memory_mb": 512}, %s}"""
                                .formatted(members)
                                .getBytes(StandardCharsets.UTF_8)),
                        "$.request_spec"),
                UUID::randomUUID)
                .spec();
        return PlacementRequests.of(spec, true);
    }

    @Test
    void addsRootTraitsAndSameSubtree() {
        assertThat(query(stated("""
                        "requested_resources": [
                            {"requester_id": "bw", "resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 1}},
                            {"requester_id": "pps", "resources": {"NET_PACKET_RATE_KILOPACKET_PER_SEC": 1}}],
                        "request_level_params": {
                            "root_required": ["CUSTOM_B", "CUSTOM_A"],
                            "root_forbidden": ["CUSTOM_C"],
                            "same_subtree": [["pps", "bw"]]}""")))
                .isEqualTo("group_policy=none&limit=1000&resources=MEMORY_MB:512,VCPU:2"
                        + "&resourcesbw=NET_BW_EGR_KILOBIT_PER_SEC:1"
                        + "&resourcespps=NET_PACKET_RATE_KILOPACKET_PER_SEC:1"
                        + "&root_required=CUSTOM_A,CUSTOM_B,!CUSTOM_C&same_subtree=bw,pps");
        assertThat(query(stated("\"request_level_params\": {\"same_subtree\": [[\"bw\"]]}")))
                .isEqualTo("refused: same_subtree names group bw, which the request does not have");
    }

    @Test
    void normalizesDeviceTraitsAndClassesForPlacement() {
        assertThat(query(stated("""
                        "pci_requests": [{"request_id": "r", "count": 1, "alias_name": "gpu",
                            "spec": [{"resource_class": "my-gpu", "traits": "HW_GPU_API_VULKAN, CUSTOM_fast,blue-ish"}]}]""")))
                .isEqualTo("limit=1000&requiredr-0=CUSTOM_BLUE_ISH,CUSTOM_FAST,HW_GPU_API_VULKAN"
                        + "&resources=MEMORY_MB:512,VCPU:2&resourcesr-0=CUSTOM_MY_GPU:1");
    }

    /**
     * nova's API and conductor create the request groups of devices themselves, with the names that Berth would use.
     */
    @Test
    void keepsDeviceGroupsThatTheRequestContains() {
        PlacementRequest request = stated("""
                        "pci_requests": [{"request_id": "r", "count": 2, "alias_name": "gpu",
                            "spec": [{"vendor_id": "10de", "product_id": "1eb8"}]}],
                        "requested_resources": [{"requester_id": "r-0", "resources": {"CUSTOM_GPU": 1}}]""");
        assertThat(query(request)).isEqualTo("group_policy=none&limit=1000&resources=MEMORY_MB:512,VCPU:2"
                + "&resourcesr-0=CUSTOM_GPU:1&resourcesr-1=CUSTOM_PCI_10DE_1EB8:1");
        assertThat(request.pciRequestIds()).containsExactly("r");
    }

    /** nova's messages mark the device as remote-managed; of the network they contain only ids. */
    @Test
    void requiresASmartNicForTheDeviceOfARemoteManagedPort() {
        String port = """
                        "requested_networks": [{"network_id": "n", "port_id": "p"}],
                        "pci_requests": [{"request_id": "r", "count": 1, "alias_name": null,
                            "spec": [{"physical_network": null, "remote_managed": "%s"}]}],
                        "request_level_params": {"root_required": ["CUSTOM_A"]}""";
        assertThat(query(stated(port.formatted("True"))))
                .isEqualTo("limit=1000&resources=MEMORY_MB:512,VCPU:2"
                        + "&root_required=COMPUTE_REMOTE_MANAGED_PORTS,CUSTOM_A");
        assertThat(query(stated(port.formatted("False"))))
                .isEqualTo("limit=1000&resources=MEMORY_MB:512,VCPU:2&root_required=CUSTOM_A");
    }

    /** Each device is a request group of the query; two billion of them used to end the process. */
    @Test
    void refusesMoreDevicesThanAnyHostHas() {
        assertThat(derived("""
                        "pci_requests": [
                            {"request_id": "r", "count": 200, "alias_name": "gpu", "spec": [{"resource_class": "A"}]},
                            {"request_id": "s", "count": 2000000000, "alias_name": "nic", "spec": [{"resource_class": "B"}]}]"""))
                .isEqualTo(new DerivedValue.Refused<>(
                        "an instance may request at most 256 PCI devices; with nic it requests 2000000200"));
    }

    @Test
    void splitsCpusOfAMixedPolicyAndAddsOneForTheEmulator() {
        var request = aRequest()
                .vcpus(6)
                .spec("hw:cpu_policy", "mixed")
                .spec("hw:cpu_dedicated_mask", "0-1")
                .spec("hw:emulator_threads_policy", "isolate")
                .build();
        assertThat(query(request)).isEqualTo("limit=1000&resources=DISK_GB:10,MEMORY_MB:512,PCPU:3,VCPU:4");
        assertThat(QueryConstruction.build(request, NamedHosts.NONE, TranslationOptions.DEFAULTS))
                .isInstanceOfSatisfying(
                        DerivedValue.Value.class,
                        value -> assertThat(((PlacementQuery) value.value()).pinningRequested()).isFalse());
    }

    @Test
    void roundsSwapUpAndLeavesOutTheRootDiskOfAVolume() {
        assertThat(query(aRequest().disks(3, 1025).bootFromVolume().build()))
                .isEqualTo("limit=1000&resources=DISK_GB:5,MEMORY_MB:512,VCPU:2");
        assertThat(query(aRequest().bootFromVolume().build()))
                .isEqualTo("limit=1000&resources=MEMORY_MB:512,VCPU:2");
    }

    @Test
    void addsRequestedGroupsAndSetsGroupPolicyNone() {
        var request = aRequest()
                .group("port-1", Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 100L), "CUSTOM_PHYSNET_A")
                .group("port-2", Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 200L))
                .build();
        assertThat(query(request)).isEqualTo("group_policy=none&limit=1000&requiredport-1=CUSTOM_PHYSNET_A"
                + "&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2&resourcesport-1=NET_BW_EGR_KILOBIT_PER_SEC:100"
                + "&resourcesport-2=NET_BW_EGR_KILOBIT_PER_SEC:200");
    }

    @Test
    void setsNoGroupPolicyIfTheFlavorHasTwoGroups() {
        assertThat(query(aRequest().spec("resources1:VGPU", "1").spec("resources2:VGPU", "1").build()))
                .isEqualTo("limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2&resources1=VGPU:1&resources2=VGPU:1");
    }

    @Test
    void limitsToTheTreeOfOneNamedHostAndHasNoLimitForSeveral() {
        assertThat(query(aRequest().build(), new NamedHosts(true, List.of(NODE))))
                .isEqualTo("in_tree=" + NODE + "&limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2");
        assertThat(query(aRequest().build(), new NamedHosts(true, List.of(NODE, "b"))))
                .isEqualTo("resources=DISK_GB:10,MEMORY_MB:512,VCPU:2");
        assertThat(query(aRequest().nearOthers().build()))
                .isEqualTo("resources=DISK_GB:10,MEMORY_MB:512,VCPU:2");
    }

    @Test
    void requestsEncryptedMemory() {
        assertThat(
                query(aRequest()
                        .spec("hw:mem_encryption", "true")
                        .spec("hw:mem_encryption_model", "amd-sev-es")
                        .image("hw_firmware_type", "uefi")
                        .image("hw_machine_type", "pc-q35-6.2")
                        .build()))
                .isEqualTo("limit=1000&required=HW_CPU_X86_AMD_SEV_ES"
                        + "&resources=DISK_GB:10,MEMORY_MB:512,MEM_ENCRYPTION_CONTEXT:1,VCPU:2");
    }

    @Test
    void requiresStatelessFirmwareAndImageTraits() {
        assertThat(
                query(aRequest()
                        .image("hw_firmware_type", "uefi")
                        .image("hw_firmware_stateless", true)
                        .image("traits_required", List.of("CUSTOM_IMG"))
                        .build()))
                .isEqualTo("limit=1000&required=COMPUTE_SECURITY_STATELESS_FIRMWARE,CUSTOM_IMG"
                        + "&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2");
    }

    /** nova creates a group before it checks what the group requests, and counts it. */
    @Test
    void countsFlavorGroupsWithoutAValidRequest() {
        assertThat(query(aRequest()
                .spec("resources1:VGPU", "1")
                .spec("resources2:NOT_A_CLASS", "1")
                .group("port", Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 1L))
                .build()))
                .isEqualTo("limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2&resources1=VGPU:1"
                        + "&resourcesport=NET_BW_EGR_KILOBIT_PER_SEC:1");
        assertThat(query(aRequest()
                .spec("resources1:VGPU", "many")
                .group("port", Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 1L))
                .build()))
                .isEqualTo("limit=1000&resources=DISK_GB:10,MEMORY_MB:512,VCPU:2"
                        + "&resourcesport=NET_BW_EGR_KILOBIT_PER_SEC:1");
        assertThat(query(aRequest()
                .spec("trait1:CUSTOM_A", "preferred")
                .group("1", Map.of("VGPU", 1L))
                .build()))
                .isEqualTo("refused: requested resource group 1 occurs twice");
    }

    @Test
    void refusesContradictoryRequests() {
        assertThat(query(aRequest().spec("hw:mem_encryption", "true").image("hw_firmware_type", "bios").build()))
                .isEqualTo("refused: memory encryption needs an image with hw_firmware_type=uefi");
        assertThat(query(aRequest().spec("hw:tpm_version", "1.2").spec("hw:tpm_model", "tpm-crb").build()))
                .isEqualTo("refused: tpm-crb needs TPM version 2.0");
        assertThat(query(aRequest().spec("hw:tpm_version", "2.0").image("hw_tpm_version", "1.2").build()))
                .isEqualTo("refused: hw:tpm_version of the flavor contradicts hw_tpm_version of the image");
        assertThat(query(aRequest().group("p", Map.of()).build()))
                .isEqualTo("refused: requested resource group p is empty");
        assertThat(query(aRequest().group("p", Map.of("VGPU", 1L)).group("p", Map.of("VGPU", 1L)).build()))
                .isEqualTo("refused: requested resource group p occurs twice");
    }
}
