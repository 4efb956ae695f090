package io.berth.scheduler.prefilter;

import static io.berth.scheduler.request.query.RequestBuilder.aRequest;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.RequestedNetwork;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.request.query.NamedHosts;
import io.berth.scheduler.request.query.PlacementQuery;
import io.berth.scheduler.request.query.QueryConstruction;
import io.berth.scheduler.request.query.RequestBuilder;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import io.berth.scheduler.text.DerivedValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests each prefilter through the whole chain, up to the query string that placement receives. */
class RequestPrefiltersTest {
    private static final String A = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String B = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
    private static final String AMOUNTS = "resources=DISK_GB:10,MEMORY_MB:512,VCPU:2";
    private static final TranslationOptions ALL_ON =
            new TranslationOptions(1000, true, true, true, true, true, true, true, false, true, true, true);
    private static final TranslationOptions OFF = TranslationOptions.DEFAULTS;
    private static final RequestPrefilters.Steps IGNORED_STEPS = (name, before, after) -> {};

    private static HostAggregate aggregate(String uuid, String name, Map<String, String> metadata) {
        return new HostAggregate(null, uuid, name, metadata);
    }

    private static String query(
            PlacementRequest request, TranslationOptions options, HostAggregate... aggregates) {
        var inputs = new PrefilterInputs(options, List.of(aggregates));
        return switch (new RequestPrefilters(List.of()).apply(request, inputs, IGNORED_STEPS)) {
            case PrefilterResult.Continue(PlacementRequest prefiltered) -> built(prefiltered, options);
            case PrefilterResult.Refused(String detail) -> "refused: " + detail;
            case PrefilterResult.Invalid(String detail) -> "invalid: " + detail;
        };
    }

    private static String built(PlacementRequest request, TranslationOptions options) {
        return switch (QueryConstruction.build(request, NamedHosts.NONE, options)) {
            case DerivedValue.Value<PlacementQuery>(PlacementQuery query) ->
                RequestBuilder.decoded(query.queryString());
            case DerivedValue.Refused<PlacementQuery>(String detail) -> "invalid: " + detail;
        };
    }

    private static String rootRequired(String... traits) {
        return "limit=1000&" + AMOUNTS + "&root_required=" + String.join(",", traits)
                + (traits.length == 0 ? "" : ",") + "!COMPUTE_STATUS_DISABLED";
    }

    @Test
    void runsThePrefiltersInNovasOrder() {
        assertThat(RequestPrefilters.IN_ORDER).extracting(RequestPrefilter::name).containsExactly(
                "require_tenant_aggregate",
                "map_az_to_placement_aggregate",
                "require_image_type_support",
                "compute_status_filter",
                "isolate_aggregates",
                "transform_image_metadata",
                "accelerators_filter",
                "packed_virtqueue_filter",
                "routed_networks_filter",
                "remote_managed_ports_filter",
                "ephemeral_encryption_filter",
                "virtio_sound_filter",
                "tpm_secret_security_filter",
                "owner_nova_filter");
    }

    @Test
    void alwaysForbidsDisabledHosts() {
        assertThat(query(aRequest().build(), OFF)).isEqualTo(rootRequired());
    }

    @Test
    void confinesATenantToTheAggregatesThatNameIt() {
        var options = new TranslationOptions(
                1000, true, false, false, false, false, false, true, false, false, true, true);
        var mine = aggregate(A, "a", Map.of("filter_tenant_id2", "project"));
        var list = aggregate(B, "b", Map.of("filter_tenant_id", "project,other"));
        assertThat(query(aRequest().build(), options, mine, list))
                .isEqualTo("limit=1000&member_of=in:" + A + "&" + AMOUNTS + "&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(query(aRequest().build(), options, list)).isEqualTo(rootRequired());
        assertThat(query(aRequest().build(), OFF, mine)).isEqualTo(rootRequired());
    }

    @Test
    void refusesATenantWithoutAnAggregateIfOneIsRequired() {
        var options = new TranslationOptions(
                1000, true, true, false, false, false, false, true, false, false, true, true);
        assertThat(query(aRequest().project("nobody").build(), options))
                .isEqualTo("refused: no hosts available for tenant nobody");
    }

    @Test
    void mapsAZoneToItsAggregates() {
        var one = aggregate(A, "a", Map.of("availability_zone", "north"));
        var two = aggregate(B, "b", Map.of("availability_zone", "north"));
        assertThat(query(aRequest().zone("north").build(), OFF, two, one)).isEqualTo(
                "limit=1000&member_of=in:" + A + "," + B + "&" + AMOUNTS + "&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(query(aRequest().zone("south").build(), OFF, one)).isEqualTo(rootRequired());
        var south = aggregate(A, "a", Map.of("availability_zone", "south"));
        assertThat(query(aRequest().zone("north, south").build(), OFF, two, south)).isEqualTo(
                "limit=1000&member_of=in:" + A + "," + B + "&" + AMOUNTS + "&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(query(aRequest().zone("north,nova").build(), OFF, two)).as("any host without a zone will do")
                .isEqualTo(rootRequired());
        var leftToAFilter = new TranslationOptions(
                1000, false, false, false, false, false, false, false, false, false, true, true);
        assertThat(query(aRequest().zone("north").build(), leftToAFilter, two, one)).isEqualTo(rootRequired());
    }

    @Test
    void requiresSupportOfTheImagesDiskFormat() {
        var options = new TranslationOptions(
                1000, false, false, true, false, false, false, true, false, false, true, true);
        assertThat(query(aRequest().diskFormat("qcow2").build(), options))
                .isEqualTo(rootRequired("COMPUTE_IMAGE_TYPE_QCOW2"));
        assertThat(query(aRequest().diskFormat("qcow2").bootFromVolume().build(), options))
                .doesNotContain("IMAGE_TYPE");
        assertThat(query(aRequest().diskFormat("floppy").build(), options)).isEqualTo(rootRequired());
        assertThat(query(aRequest().diskFormat("qcow2").build(), OFF)).isEqualTo(rootRequired());
    }

    @Test
    void excludesAggregatesReservedForTraitsThatAreNotRequired() {
        var options = new TranslationOptions(
                1000, false, false, false, true, false, false, true, false, false, true, true);
        var gold = aggregate(A, "a", Map.of("trait:CUSTOM_GOLD", "required"));
        var silver = aggregate(B, "b", Map.of("trait:CUSTOM_SILVER", "required"));
        assertThat(query(aRequest().spec("trait1:CUSTOM_GOLD", "required").build(), options, gold, silver))
                .isEqualTo("limit=1000&member_of=!in:" + B + "&required1=CUSTOM_GOLD&" + AMOUNTS
                        + "&resources1=&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(query(aRequest().build(), options, gold, silver)).contains("member_of=!in:" + A + "," + B + "&");
    }

    @Test
    void translatesAllImagePropertiesToTraitsOrNone() {
        var options = new TranslationOptions(
                1000, false, false, false, false, true, false, true, false, false, true, true);
        assertThat(
                query(
                        aRequest().image("hw_architecture", "x86_64").image("hw_disk_bus", "virtio").build(), options))
                .isEqualTo(rootRequired("COMPUTE_STORAGE_BUS_VIRTIO", "HW_ARCH_X86_64"));
        assertThat(
                query(
                        aRequest().image("hw_architecture", "x86_64").image("hw_disk_bus", "rope").build(), options))
                .isEqualTo(rootRequired());
    }

    @Test
    void requiresAcceleratorsForADeviceProfile() {
        assertThat(query(aRequest().spec("accel:device_profile", "fpga").build(), OFF))
                .isEqualTo(rootRequired("COMPUTE_ACCELERATORS"));
    }

    @Test
    void requiresPackedVirtqueuesIfFlavorAndImageAgree() {
        assertThat(query(aRequest().image("hw_virtio_packed_ring", true).build(), OFF))
                .isEqualTo(rootRequired("COMPUTE_NET_VIRTIO_PACKED"));
        assertThat(
                query(
                        aRequest().spec("hw:virtio_packed_ring", "no").image("hw_virtio_packed_ring", true).build(),
                        OFF))
                .isEqualTo("invalid: hw:virtio_packed_ring of the flavor contradicts"
                        + " hw_virtio_packed_ring of the image");
    }

    @Test
    void confinesToTheSegmentsOfRoutedNetworks() {
        var options = new TranslationOptions(
                1000, false, false, false, false, false, true, true, false, false, true, true);
        var first = aggregate(A, "Neutron segment id s1", Map.of());
        var second = aggregate(B, "second", Map.of("segment_id", "s2"));
        var bare = new RequestedNetwork("n1", null, List.of("s1", "s2"), false, false);
        var bound = new RequestedNetwork("n2", "p", List.of("s2", "s1"), true, false);
        var flat = new RequestedNetwork("n3", null, List.of(), false, false);
        assertThat(query(aRequest().network(bare).network(bound).network(flat).build(), options, first, second))
                .isEqualTo("limit=1000&member_of=in:" + A + "," + B + "&member_of=in:" + B + "&" + AMOUNTS
                        + "&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(query(aRequest().network(bare).build(), options, first))
                .isEqualTo("refused: no aggregate for network segment s2");
        assertThat(query(aRequest().network(bound).build(), options, aggregate(A, null, Map.of()), second))
                .isEqualTo("limit=1000&member_of=in:" + B + "&" + AMOUNTS + "&root_required=!COMPUTE_STATUS_DISABLED");
    }

    @Test
    void requiresASmartNicForRemoteManagedPorts() {
        assertThat(query(aRequest().network(new RequestedNetwork("n", "p", List.of(), false, true)).build(), OFF))
                .isEqualTo(rootRequired("COMPUTE_REMOTE_MANAGED_PORTS"));
    }

    @Test
    void requiresEphemeralEncryptionAndItsFormat() {
        assertThat(
                query(
                        aRequest()
                                .spec("hw:ephemeral_encryption", "yes")
                                .image("hw_ephemeral_encryption_format", "luksv2")
                                .build(),
                        OFF))
                .isEqualTo(rootRequired("COMPUTE_EPHEMERAL_ENCRYPTION", "COMPUTE_EPHEMERAL_ENCRYPTION_LUKSV2"));
    }

    @Test
    void requiresVirtioSound() {
        assertThat(query(aRequest().image("hw_sound_model", "virtio").build(), OFF))
                .isEqualTo(rootRequired("COMPUTE_SOUND_MODEL_VIRTIO"));
        assertThat(query(aRequest().image("hw_sound_model", "ac97").build(), OFF)).isEqualTo(rootRequired());
    }

    @Test
    void requiresTheTraitOfTheTpmsSecretSecurity() {
        String tpm = "limit=1000&required=COMPUTE_SECURITY_TPM_2_0,COMPUTE_SECURITY_TPM_TIS&" + AMOUNTS
                + "&root_required=COMPUTE_SECURITY_TPM_SECRET_SECURITY_%s,!COMPUTE_STATUS_DISABLED";
        assertThat(query(aRequest().spec("hw:tpm_version", "2.0").build(), OFF)).isEqualTo(tpm.formatted("USER"));
        assertThat(
                query(
                        aRequest().spec("hw:tpm_version", "2.0").spec("hw:tpm_secret_security", "host").build(), OFF))
                .isEqualTo(tpm.formatted("HOST"));
        assertThat(
                query(
                        aRequest().spec("hw:tpm_version", "2.0").spec("hw:tpm_secret_security", "moon").build(), OFF))
                .isEqualTo("refused: hw:tpm_secret_security must be user, host or deployment");
    }

    /** Compute services of nova 26 have only the trait of the version. */
    @Test
    void requiresOnlyTpmTraitsThatAnOlderNovaReports() {
        var flavor = aRequest().spec("hw:tpm_version", "2.0").spec("hw:tpm_model", "tpm-tis").build();
        assertThat(query(flavor, tpm(false, false)))
                .isEqualTo("limit=1000&required=COMPUTE_SECURITY_TPM_2_0&" + AMOUNTS
                        + "&root_required=!COMPUTE_STATUS_DISABLED");
        assertThat(query(flavor, tpm(true, false)))
                .isEqualTo("limit=1000&required=COMPUTE_SECURITY_TPM_2_0,COMPUTE_SECURITY_TPM_TIS&" + AMOUNTS
                        + "&root_required=!COMPUTE_STATUS_DISABLED");
    }

    private static TranslationOptions tpm(boolean model, boolean secretSecurity) {
        return new TranslationOptions(
                1000, false, false, false, false, false, false, true, false, false, model, secretSecurity);
    }

    @Test
    void requiresNovasOwnershipOfRootAndPciGroups() {
        var request = aRequest()
                .pciRequest("req")
                .group("req-0", Map.of("CUSTOM_GPU", 1L))
                .group("port", Map.of("NET_BW_EGR_KILOBIT_PER_SEC", 1L))
                .build();
        var options = new TranslationOptions(
                1000, false, false, false, false, false, false, true, false, true, true, true);
        assertThat(query(request, options)).isEqualTo("group_policy=none&limit=1000&requiredreq-0=OWNER_NOVA&" + AMOUNTS
                + "&resourcesport=NET_BW_EGR_KILOBIT_PER_SEC:1&resourcesreq-0=CUSTOM_GPU:1"
                + "&root_required=OWNER_NOVA,!COMPUTE_STATUS_DISABLED");
    }

    @Test
    void runsCustomPrefiltersAfterTheStandardOnes() {
        var own = new RequestPrefilter() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
                return new PrefilterResult.Refused("saw " + request.rootForbidden());
            }
        };
        assertThat(
                new RequestPrefilters(List.of(own)).apply(aRequest().build(), new PrefilterInputs(ALL_ON,
                        List.of(aggregate(A, "a", Map.of("filter_tenant_id", "project")))), IGNORED_STEPS))
                .isEqualTo(new PrefilterResult.Refused("saw [COMPUTE_STATUS_DISABLED]"));
    }
}
