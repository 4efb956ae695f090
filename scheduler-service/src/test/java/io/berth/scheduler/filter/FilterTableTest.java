package io.berth.scheduler.filter;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each filter alone: a table of hosts, requests and options with the expected verdict. */
public class FilterTableTest {
    private static final String PASS = "pass";
    private static final String FAILED = "failed";
    private static final String U1 = "11111111-aaaa-4aaa-8aaa-111111111111";
    private static final String U2 = "22222222-aaaa-4aaa-8aaa-222222222222";

    /** @param expected pass, failed, or the text of the reason */
    record Row(String filter, String host, String request, String options, String expected) {}

    private static Row row(String filter, String host, String request, String options, String expected) {
        return new Row(filter, host, request, options, expected);
    }

    private static String aggregate(String metadata) {
        return "aggregates: [{id: 1, metadata: {" + metadata + "}}]";
    }

    private static String aggregates(String first, String second) {
        return "aggregates: [{id: 1, metadata: {" + first + "}}, {id: 2, metadata: {" + second + "}}]";
    }

    private static String image(String properties) {
        return "image: {id: 'i1', properties: {" + properties + "}}";
    }

    private static String specs(String extraSpecs) {
        return "flavor: {id: 7, name: 'small', vcpus: 2, memory_mb: 1024, root_gb: 10, extra_specs: {" + extraSpecs
                + "}}";
    }

    private static String group(String policy, String rest) {
        return "instance_uuid: '" + U1 + "', instance_group: {policy: '" + policy + "', " + rest + "}";
    }

    static Stream<Row> rows() {
        return Stream.of(counts(), aggregateRules(), service(), affinity(), images(), capabilities(), queries(),
                resources(), topology(), removed())
                .flatMap(rows -> rows);
    }

    private static Stream<Row> counts() {
        return Stream.of(
                row("AllHostsFilter", "service: {disabled: true}", "", "", PASS),
                row("NumInstancesFilter", "num_instances: 4", "", "max_instances_per_host: 5", PASS),
                row("NumInstancesFilter", "num_instances: 5", "", "max_instances_per_host: 5",
                        "runs 5 instances, limit 5"),
                row("NumInstancesFilter", "num_instances: 50", "", "", "runs 50 instances, limit 50"),
                row("IoOpsFilter", "num_io_ops: 7", "", "", PASS),
                row("IoOpsFilter", "num_io_ops: 8", "", "", "8 I/O operations under way, limit 8"),
                row("IoOpsFilter", "num_io_ops: 0", "", "max_io_ops_per_host: 0",
                        "0 I/O operations under way, limit 0"), row("AggregateIoOpsFilter", "num_io_ops: 8, "
                                + aggregates("max_io_ops_per_host: '9'", "max_io_ops_per_host: ' 1_0 '"), "", "", PASS),
                row("AggregateIoOpsFilter", "num_io_ops: 8, " + aggregates("max_io_ops_per_host: '9'",
                        "max_io_ops_per_host: '3'"), "", "", "8 I/O operations under way, limit 3"),
                row("AggregateNumInstancesFilter", "num_instances: 50, " + aggregate("max_instances_per_host: '51'"),
                        "", "", PASS),
                row("AggregateNumInstancesFilter",
                        "num_instances: 50, " + aggregates("max_instances_per_host: '51'",
                                "max_instances_per_host: '5.5'"), "", "", "runs 50 instances, limit 50"));
    }

    private static Stream<Row> aggregateRules() {
        return Stream.of(
                row("AggregateImagePropertiesIsolation", aggregate("os_distro: 'linux, bsd'"),
                        image("os_distro: 'bsd'"), "", PASS),
                row("AggregateImagePropertiesIsolation", aggregate("os_distro: 'linux'"),
                        image("os_distro: 'windows'"), "",
                        "image property os_distro=windows, aggregates allow linux"),
                row("AggregateImagePropertiesIsolation", aggregate("hw_boot_menu: 'true'"),
                        image("hw_boot_menu: 'yes'"), "", "image property hw_boot_menu=True, aggregates allow true"),
                row("AggregateImagePropertiesIsolation", aggregate("hw_boot_menu: 'True'"), image("hw_boot_menu: 'no'"),
                        "", PASS), row("AggregateImagePropertiesIsolation", aggregate("nothing_known: 'x'"),
                                image("nothing_known: 'y'"), "", PASS), row("AggregateImagePropertiesIsolation",
                                        aggregate("os_distro: 'linux'"), "image: null", "", PASS),
                row("AggregateImagePropertiesIsolation", aggregate("os_distro: 'linux'"),
                        image("os_distro: 'x'"), "aggregate_image_properties_isolation_namespace: 'os_'", PASS),
                row("AggregateInstanceExtraSpecsFilter", aggregates("disk: 'ssd'", "disk: 'hdd, nvme'"),
                        specs("disk: 'nvme'"), "", PASS),
                row("AggregateInstanceExtraSpecsFilter", aggregates("disk: 'hdd'", "disk: 'nvme'"),
                        specs("disk: 's== ssd'"), "", "extra spec disk: 's== ssd' not met by hdd, nvme"),
                row("AggregateInstanceExtraSpecsFilter", "", specs("'aggregate_instance_extra_specs:a:b': 'x'"), "",
                        "extra spec a:b: no aggregate has it"),
                row("AggregateInstanceExtraSpecsFilter", "", specs("'hw:cpu_policy': 'shared'"), "", PASS),
                row("AggregateInstanceExtraSpecsFilter", aggregate("ram: 'much'"), specs("ram: '>= 5'"), "", FAILED),
                row("AggregateInstanceExtraSpecsFilter", aggregate("ram: 'much'"), specs("ram: '>= 5', gpu: 'x'"), "",
                        "extra spec gpu: no aggregate has it"), row("AggregateInstanceExtraSpecsFilter",
                                aggregate("ram: 'much, 8'"), specs("ram: '>= 5'"), "", PASS),
                row("AggregateMultiTenancyIsolation", aggregates("filter_tenant_id: 'p1'",
                        "filter_tenant_id_2: 'p2,p3'"), "project_id: 'p3'", "", PASS),
                row("AggregateMultiTenancyIsolation", aggregate("filter_tenant_id: 'p1, p2'"), "project_id: 'p3'", "",
                        "host reserved for projects p1, p2"),
                row("AggregateMultiTenancyIsolation", "", "project_id: 'p3'", "", PASS),
                row("AggregateTypeAffinityFilter", aggregate("instance_type: 'large, small'"), "", "", PASS),
                row("AggregateTypeAffinityFilter", aggregate("instance_type: 'large'"), "", "",
                        "flavor small, host reserved for large"), row("AggregateTypeAffinityFilter",
                                aggregate("instance_type: ''"), "", "", "flavor small, host reserved for "));
    }

    private static Stream<Row> service() {
        return Stream.of(
                row("ComputeFilter", "", "", "", PASS),
                row("ComputeFilter", "service: {disabled: true, disabled_reason: 'fans'}", "", "",
                        "service is disabled: fans"),
                row("ComputeFilter", "service: {disabled: true}", "", "", "service is disabled"),
                row("ComputeFilter", "service: {up: false}", "", "", "service is down"),
                row("ComputeFilter", "service: {forced_down: true}", "", "", "service is forced down"),
                row("MetricsFilter", "metrics: [{name: 'm1', value: 0}]", "",
                        "metrics: {weight_setting: ['m1=1.0', 'm2=x']}", PASS),
                row("MetricsFilter", "metrics: [{name: 'm1', value: 0}]", "",
                        "metrics: {weight_setting: 'm1=1.0, m2=2'}",
                        "needs 2 metrics, host has 1 of them and no m2"));
    }

    private static Stream<Row> affinity() {
        String runsOne = "instances: {'" + U1 + "': {instance_type_id: 7}}";
        String runsTwo = "instances: {'" + U1 + "': {}, '" + U2 + "': {}}";
        String members = "members: ['" + U1 + "', '" + U2 + "']";
        return Stream.of(
                row("DifferentHostFilter", runsOne, "scheduler_hints: {different_host: '" + U2 + "'}", "", PASS),
                row("DifferentHostFilter", runsOne, "scheduler_hints: {different_host: ['" + U2 + "', 'x', 'y', '" + U1
                        + "']}", "", "runs instance " + U1 + ", which the hint different_host names"),
                row("DifferentHostFilter", runsOne, "scheduler_hints: {different_host: ['" + U2 + "', '" + U1 + "']}",
                        "", "runs instance " + U1 + ", which the hint different_host names"),
                row("SameHostFilter", runsOne, "scheduler_hints: {same_host: ['" + U2 + "', '" + U1 + "']}", "", PASS),
                row("SameHostFilter", runsOne, "scheduler_hints: {same_host: '" + U2 + "'}", "",
                        "runs none of 1 instances that the hint same_host names"),
                row("SameHostFilter", "", "scheduler_hints: {same_host: []}", "", PASS),
                row("ServerGroupAffinityFilter", "", group("affinity", "hosts: ['h1']"), "", PASS),
                row("ServerGroupAffinityFilter", "", group("affinity", "hosts: []"), "", PASS),
                row("ServerGroupAffinityFilter", "", group("affinity", "hosts: ['h2', 'h3']"), "",
                        "server group is on h2, h3"),
                row("ServerGroupAffinityFilter", "", group("anti-affinity", "hosts: ['h2']"), "", PASS),
                row("ServerGroupAntiAffinityFilter", "instances: {'" + U2 + "': {}}", group("anti-affinity", members),
                        "", "runs 1 instances of the server group, limit 1"),
                row("ServerGroupAntiAffinityFilter", "instances: {'" + U2 + "': {}}",
                        group("anti-affinity", "rules: {max_server_per_host: 2}, " + members), "", PASS),
                row("ServerGroupAntiAffinityFilter", runsTwo, group("anti-affinity", members), "", PASS),
                row("ServerGroupAntiAffinityFilter", "instances: {'" + U2 + "': {}}",
                        group("soft-anti-affinity", members), "", PASS), row("SimpleCIDRAffinityFilter",
                                "host_ip: '192.168.1.9'", "scheduler_hints: {build_near_host_ip: '192.168.1.200'}", "",
                                PASS),
                row("SimpleCIDRAffinityFilter", "host_ip: '192.168.2.9'",
                        "scheduler_hints: {build_near_host_ip: '192.168.1.200'}", "",
                        "host address 192.168.2.9 is outside of 192.168.1.200/24"),
                row("SimpleCIDRAffinityFilter", "host_ip: '192.168.1.124'",
                        "scheduler_hints: {build_near_host_ip: '192.168.1.1', cidr: '24'}", "", PASS),
                row("SimpleCIDRAffinityFilter", "host_ip: '192.168.1.9'",
                        "scheduler_hints: {build_near_host_ip: '192.168.1.1', cidr: '/99'}", "", FAILED),
                row("SimpleCIDRAffinityFilter", "host_ip: 'fe80::12'",
                        "scheduler_hints: {build_near_host_ip: 'fe80::1', cidr: '/120'}", "", PASS),
                row("SimpleCIDRAffinityFilter", "", "scheduler_hints: {build_near_host_ip: '192.168.1.1'}", "", FAILED),
                row("TypeAffinityFilter", runsOne, "", "", PASS),
                row("TypeAffinityFilter", "instances: {'" + U1 + "': {instance_type_id: 8}}", "", "",
                        "runs an instance of flavor 8, wanted 7"));
    }

    private static Stream<Row> images() {
        String kvm = "supported_instances: [['x86_64', 'kvm', 'hvm']]";
        String isolated = "isolated_hosts: ['h1'], isolated_images: ['i1']";
        return Stream.of(
                row("ImagePropertiesFilter", kvm, image("architecture: 'AMD64', hypervisor_type: 'KVM'"), "", PASS),
                row("ImagePropertiesFilter", kvm, image("hw_architecture: 'aarch64', img_hv_type: 'kvm'"), "",
                        "image needs aarch64/kvm, host offers x86_64/kvm/hvm"),
                row("ImagePropertiesFilter", "", image("hw_architecture: 'x86_64'"), "",
                        "host does not report which guests it runs"),
                row("ImagePropertiesFilter", "", image("img_hv_requested_version: '>=99'"), "", PASS),
                row("ImagePropertiesFilter", kvm, image(""), "image_properties_default_architecture: 'ppc64'",
                        "image needs ppc64, host offers x86_64/kvm/hvm"),
                row("ImagePropertiesFilter", kvm + ", hypervisor_version: 2012000",
                        image("img_hv_type: 'kvm', img_hv_requested_version: '>=2.12,!=3'"), "", PASS),
                row("ImagePropertiesFilter", kvm + ", hypervisor_version: 6000",
                        image("img_hv_type: 'kvm', img_hv_requested_version: '>=6000'"), "",
                        "image needs hypervisor >=6000, host has 6.0"),
                row("ImagePropertiesFilter", kvm + ", hypervisor_version: 0",
                        image("img_hv_type: 'kvm', img_hv_requested_version: '>=6000'"), "", PASS),
                row("ImagePropertiesFilter", kvm + ", cpu_info: '{\\\"maxphysaddr\\\": {\\\"bits\\\": 40}}'", image(
                        "img_hv_type: 'kvm', hw_maxphysaddr_bits: 42"), "", "image needs 42 address bits, host has 40"),
                row("ImagePropertiesFilter", kvm + ", cpu_info: {maxphysaddr: {bits: 42}}",
                        image("img_hv_type: 'kvm', hw_maxphysaddr_bits: 42"), "", PASS),
                row("IsolatedHostsFilter", "", image(""), isolated, PASS),
                row("IsolatedHostsFilter", "host: 'h2'", image(""), isolated, "image is isolated, host is not"),
                row("IsolatedHostsFilter", "", "", isolated, "host is isolated, image is not"),
                row("IsolatedHostsFilter", "", "", isolated + ", restrict_isolated_hosts_to_isolated_images: false",
                        PASS), row("IsolatedHostsFilter", "", "", "isolated_hosts: ['h1']",
                                "host is isolated, image is not"));
    }

    private static Stream<Row> capabilities() {
        return Stream.of(
                row("ComputeCapabilitiesFilter", "free_ram_mb: 4096", specs("'capabilities:free_ram_mb': '>= 4096'"),
                        "", PASS), row("ComputeCapabilitiesFilter", "free_ram_mb: 2048",
                                specs("free_ram_mb: '>= 4096'"), "",
                                "capability free_ram_mb: '>= 4096' not met by 2048"), row("ComputeCapabilitiesFilter",
                                        "stats: {gpu: 'a100'}", specs("gpu: '<or> a100 <or> h100'"), "", PASS),
                row("ComputeCapabilitiesFilter", "", specs("gpu: 'a100'"), "", PASS),
                row("ComputeCapabilitiesFilter", "", specs("'capabilities:gpu': 'a100'"), "",
                        "capability capabilities:gpu: host has none"), row("ComputeCapabilitiesFilter", "",
                                specs("hypervisor_type: 'QEMU'"), "", "capability hypervisor_type: host has none"),
                row("ComputeCapabilitiesFilter", "cpu_info: '{\\\"features\\\": [\\\"aes\\\", \\\"mmx\\\"]}'",
                        specs("'capabilities:cpu_info:features': '<all-in> aes mmx'"), "", PASS),
                row("ComputeCapabilitiesFilter", "cpu_info: 'no json'", specs("'capabilities:cpu_info:features': 'x'"),
                        "", "capability capabilities:cpu_info:features: host has none"),
                row("ComputeCapabilitiesFilter", "cpu_info: {maxphysaddr: {bits: 40}}",
                        specs("'hw:maxphysaddr_bits': '42'"), "",
                        "capability capabilities:cpu_info:maxphysaddr:bits: '>= 42' not met by 40"),
                row("ComputeCapabilitiesFilter", "cpu_allocation_ratio: 2", specs("cpu_allocation_ratio: '2.0'"), "",
                        PASS), row("ComputeCapabilitiesFilter", "hypervisor_type: 'QEMU'",
                                specs("hypervisor_type: '== 5'"), "",
                                FAILED));
    }

    private static Stream<Row> queries() {
        return Stream.of(
                row("JsonFilter", "free_ram_mb: 1024",
                        "scheduler_hints: {query: '[\\\">=\\\", \\\"$free_ram_mb\\\", 1024]'}", "", PASS),
                row("JsonFilter", "free_ram_mb: 1023",
                        "scheduler_hints: {query: '[\\\">=\\\", \\\"$free_ram_mb\\\", 1024]'}", "",
                        "the condition of the hint query does not hold"),
                row("JsonFilter", "", "scheduler_hints: {query: '" + "1".repeat(10_001) + "'}", "", FAILED),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"and\\\", [\\\"not\\\", true]]'}", "", PASS),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"not\\\", true]'}", "",
                        "the condition of the hint query does not hold"),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"=\\\", \\\"$nosuch\\\", 1]'}", "",
                        "the condition of the hint query does not hold"),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"=\\\", true, 1]'}", "", PASS),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"in\\\", \\\"$host\\\", \\\"h9\\\", \\\"h1\\\"]'}",
                        "", PASS), row("JsonFilter", "", "scheduler_hints: {query: '[\\\"<\\\", 1, \\\"a\\\"]'}", "",
                                FAILED),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"bogus\\\", 1]'}", "", FAILED),
                row("JsonFilter", "", "scheduler_hints: {query: 'no json'}", "", FAILED),
                row("JsonFilter", "", "scheduler_hints: {query: ['a', 'b']}", "", FAILED),
                row("JsonFilter", "", "scheduler_hints: {query: '[]'}", "", PASS),
                row("JsonFilter", "", "scheduler_hints: {query: '[\\\"=\\\", \\\"$host.x\\\", 1]'}", "", FAILED));
    }

    private static Stream<Row> resources() {
        String bigFlavor = "flavor: {id: 7, vcpus: 9, memory_mb: 4097, root_gb: 10, ephemeral_gb: 5, swap: 100}";
        String cores = "vcpus_total: 8, vcpus_used: 15, cpu_allocation_ratio: 2";
        String ram = "total_usable_ram_mb: 4096, free_ram_mb: 1000";
        String disk = "total_usable_disk_gb: 20, free_disk_mb: 10240";
        return Stream.of(
                row("CoreFilter", cores.replace("15", "14"), "", "", PASS),
                row("CoreFilter", cores, "", "", "needs 2 vCPUs, 1.0 free"),
                row("CoreFilter", cores, bigFlavor, "", "needs 9 vCPUs, host has 8"),
                row("CoreFilter", "vcpus_used: 3", "", "", PASS),
                row("AggregateCoreFilter", cores + ", " + aggregate("cpu_allocation_ratio: '2.125'"), "", "", PASS),
                row("AggregateCoreFilter", cores.replace("15", "14") + ", " + aggregate("cpu_allocation_ratio: '1.5'"),
                        "", "", "needs 2 vCPUs, -2.0 free"),
                row("RamFilter", ram.replace("1000", "1024"), "", "", PASS),
                row("RamFilter", ram, "", "", "needs 1024 MB, 1000 MB free"),
                row("RamFilter", ram, bigFlavor, "", "needs 4097 MB, host has 4096 MB"),
                row("AggregateRamFilter", ram + ", " + aggregate("ram_allocation_ratio: '1.5'"), "", "", PASS),
                row("AggregateRamFilter", ram + ", " + aggregate("ram_allocation_ratio: 'nan'"), "", "",
                        "needs 1024 MB, 1000 MB free"), row("DiskFilter", disk, "", "", PASS),
                row("DiskFilter", disk, bigFlavor, "", "needs 15460 MB, 10240 MB free"),
                row("DiskFilter", disk.replace("20,", "9,"), "", "", "needs 10240 MB, host has 9216 MB"),
                row("AggregateDiskFilter", disk + ", " + aggregate("disk_allocation_ratio: '2'"), bigFlavor, "", PASS),
                row("AggregateDiskFilter", disk + ", " + aggregate("disk_allocation_ratio: '0.5'"), "", "",
                        "needs 10240 MB, 0 MB free"),
                row("ExactCoreFilter", "vcpus_total: 4, vcpus_used: 2", "", "", PASS),
                row("ExactCoreFilter", "vcpus_total: 5, vcpus_used: 2", "", "",
                        "needs a host with exactly 2 free CPUs, 3 are free"),
                row("ExactCoreFilter", "", "", "", "host reports no CPUs"),
                row("ExactRamFilter", "free_ram_mb: 1024", "", "", PASS), row("ExactRamFilter", "free_ram_mb: 1025", "",
                        "", "needs a host with exactly 1024 MB of free memory, 1025 MB are free"),
                row("ExactDiskFilter", "free_disk_mb: 10240", "", "", PASS),
                row("ExactDiskFilter", "free_disk_mb: 10241", "", "",
                        "needs a host with exactly 10240 MB of free disk, 10241 MB are free"));
    }

    private static Stream<Row> topology() {
        String cell = "numa_topology: {cells: [{id: 0, cpuset: [0, 1], memory: 2048}]}";
        String wants = "numa_topology: {cells: [{id: 0, cpuset: [0, 1], memory: 1024}]}";
        String device = "pci_stats: {pools: [{vendor_id: '10de', product_id: '1eb8', count: 1}]}";
        String wantsDevices =
                "pci_requests: [{request_id: 'r', count: %d, spec: [{vendor_id: '10de'}], alias_name: 'a'}]";
        return Stream.of(
                row("NUMATopologyFilter", cell, wants, "", PASS),
                row("NUMATopologyFilter", "", wants, "", "host reports no NUMA topology"),
                row("NUMATopologyFilter", "", "", "", PASS),
                row("NUMATopologyFilter", cell + ", allocation_candidates: []", wants, "",
                        "host has no allocation candidate to fit"),
                row("NUMATopologyFilter", cell, wants.replace("1024", "4096"),
                        "", "NUMA topology does not fit: cell 0: needs 4096 MiB, offers 2048"),
                row("NUMATopologyFilter", cell,
                        "numa_topology: null, "
                                + specs("'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require'"), "",
                        "thread policy require needs several threads per core, host has one"),
                row("PciPassthroughFilter", "", "", "", PASS),
                row("PciPassthroughFilter", device, wantsDevices.formatted(1), "", PASS),
                row("PciPassthroughFilter", device, wantsDevices.formatted(2), "",
                        "needs 2 PCI devices (a), host has 1 free"),
                row("PciPassthroughFilter", "", wantsDevices.formatted(1), "", "host reports no PCI devices"));
    }

    private static Stream<Row> removed() {
        return Stream.of(
                row("AvailabilityZoneFilter", aggregate("availability_zone: 'z1, z2'"), "availability_zone: 'z2'", "",
                        PASS), row("AvailabilityZoneFilter", "", "availability_zone: 'nova'", "", PASS),
                row("AvailabilityZoneFilter", "", "availability_zone: 'z9, home'",
                        "DEFAULT: {default_availability_zone: 'home'}", PASS), row("AvailabilityZoneFilter", aggregate(
                                "availability_zone: 'z1'"), "availability_zone: 'nova'", "",
                                "zone nova wanted, host is in z1"),
                row("RetryFilter", "nodename: 'n1'", "retry: {num_attempts: 2, hosts: [{host: 'h1', nodename: 'n1'}]}",
                        "", "instance failed to build here before, attempt 2"), row("RetryFilter", "nodename: 'n2'",
                                "retry: {num_attempts: 2, hosts: [{host: 'h1', nodename: 'n1'}]}", "", PASS),
                row("TrustedFilter", "trust_level: 'trusted'", specs("'trust:trusted_host': 'trusted'"), "", PASS),
                row("TrustedFilter", "", specs("'trust:trusted_host': 'trusted'"), "",
                        "trust level trusted wanted, node is unknown"), row("TrustedFilter", "", "", "", PASS));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void returnsTheExpectedVerdict(Row row) {
        Verdict verdict = filter(row.filter()).check(host(row.host()), request(row.request()), options(row.options()));

        String actual =
                switch (verdict) {
                    case Verdict.Pass _ -> PASS;
                    case Verdict.Limited _ -> PASS;
                    case Verdict.Narrow _ -> PASS;
                    case Verdict.Reject(Reason reason) -> reason.render();
                    case Verdict.Failed _ -> FAILED;
                };
        assertThat(actual).isEqualTo(row.expected());
    }

    @Test
    void theTableHasAPassAndARejectionOfEveryFilter() throws IOException {
        Set<String> passing =
                rows().filter(row -> row.expected().equals(PASS)).map(Row::filter).collect(Collectors.toSet());
        Set<String> rejecting = rows()
                .filter(row -> !row.expected().equals(PASS) && !row.expected().equals(FAILED))
                .map(Row::filter)
                .collect(Collectors.toSet());
        Set<String> shipped = sources().stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .filter(FilterTableTest::isFilter)
                .collect(Collectors.toSet());
        assertThat(shipped).hasSizeGreaterThan(30);
        assertThat(passing).isEqualTo(shipped);
        rejecting.add("AllHostsFilter");
        assertThat(rejecting).isEqualTo(shipped);
    }

    /** Returns the source files of the packages of Berth's own filters. */
    static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of(
                "engine/src/main/java/io/berth/scheduler", "legacy/src/main/java/io/berth/scheduler/legacy")) {
            try (Stream<Path> files = Files.list(Path.of(module, "filter"))) {
                files.forEach(sources::add);
            }
        }
        return sources;
    }

    private static boolean isFilter(String name) {
        return !name.equals("package-info") && HostFilter.class.isAssignableFrom(type(name))
                && !type(name).isInterface();
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("io.berth.scheduler.filter." + name);
        } catch (ClassNotFoundException _) {
            return legacy(name);
        }
    }

    private static Class<?> legacy(String name) {
        try {
            return Class.forName("io.berth.scheduler.legacy.filter." + name);
        } catch (ClassNotFoundException e) {
            throw new LinkageError(name, e);
        }
    }

    public static HostFilter filter(String name) {
        try {
            return type(name).asSubclass(HostFilter.class).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }
}
