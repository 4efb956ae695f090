package io.berth.scheduler.decision.explanation;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.FilterTableTest;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.NoHostSentence;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which host a request that finds none reports as the nearest, and what that host lacks. */
class NearestMissTest {
    private static final String U1 = "11111111-aaaa-4aaa-8aaa-111111111111";
    private static final String U2 = "22222222-aaaa-4aaa-8aaa-222222222222";
    private static final String U3 = "33333333-aaaa-4aaa-8aaa-333333333333";

    /**
     * @param far a rejected host that misses by more and is checked first
     * @param near a rejected host that misses by less
     */
    record Row(String filter, String request, String far, String near, String reason) {}

    static Stream<Row> rows() {
        String ratio = "aggregates: [{id: 1, metadata: {%s: '0.5'}}]";
        String flavor = "flavor: {id: 1, name: 'big', vcpus: 8, memory_mb: 4096, root_gb: 20}";
        String ram = "total_usable_ram_mb: 8192, free_ram_mb: ";
        String disk = "total_usable_disk_gb: 40, free_disk_mb: ";
        String cpus = "vcpus_total: 16, vcpus_used: ";
        return Stream.of(
                new Row("CoreFilter", flavor, cpus + 16, cpus + 10, "needs 8 vCPUs, 6.0 free"),
                new Row("CoreFilter", flavor, "vcpus_total: 2", "vcpus_total: 4", "needs 8 vCPUs, host has 4"),
                new Row("AggregateCoreFilter", flavor, ratio.formatted("cpu_allocation_ratio") + ", " + cpus + 4,
                        ratio.formatted("cpu_allocation_ratio") + ", " + cpus + 1, "needs 8 vCPUs, 7.0 free"),
                new Row("ExactCoreFilter", flavor, cpus + 2, cpus + 9,
                        "needs a host with exactly 8 free CPUs, 7 are free"),
                new Row("RamFilter", flavor, ram + 1024, ram + 2048, "needs 4096 MB, 2048 MB free"),
                new Row("RamFilter", flavor, "total_usable_ram_mb: 1024", "total_usable_ram_mb: 2048",
                        "needs 4096 MB, host has 2048 MB"),
                new Row("AggregateRamFilter", flavor, ratio.formatted("ram_allocation_ratio") + ", " + ram + 7000,
                        ratio.formatted("ram_allocation_ratio") + ", " + ram + 8000, "needs 4096 MB, 3904 MB free"),
                new Row("ExactRamFilter", flavor, ram + 1024, ram + 5000,
                        "needs a host with exactly 4096 MB of free memory, 5000 MB are free"),
                new Row("DiskFilter", flavor, disk + 1024, disk + 10240, "needs 20480 MB, 10240 MB free"),
                new Row("DiskFilter", flavor, "total_usable_disk_gb: 10", "total_usable_disk_gb: 15",
                        "needs 20480 MB, host has 15360 MB"),
                new Row("AggregateDiskFilter", flavor, ratio.formatted("disk_allocation_ratio") + ", " + disk + 30000,
                        ratio.formatted("disk_allocation_ratio") + ", " + disk + 40000,
                        "needs 20480 MB, 19520 MB free"),
                new Row("ExactDiskFilter", flavor, disk + 1024, disk + 20000,
                        "needs a host with exactly 20480 MB of free disk, 20000 MB are free"),
                new Row("IoOpsFilter", "", "num_io_ops: 20", "num_io_ops: 9", "9 I/O operations under way, limit 8"),
                new Row("AggregateIoOpsFilter", "",
                        "num_io_ops: 9, aggregates: [{metadata: {max_io_ops_per_host: '2'}}]",
                        "num_io_ops: 20, aggregates: [{metadata: {max_io_ops_per_host: '19'}}]",
                        "20 I/O operations under way, limit 19"),
                new Row("NumInstancesFilter", "", "num_instances: 90", "num_instances: 50",
                        "runs 50 instances, limit 50"), new Row("AggregateNumInstancesFilter", "",
                                "num_instances: 9, aggregates: [{metadata: {max_instances_per_host: '2'}}]",
                                "num_instances: 90, aggregates: [{metadata: {max_instances_per_host: '89'}}]",
                                "runs 90 instances, limit 89"),
                new Row("ServerGroupAntiAffinityFilter",
                        "instance_uuid: '" + U3 + "', instance_group: {policy: 'anti-affinity', members: ['" + U1
                                + "', '"
                                + U2 + "', '" + U3 + "']}",
                        "instances: {'" + U1 + "': {}, '" + U2 + "': {}}", "instances: {'" + U1 + "': {}}",
                        "runs 1 instances of the server group, limit 1"),
                new Row("ImagePropertiesFilter",
                        "image: {id: 'i', properties: {hw_architecture: 'x86_64', hw_maxphysaddr_bits: 46}}",
                        bits(39), bits(44), "image needs 46 address bits, host has 44"),
                new Row("MetricsFilter", "", "metrics: []", "metrics: [{name: 'm1', value: 1}, {name: 'm3', value: 1}]",
                        "needs 3 metrics, host has 2 of them and no m2"),
                new Row("NUMATopologyFilter", numa(2048), cell(256), cell(1024),
                        "NUMA topology does not fit: cell 0: needs 2048 MiB, offers 1024"),
                new Row("NUMATopologyFilter", pinned(2), cores("[0], [1], [2], [3]", ""),
                        cores("[0, 1], [2, 3]", "0, 1, 2"),
                        "NUMA topology does not fit: cell 0: needs 2 CPUs, offers 1"),
                new Row("PciPassthroughFilter", devices(4), pool(1), pool(3),
                        "needs 4 PCI devices (gpu), host has 3 free"), new Row("PciPassthroughFilter",
                                devices(2) + ", numa_topology: null",
                                pool(1),
                                "pci_stats: {pools: [{vendor_id: '10de', product_id: '1eb8', count: 2, dev_type:"
                                        + " 'type-PF'}]}",
                                "enough PCI devices are free, but not together or not where 1 allocation candidates"
                                        + " want them"));
    }

    private static String bits(int bits) {
        return "supported_instances: [['x86_64', 'kvm', 'hvm']], cpu_info: {maxphysaddr: {bits: " + bits + "}}";
    }

    private static String numa(int memoryMb) {
        return "numa_topology: {cells: [{id: 0, cpuset: [0, 1], memory: " + memoryMb + "}]}";
    }

    private static String cell(int memoryMb) {
        return "numa_topology: {cells: [{id: 0, cpuset: [0, 1, 2, 3], memory: " + memoryMb + "}]}";
    }

    /** The CPUs must be threads of the same cores. */
    private static String pinned(int cpus) {
        String list = IntStream.range(0, cpus).boxed().toList().toString();
        return "numa_topology: {cells: [{id: 0, pcpuset: " + list
                + ", memory: 256, cpu_policy: 'dedicated', cpu_thread_policy: 'require'}]}";
    }

    private static String cores(String siblings, String taken) {
        return "numa_topology: {cells: [{id: 0, pcpuset: [0, 1, 2, 3], memory: 1024, siblings: [" + siblings
                + "], pinned_cpus: [" + taken + "]}]}";
    }

    private static String devices(int count) {
        return "pci_requests: [{request_id: 'r', count: " + count
                + ", spec: [{vendor_id: '10de'}], alias_name: 'gpu'}]";
    }

    private static String pool(int count) {
        return "pci_stats: {pools: [{vendor_id: '10de', product_id: '1eb8', count: " + count + "}]}";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void theNearestHostIsTheOneThatLacksTheLeast(Row row) {
        List<HostState> hosts = List.of(
                host("host: 'far', " + row.far()), host("host: 'near', " + row.near()),
                host("host: 'far2', " + row.far()));
        Decision decision = decide(request(row.request()), hosts, row.filter());

        NearestMiss nearest = NearestMiss.of(decision);
        assertThat(nearest.stage()).isEqualTo(row.filter());
        assertThat(nearest.host().host()).isEqualTo("near");
        assertThat(nearest.reason().render()).isEqualTo(row.reason());
        assertThat(NoValidHost.describe(decision))
                .isEqualTo("None of 3 hosts will do: %s removed 3; nearest is near: %s"
                        .formatted(row.filter(), row.reason()));
    }

    @Test
    void findsTheNearestHostBeyondTheKeptRejections() {
        HostState[] hosts = new HostState[1_200];
        Arrays.setAll(hosts, i -> host("host: 'h%d', total_usable_ram_mb: 500, free_ram_mb: %d".formatted(i, i)));
        Decision decision = decide(request(""), List.of(hosts), "RamFilter");
        assertThat(decision.rounds().getLast().round().filters().getLast().rejections()).hasSize(1_000);
        assertThat(NearestMiss.of(decision).host().host()).isEqualTo("h0");
        hosts[1_117] = host("host: 'h17', total_usable_ram_mb: 2048, free_ram_mb: 1000");
        assertThat(NearestMiss.of(decide(request(""), List.of(hosts), "RamFilter")).host().host()).isEqualTo("h17");
    }

    @Test
    void listsEachStageWithTheNumberThatItRemoved() {
        List<HostState> hosts = List.of(
                host("host: 'a', service: {up: false}"), host("host: 'b', free_ram_mb: 1"),
                host("host: 'c', free_ram_mb: 100, total_usable_ram_mb: 4096"), host("host: 'd'"));
        Decision decision = decide(request("ignore_hosts: ['d']"), hosts, "ComputeFilter", "RamFilter");
        assertThat(NoValidHost.describe(decision))
                .isEqualTo("None of 4 hosts will do: RamFilter removed 2, ignore_hosts "
                        + "removed 1, ComputeFilter removed 1; nearest is c: needs 1024 MB, 100 MB free");
        assertThat(NoValidHost.forTenant(decision, null))
                .isEqualTo("None of 4 hosts will do: RamFilter removed 2, ignore_hosts "
                        + "removed 1, ComputeFilter removed 1");
    }

    @Test
    void describesHostsThatPlacementOmittedUnlessAnotherQueryOfferedOne() {
        Decision decision = decide(request(""), List.of(host("host: 'a', service: {up: false}")), "ComputeFilter");
        assertThat(NoValidHost.describe(decision, new NoValidHost.OmittedHosts(
                3, List.of(new NoHostSentence.Removed("resources=PCPU:2", 2)), "b: no PCPU")))
                .startsWith("None of 3 hosts will do: resources=PCPU:2 removed 2, ComputeFilter removed 1; nearest is"
                        + " a: ")
                .endsWith("; of those that placement left out b: no PCPU");
        assertThat(NoValidHost.describe(decision, new NoValidHost.OmittedHosts(
                2, List.of(new NoHostSentence.Removed("resources=PCPU:2", 2)), "a: no PCPU")))
                .startsWith("None of 2 hosts will do: placement removed 1, ComputeFilter removed 1; nearest is a: ")
                .doesNotContain("PCPU");
    }

    @Test
    void namesAHostThatTheRequestExcludes() {
        Decision decision = decide(request("force_hosts: ['z']"), List.of(host("host: 'a'")), "ComputeFilter");
        assertThat(NoValidHost.describe(decision))
                .isEqualTo("The only host will not do: force_hosts removed it; nearest is a: "
                        + "another host is forced");
    }

    @Test
    void namesTheSourceOfAMove() {
        Decision decision = decide(
                request("instance_uuid: '" + U1 + "', ignore_hosts: ['a', 'b']"),
                List.of(host("host: 'a'"), host("host: 'b', instances: {'" + U1 + "': {}}")), "ComputeFilter");
        assertThat(NoValidHost.describe(decision))
                .isEqualTo("None of 2 hosts will do: ignore_hosts removed 1, ignore_hosts (the "
                        + "source of the move) removed 1; nearest is b: the instance is on it, and the move leaves it");
    }

    @Test
    void countsHostsTakenByEarlierInstancesOfTheRequest() {
        List<HostState> hosts = List.of(host("host: 'a'"), host("host: 'b'"), host("host: 'c', service: {up: false}"));
        Decision decision = decide(
                request("instance_uuids: %1$s, instance_group: {uuid: '%2$s', policy: 'anti-affinity', members: %1$s}"
                        .formatted(
                                List.of("'" + U1 + "'", "'" + U2 + "'", "'" + U3 + "'"), U1)),
                hosts,
                "ComputeFilter", "ServerGroupAntiAffinityFilter");
        assertThat(NoValidHost.describe(decision)).startsWith(
                "Instance 3: None of 3 hosts will do: ServerGroupAntiAffinityFilter removed 2, ComputeFilter removed"
                        + " 1; nearest");
    }

    @Test
    void isNullWithoutHosts() {
        Decision decision = decide(request(""), List.of(), "ComputeFilter");
        assertThat(NearestMiss.of(decision)).isNull();
        assertThat(NoValidHost.describe(decision))
                .isEqualTo("There is no host to choose from");
    }

    @Test
    void namesTheInstanceThatFoundNoHost() {
        Decision decision = decide(
                request("num_instances: 2"), List.of(host("free_ram_mb: 2000, total_usable_ram_mb: 2000")),
                "RamFilter");
        assertThat(NoValidHost.describe(decision)).isEqualTo("Instance 2: The only host will not do: "
                + "RamFilter removed it; nearest is h1: needs 1024 MB, 976 MB free");
    }

    private static Decision decide(RequestSpec request, List<HostState> hosts, String... filters) {
        var inputs = new SchedulingInputs(
                options("metrics: {weight_setting: ['m1=1', 'm2=1', 'm3=1']}"),
                new EnabledFilters(Arrays.stream(filters).map(FilterTableTest::filter).toList()),
                new EnabledWeighers(List.of()),
                new SplittableRandom(1),
                SchedulingInputs.Detail.COUNTS);
        Decision decision = Decision.decide(request, hosts, false, inputs);
        assertThat(decision.result()).isEqualTo(Decision.Result.NO_VALID_HOST);
        return decision;
    }
}
