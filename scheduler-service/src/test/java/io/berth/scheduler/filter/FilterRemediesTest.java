package io.berth.scheduler.filter;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.fitting.FittingObstacle;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the remedies that each filter proposes for each of its reasons. */
class FilterRemediesTest {
    /** One line for each cause of {@link ReasonTableTest}, in the same order. */
    private static final String EXPECTED = """
            NumInstancesFilter instances: free 1 instances
            AggregateNumInstancesFilter instances: max_instances_per_host=10 or free 3 instances
            IoOpsFilter io_ops: -
            AggregateIoOpsFilter io_ops: max_io_ops_per_host=9
            AggregateImagePropertiesIsolation image_property: os_distro+=windows or without /image/properties/os_distro
            AggregateInstanceExtraSpecsFilter extra_spec: without /flavor/extra_specs/disk or without /flavor/extra_specs/aggregate_instance_extra_specs:disk
            AggregateInstanceExtraSpecsFilter extra_spec_missing: without /flavor/extra_specs/disk or without /flavor/extra_specs/aggregate_instance_extra_specs:disk
            AggregateMultiTenancyIsolation project: filter_tenant_id+=p3
            AggregateTypeAffinityFilter flavor: instance_type+=small
            AvailabilityZoneFilter zone: without /availability_zone
            ComputeFilter service_disabled: ENABLE
            ComputeFilter service_disabled: ENABLE
            ComputeFilter service_down: START
            ComputeFilter service_forced_down: START
            MetricsFilter metric_missing: -
            DifferentHostFilter instance_here: without /scheduler_hints/different_host
            SameHostFilter instances_not_here: without /scheduler_hints/same_host
            ServerGroupAffinityFilter group_elsewhere: without /instance_group or without /scheduler_hints/group
            ServerGroupAntiAffinityFilter group_here: without /instance_group or without /scheduler_hints/group
            SimpleCIDRAffinityFilter network: without /scheduler_hints/build_near_host_ip
            TypeAffinityFilter other_flavor: -
            TrustedFilter trust: without /flavor/extra_specs/trust:trusted_host
            RetryFilter tried: without /retry
            JsonFilter query: without /scheduler_hints/query
            ImagePropertiesFilter guest_kind: without /image/properties/hw_architecture or without /image/properties/architecture or without /image/properties/img_hv_type or without /image/properties/hypervisor_type or without /image/properties/hw_vm_mode or without /image/properties/vm_mode
            ImagePropertiesFilter nothing_supported: without /image/properties/hw_architecture or without /image/properties/architecture or without /image/properties/img_hv_type or without /image/properties/hypervisor_type or without /image/properties/hw_vm_mode or without /image/properties/vm_mode
            ImagePropertiesFilter hypervisor_version: without /image/properties/img_hv_requested_version or without /image/properties/hypervisor_version_requires
            ImagePropertiesFilter address_bits: without /image/properties/hw_maxphysaddr_bits
            IsolatedHostsFilter image_isolated: -
            IsolatedHostsFilter host_isolated: -
            ComputeCapabilitiesFilter capability: without /flavor/extra_specs/free_ram_mb
            ComputeCapabilitiesFilter capability_missing: without /flavor/extra_specs/capabilities:gpu
            CoreFilter vcpus: free VCPU:1 or /flavor/vcpus=1
            CoreFilter vcpus_total: /flavor/vcpus=8
            AggregateCoreFilter vcpus_total: /flavor/vcpus=8
            AggregateCoreFilter vcpus: free VCPU:5
            RamFilter ram: free MEMORY_MB:24 or /flavor/memory_mb=1000
            RamFilter ram_total: /flavor/memory_mb=4096
            AggregateRamFilter ram_total: /flavor/memory_mb=4096
            AggregateRamFilter ram: free MEMORY_MB:536 or /flavor/memory_mb=488
            DiskFilter disk: free DISK_GB:9 or /flavor/root_gb=1
            DiskFilter disk_total: /flavor/root_gb=20
            AggregateDiskFilter disk_total: /flavor/root_gb=20
            AggregateDiskFilter disk: free DISK_GB:19
            ExactCoreFilter vcpus: /flavor/vcpus=3
            ExactCoreFilter vcpus_unknown: -
            ExactRamFilter ram: /flavor/memory_mb=1025
            ExactDiskFilter disk: /flavor/root_gb=10
            NUMATopologyFilter no_topology: without /numa_topology
            NUMATopologyFilter no_candidate: -
            NUMATopologyFilter numa_memory: /flavor/memory_mb=2048 or without /numa_topology
            NUMATopologyFilter numa_cpus: /flavor/vcpus=2 or without /numa_topology
            NUMATopologyFilter numa_cells: without /numa_topology
            NUMATopologyFilter numa_page_size: without /numa_topology
            NUMATopologyFilter no_threads: without /numa_topology /flavor/extra_specs/hw:cpu_policy /flavor/extra_specs/hw:cpu_thread_policy
            PciPassthroughFilter no_pci_data: without /pci_requests or without /flavor/extra_specs/pci_passthrough:alias
            PciPassthroughFilter devices: without /pci_requests or without /flavor/extra_specs/pci_passthrough:alias
            PciPassthroughFilter devices_unusable: without /pci_requests or without /flavor/extra_specs/pci_passthrough:alias
            """;

    @Test
    void proposesRemediesForEachReason() {
        List<String> lines = ReasonTableTest.causes()
                .map(cause -> cause.filter() + " " + cause.code() + ": " + remedies(cause))
                .toList();
        assertThat(String.join("\n", lines) + "\n").isEqualTo(EXPECTED);
    }

    private static String remedies(ReasonTableTest.Cause cause) {
        HostFilter filter = FilterTableTest.filter(cause.filter());
        var host = host(cause.host());
        RequestSpec spec = request(cause.request());
        Reason reason = ((Verdict.Reject) filter.check(host, spec, options(cause.options()))).reason();
        return text(filter.remedies(host, spec, reason));
    }

    private static String text(List<Remedy> remedies) {
        return remedies.isEmpty()
                ? "-"
                : remedies.stream().map(FilterRemediesTest::text).collect(Collectors.joining(" or "));
    }

    private static String text(Remedy remedy) {
        return switch (remedy) {
            case Remedy.Omit(List<RequestMember> members) ->
                members.stream().map(RequestMember::pointer).collect(Collectors.joining(" ", "without ", ""));
            case Remedy.Replace(RequestMember member, String value) -> member.pointer() + "=" + value;
            case Remedy.OfService service -> service.toString();
            case Remedy.AddToMetadata(String key, List<String> values) -> key + "+=" + String.join(",", values);
            case Remedy.SetMetadata(String key, String value) -> key + "=" + value;
            case Remedy.Free(String resourceClass, long amount) -> "free " + resourceClass + ":" + amount;
            case Remedy.FreeInstances(long count) -> "free " + count + " instances";
        };
    }

    /** The topology may come from other members than hw:numa_nodes; here it is a member of the request. */
    @ParameterizedTest
    @CsvSource({
        "CPUS,                 8,       2, 1, /flavor/vcpus=2",
        "CPUS,                 8,       2, 2, /flavor/vcpus=4",
        "CORES,                8,       3, 2, /flavor/vcpus=6",
        "CPU_LIMIT,           12,       4, 1, /flavor/vcpus=4",
        "MEMORY,            4096,    1024, 2, /flavor/memory_mb=2048",
        "RAM_LIMIT,         4096,    1000, 1, /flavor/memory_mb=1000",
        "PAGES,          4194304, 1048576, 1, /flavor/memory_mb=1024",
        "PAGE_MULTIPLE,  4193280,    2048, 1, /flavor/memory_mb=4094",
        "CPUS,                 8,       0, 2, -",
        "MEMORY,               8,       0, 2, -",
        "PAGES,                8,       0, 2, -",
        "CELLS,                2,       1, 2, -",
        "ATTEMPTS,             8,       8, 2, -"
    })
    void proposesTheAmountThatFitsTheCellsOfTheTopology(
            FittingObstacle.Kind kind, double needed, double offered, int cells, String amount) {
        RequestSpec spec = request("numa_topology: {cells: [" + IntStream.range(0, cells)
                .mapToObj(id -> "{id: %d, cpuset: [%d], memory: 512}".formatted(id, id))
                .collect(Collectors.joining(", ")) + "]}");
        Reason reason = Reason.of(kind.code(), "%s %s %s", needed, offered,
                new FittingObstacle(kind, 0, needed, offered));

        String remedies = text(new NUMATopologyFilter().remedies(host(""), spec, reason));

        assertThat(remedies).isEqualTo((amount.equals("-") ? "" : amount + " or ") + "without /numa_topology");
    }
}
