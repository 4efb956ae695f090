package io.berth.scheduler.filter;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A table of every cause for which a filter removes a host: the code, and the exact values that were compared. */
class ReasonTableTest {
    private static final Path DOCUMENTED = Path.of("../docs/explanations.md");
    private static final Pattern CODE =
            Pattern.compile("(?:reject\\(|lacking\\([^\"]*|^\\s+)\"([a-z]+(?:_[a-z]+)*)\",");
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)`(?:, `\\w+`)* \\| (`[a-z_`, ]+`) \\|");
    private static final String U1 = "11111111-aaaa-4aaa-8aaa-111111111111";
    private static final String U2 = "22222222-aaaa-4aaa-8aaa-222222222222";

    /** @param compared wanted, had and unit, as text */
    record Cause(String filter, String host, String request, String options, String code, String compared) {}

    private static Cause cause(
            String filter, String host, String request, String options, String code, String compared) {
        return new Cause(filter, host, request, options, code, compared);
    }

    private static String aggregate(String metadata) {
        return "aggregates: [{id: 1, metadata: {" + metadata + "}}]";
    }

    private static String image(String properties) {
        return "image: {id: 'i1', properties: {" + properties + "}}";
    }

    private static String specs(String extraSpecs) {
        return "flavor: {id: 7, name: 'small', vcpus: 2, memory_mb: 1024, root_gb: 10, extra_specs: {" + extraSpecs
                + "}}";
    }

    static Stream<Cause> causes() {
        String large = "flavor: {id: 7, vcpus: 9, memory_mb: 4097, root_gb: 30}";
        String kvm = "supported_instances: [['x86_64', 'kvm', 'hvm']]";
        String isolated = "isolated_hosts: ['h1'], isolated_images: ['i1']";
        return Stream.of(Stream.of(
                cause("NumInstancesFilter", "num_instances: 5", "", "max_instances_per_host: 5", "instances",
                        "5 5 instances"), cause("AggregateNumInstancesFilter", "num_instances: 9, "
                                + aggregate("max_instances_per_host: '7'"), "", "", "instances", "7 9 instances"),
                cause("IoOpsFilter", "num_io_ops: 8", "", "", "io_ops", "8 8 operations"),
                cause("AggregateIoOpsFilter", "num_io_ops: 8, " + aggregate("max_io_ops_per_host: '3'"), "", "",
                        "io_ops", "3 8 operations"),
                cause("AggregateImagePropertiesIsolation", aggregate("os_distro: 'linux, bsd'"),
                        image("os_distro: 'windows'"), "", "image_property", "windows [linux, bsd] null"),
                cause("AggregateInstanceExtraSpecsFilter", aggregate("disk: 'hdd, nvme'"), specs("disk: 's== ssd'"), "",
                        "extra_spec", "s== ssd [hdd, nvme] null"), cause("AggregateInstanceExtraSpecsFilter", "",
                                specs("disk: 'ssd'"), "", "extra_spec_missing", "ssd [] null"),
                cause("AggregateMultiTenancyIsolation", aggregate("filter_tenant_id: 'p1, p2'"), "project_id: 'p3'", "",
                        "project", "p3 [p1, p2] null"), cause("AggregateTypeAffinityFilter",
                                aggregate("instance_type: 'large'"), "", "", "flavor", "small [large] null"),
                cause("AvailabilityZoneFilter", aggregate("availability_zone: 'z1'"), "availability_zone: 'z2, z3'", "",
                        "zone", "[z2, z3] [z1] null"),
                cause("ComputeFilter", "service: {disabled: true, disabled_reason: 'fans'}", "", "",
                        "service_disabled", "enabled disabled null"),
                cause("ComputeFilter", "service: {disabled: true}", "", "", "service_disabled",
                        "enabled disabled null"),
                cause("ComputeFilter", "service: {up: false}", "", "", "service_down", "up down null"),
                cause("ComputeFilter", "service: {forced_down: true}", "", "", "service_forced_down",
                        "up forced_down null"), cause("MetricsFilter", "metrics: [{name: 'm1', value: 0}]", "",
                                "metrics: {weight_setting: 'm1=1.0, m2=2'}", "metric_missing", "2 1 metrics"),
                cause("DifferentHostFilter", "instances: {'" + U1 + "': {}}", "scheduler_hints: {different_host: '" + U1
                        + "'}", "", "instance_here", "!" + U1 + " " + U1 + " null"),
                cause("SameHostFilter", "instances: {'" + U1 + "': {}}", "scheduler_hints: {same_host: ['" + U2 + "']}",
                        "", "instances_not_here", "[" + U2 + "] [] null"),
                cause("ServerGroupAffinityFilter", "",
                        "instance_group: {policy: 'affinity', hosts: ['h2', 'h3']}", "", "group_elsewhere",
                        "[h2, h3] h1 null"),
                cause("ServerGroupAntiAffinityFilter", "instances: {'" + U2 + "': {}}",
                        "instance_group: {policy: 'anti-affinity', members: ['" + U2 + "']}", "", "group_here",
                        "1 1 instances"),
                cause("SimpleCIDRAffinityFilter", "host_ip: '192.168.2.9'",
                        "scheduler_hints: {build_near_host_ip: '192.168.1.200'}", "", "network",
                        "192.168.1.200/24 192.168.2.9 null"),
                cause("TypeAffinityFilter", "instances: {'" + U1 + "': {instance_type_id: 8}}", "", "", "other_flavor",
                        "7 8 null"), cause("TrustedFilter", "", specs("'trust:trusted_host': 'trusted'"), "", "trust",
                                "trusted unknown null"), cause("RetryFilter", "nodename: 'n1'",
                                        "retry: {num_attempts: 2, hosts: [{host: 'h1', nodename: 'n1'}]}", "", "tried",
                                        "!n1 n1 null"),
                cause("JsonFilter", "free_ram_mb: 1023",
                        "scheduler_hints: {query: '[\\\">=\\\", \\\"$free_ram_mb\\\", 1024]'}", "", "query",
                        "[\">=\", \"$free_ram_mb\", 1024] null null"),
                cause("ImagePropertiesFilter", kvm, image("hw_architecture: 'aarch64', img_hv_type: 'kvm'"), "",
                        "guest_kind", "aarch64/kvm [x86_64/kvm/hvm] null"), cause("ImagePropertiesFilter", "",
                                image("hw_architecture: 'x86_64'"), "", "nothing_supported", "x86_64 [] null"),
                cause("ImagePropertiesFilter", kvm + ", hypervisor_version: 6000",
                        image("img_hv_type: 'kvm', img_hv_requested_version: '>=7'"), "", "hypervisor_version",
                        ">=7 6.0 null"),
                cause("ImagePropertiesFilter", kvm + ", cpu_info: {maxphysaddr: {bits: 40}}",
                        image("img_hv_type: 'kvm', hw_maxphysaddr_bits: 42"), "", "address_bits", "42 40 bits"),
                cause("IsolatedHostsFilter", "host: 'h2'", image(""), isolated, "image_isolated", "isolated open null"),
                cause("IsolatedHostsFilter", "", "", isolated, "host_isolated", "open isolated null"),
                cause("ComputeCapabilitiesFilter", "free_ram_mb: 2048", specs("free_ram_mb: '>= 4096'"), "",
                        "capability", ">= 4096 2048 null"), cause("ComputeCapabilitiesFilter", "",
                                specs("'capabilities:gpu': 'a100'"), "", "capability_missing", "a100 [] null")),
                amounts(large), topology()).flatMap(causes -> causes);
    }

    private static Stream<Cause> amounts(String large) {
        String cores = "vcpus_total: 8, vcpus_used: 15, cpu_allocation_ratio: 2";
        String ram = "total_usable_ram_mb: 4096, free_ram_mb: 1000";
        String disk = "total_usable_disk_gb: 20, free_disk_mb: 1024";
        return Stream.of(
                cause("CoreFilter", cores, "", "", "vcpus", "2 1.0 vcpus"),
                cause("CoreFilter", cores, large, "", "vcpus_total", "9 8 vcpus"),
                cause("AggregateCoreFilter", cores, large, "", "vcpus_total", "9 8 vcpus"),
                cause("AggregateCoreFilter", cores + ", " + aggregate("cpu_allocation_ratio: '1.5'"), "", "", "vcpus",
                        "2 -3.0 vcpus"), cause("RamFilter", ram, "", "", "ram", "1024 1000.0 MiB"),
                cause("RamFilter", ram, large, "", "ram_total", "4097 4096 MiB"),
                cause("AggregateRamFilter", ram, large, "", "ram_total", "4097 4096 MiB"),
                cause("AggregateRamFilter", ram + ", " + aggregate("ram_allocation_ratio: '0.875'"), "", "", "ram",
                        "1024 488.0 MiB"), cause("DiskFilter", disk, "", "", "disk", "10240 1024.0 MiB"),
                cause("DiskFilter", disk, large, "", "disk_total", "30720 20480 MiB"),
                cause("AggregateDiskFilter", disk, large, "", "disk_total", "30720 20480 MiB"),
                cause("AggregateDiskFilter", disk + ", " + aggregate("disk_allocation_ratio: '0.5'"), "", "", "disk",
                        "10240 -9216.0 MiB"),
                cause("ExactCoreFilter", "vcpus_total: 5, vcpus_used: 2", "", "", "vcpus", "2 3 vcpus"),
                cause("ExactCoreFilter", "", "", "", "vcpus_unknown", "2 0 vcpus"),
                cause("ExactRamFilter", "free_ram_mb: 1025", "", "", "ram", "1024 1025 MiB"),
                cause("ExactDiskFilter", "free_disk_mb: 10241", "", "", "disk", "10240 10241 MiB"));
    }

    private static Stream<Cause> topology() {
        String cell = "numa_topology: {cells: [{id: 0, cpuset: [0, 1], memory: 2048}]}";
        String wants = "numa_topology: {cells: [{id: 0, cpuset: [0, 1], memory: 1024}]}";
        String device = "pci_stats: {pools: [{vendor_id: '10de', product_id: '1eb8', count: 1}]}";
        String devices = "pci_requests: [{request_id: 'r', count: %d, spec: [{vendor_id: '10de'}], alias_name: 'a'}]";
        return Stream.of(
                cause("NUMATopologyFilter", "", wants, "", "no_topology", "1 0 numa_cells"),
                cause("NUMATopologyFilter", cell + ", allocation_candidates: []", wants, "", "no_candidate",
                        "1 0 allocation_candidates"),
                cause("NUMATopologyFilter", cell, wants.replace("1024", "4096"), "",
                        "numa_memory", "4096.0 2048.0 MiB"), cause("NUMATopologyFilter", cell,
                                wants.replace("[0, 1]", "[0, 1, 2]"), "", "numa_cpus", "3.0 2.0 cpus"),
                cause("NUMATopologyFilter", cell,
                        "numa_topology: {cells: [{id: 0, cpuset: [0], memory: 512}, {id: 1, cpuset: [1], memory:"
                                + " 512}]}", "", "numa_cells", "2.0 1.0 numa_cells"),
                cause("NUMATopologyFilter", cell, wants.replace("memory: 1024", "memory: 1024, pagesize: 1048576"), "",
                        "numa_page_size", "1048576.0 0.0 KiB"),
                cause("NUMATopologyFilter", cell,
                        "numa_topology: null, "
                                + specs("'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require'"), "",
                        "no_threads", "2 1 threads_per_core"),
                cause("PciPassthroughFilter", "", devices.formatted(3), "", "no_pci_data", "3 0 devices"),
                cause("PciPassthroughFilter", device, devices.formatted(2), "", "devices", "2 1 devices"),
                cause("PciPassthroughFilter", device + ", allocation_candidates: []", devices.formatted(1), "",
                        "devices_unusable", "1 0 devices"));
    }

    @ParameterizedTest(name = "{0} {4}")
    @MethodSource("causes")
    void rejectsWithTheExactValues(Cause cause) {
        Verdict verdict = FilterTableTest.filter(cause.filter())
                .check(host(cause.host()), request(cause.request()), options(cause.options()));

        assertThat(verdict).isInstanceOf(Verdict.Reject.class);
        Reason reason = ((Verdict.Reject) verdict).reason();
        assertThat(reason.code()).isEqualTo(cause.code());
        assertThat(reason.wanted() + " " + reason.had() + " " + reason.unit()).isEqualTo(cause.compared());
        assertThat(reason.render()).isNotBlank().doesNotContain("[", "null");
    }

    @Test
    void everyReasonCodeHasACauseAndIsDocumented() throws IOException {
        Set<String> caused = new TreeSet<>();
        causes().forEach(cause -> caused.add(cause.filter() + " " + cause.code()));
        // The obstacles of topology fitting are listed in their own enum.
        for (var kind : io.berth.scheduler.numa.fitting.FittingObstacle.Kind.values()) {
            caused.add("NUMATopologyFilter " + kind.code());
        }
        Set<String> codes =
                caused.stream().map(each -> each.split(" ")[1]).collect(Collectors.toCollection(TreeSet::new));

        assertThat(causes().count()).isGreaterThanOrEqualTo(40);
        assertThat(inSources()).isSubsetOf(codes).hasSizeGreaterThan(35);
        assertThat(documented()).containsExactlyInAnyOrderElementsOf(caused);
    }

    private static Set<String> inSources() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (Path file : FilterTableTest.sources()) {
            for (String line : Files.readAllLines(file)) {
                Matcher code = CODE.matcher(line);
                if (code.find()) {
                    codes.add(code.group(1));
                }
            }
        }
        return codes;
    }

    private static Set<String> documented() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (String line : Files.readAllLines(DOCUMENTED)) {
            if (!ROW.matcher(line).find()) {
                continue;
            }
            String[] cells = line.split("\\|");
            for (String filter : names(cells[1])) {
                for (String code : names(cells[2])) {
                    if (filter.endsWith("Filter") || filter.endsWith("Isolation")) {
                        codes.add(filter + " " + code);
                    }
                }
            }
        }
        return codes;
    }

    private static Set<String> names(String cell) {
        return Stream.of(cell.split(",")).map(name -> name.replace("`", "").strip()).collect(Collectors.toSet());
    }
}
