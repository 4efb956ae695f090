package io.berth.scheduler.host.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.request.RequestedDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how host states are built from placement's candidates and the registry. */
class HostStatesTest {
    private static final String A = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String B = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
    private static final String CHILD = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";
    private static final String SHARING = "dddddddd-dddd-4ddd-8ddd-dddddddddddd";
    private static final String CELL = "eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee";
    private static final Duration DOWN_TIME = Duration.ofSeconds(60);

    private final List<AllocationRequest> requests = new ArrayList<>();
    private final Map<String, ProviderSummary> summaries = new LinkedHashMap<>();
    private final Registries registered = new Registries();

    private HostStatesTest provider(String uuid, String root, boolean sharing, Object... usages) {
        Map<String, ProviderSummary.Usage> resources = new LinkedHashMap<>();
        for (int i = 0; i < usages.length; i += 3) {
            resources.put((String) usages[i], new ProviderSummary.Usage((int) usages[i + 1], (int) usages[i + 2]));
        }
        summaries.put(uuid, new ProviderSummary(uuid, root, resources, sharing));
        return this;
    }

    private HostStatesTest candidate(String... providers) {
        Map<String, Map<String, Long>> allocations = new LinkedHashMap<>();
        for (String provider : providers) {
            allocations.put(provider, Map.of("VCPU", 1L));
        }
        requests.add(new AllocationRequest(allocations, Map.of()));
        return this;
    }

    private List<HostState> build(RequestedDestination destination) {
        RegistrySnapshot registry = registered.snapshot();
        return HostStates.build(
                new AllocationCandidates(requests, summaries), registry, Map.of(A, "node-a"), DOWN_TIME, destination);
    }

    private HostState only() {
        List<HostState> hosts = build(null);
        assertThat(hosts).hasSize(1);
        return hosts.getFirst();
    }

    /** Like nova, ignores a provider without a compute node, and a compute node without a service. */
    @Test
    void ignoresProvidersThatAreNotHostsIfTheRegistryListsAllHosts() {
        provider(A, A, false, "VCPU", 16, 4).candidate(A);
        provider(B, B, false, "VCPU", 16, 4).candidate(B);
        registered.computeNode(B, "{\"host\": \"node-b\", \"cell_uuid\": \"" + CELL + "\"}");
        RequestedDestination anywhere = null;
        assertThat(allListed(anywhere)).isEmpty();
        registered.service(CHILD, "{\"host\": \"node-b\"}", 1);
        assertThat(allListed(anywhere)).extracting(HostState::host).containsExactly("node-b");
    }

    /** Placement still has the providers of a cell that does not respond and of deleted compute nodes. */
    @Test
    void listsNoUnregisteredHostsIfTheRegistryListsAllHosts() {
        assertThat(HostStates.unregistered(Map.of(A, "node-a"), registered.snapshot(), DOWN_TIME))
                .extracting(HostState::host).containsExactly("node-a");
        assertThat(HostStates.unregistered(Map.of(A, "node-a"), registered.snapshotOfAllHosts(), DOWN_TIME)).isEmpty();
    }

    private List<HostState> allListed(RequestedDestination destination) {
        return HostStates.build(new AllocationCandidates(requests, summaries), registered.snapshotOfAllHosts(),
                Map.of(A, "node-a"), DOWN_TIME, destination);
    }

    /** Adds the instances that Berth placed and the claims in progress to the host's report. */
    @Test
    void countsBuildsThatTheHostHasNotReportedAsIoOperations() {
        provider(A, A, false, "VCPU", 16, 4).candidate(A);
        registered.computeNode(A, "{\"host\": \"h\", \"num_io_ops\": 3}").service(CHILD, "{\"host\": \"h\"}", 1)
                .instance(B, "{\"host\": \"h\", \"nodename\": \"h\"}");
        assertThat(allListed(null)).singleElement().extracting(HostState::numIoOps).isEqualTo(3L);
        RegistrySnapshot building = registered.withBuilds(B);
        AllocationCandidates offered = new AllocationCandidates(requests, summaries);
        assertThat(numIoOps(offered, building)).isEqualTo(4);
        AllocationCandidates claimed = offered.with(new int[] {0}, position -> new AllocationCandidates.Change(
                offered.tree(0).chargedWith(Map.of(A, Map.of("VCPU", 1L)), 2), null));
        assertThat(numIoOps(claimed, building)).isEqualTo(6);
        assertThat(numIoOps(claimed, registered.snapshotOfAllHosts())).as("builds are not counted").isEqualTo(3);
    }

    private static long numIoOps(AllocationCandidates candidates, RegistrySnapshot registry) {
        return HostStates.build(candidates, registry, Map.of(), DOWN_TIME, null).getFirst().numIoOps();
    }

    @Test
    void explainsWhyNoneOfPlacementsHostsIsUsable() {
        provider(A, A, false, "VCPU", 16, 4).candidate(A);
        provider(B, B, false, "VCPU", 16, 4).candidate(B);
        registered.computeNode(A, "{\"host\":\"a\",\"cell_uuid\":\"" + CELL + "\"}");
        registered.computeNode(B, "{\"host\":\"b\",\"cell_uuid\":\"" + CELL + "\"}");
        registered.cell(CELL, "{\"name\":\"two\",\"enabled\":false}");
        RegistrySnapshot registry = registered.snapshot();
        AllocationCandidates candidates = new AllocationCandidates(requests, summaries);
        assertThat(HostStates.explainNoUsableNode(candidates, registry, null))
                .isEqualTo("None of 2 hosts will do: cell two, which is disabled, removed 2");
        assertThat(HostStates.explainNoUsableNode(candidates, registry, new RequestedDestination(null, null, CHILD, false)))
                .isEqualTo("None of 2 hosts will do: cell two, which the request must not cross to, removed 2");
        assertThat(HostStates.explainNoUsableNode(candidates, registry, new RequestedDestination(null, null, CELL, false)))
                .isNull();
    }

    @Test
    void buildsAHostFromAnUnregisteredRootProvider() {
        provider(A, A, false, "VCPU", 16, 4, "MEMORY_MB", 8192, 1024, "DISK_GB", 100, 30).candidate(A);
        HostState host = only();
        assertThat(host.host()).isEqualTo("node-a");
        assertThat(host.nodename()).isEqualTo("node-a");
        assertThat(host.uuid()).isEqualTo(A);
        assertThat(host.service()).isEqualTo(HostService.UP);
        assertThat(host.vcpusTotal()).isEqualTo(16);
        assertThat(host.vcpusUsed()).isEqualTo(4);
        assertThat(host.freeRamMb()).isEqualTo(7168);
        assertThat(host.freeDiskMb()).isEqualTo(71_680);
        assertThat(host.diskMbUsed()).isEqualTo(30_720);
        assertThat(host.cpuAllocationRatio()).isEqualTo(1.0);
        assertThat(host.allocationCandidates()).hasSize(1);
    }

    @Test
    void takesUsageFromPlacementAndTotalsFromTheReport() {
        provider(A, A, false, "VCPU", 128, 20, "MEMORY_MB", 9999, 512).candidate(A);
        registered.computeNode(A, """
                {"host":"h","nodename":"n","vcpus_total":8,"vcpus_used":1,"cpu_allocation_ratio":16.0,
                 "total_usable_ram_mb":4096,"free_ram_mb":4096,"free_disk_mb":77,"num_instances":1}""");
        HostState host = only();
        assertThat(host.host()).isEqualTo("h");
        assertThat(host.nodename()).isEqualTo("n");
        assertThat(host.vcpusTotal()).isEqualTo(8);
        assertThat(host.vcpusUsed()).isEqualTo(20);
        assertThat(host.cpuAllocationRatio()).isEqualTo(16.0);
        assertThat(host.freeRamMb()).isEqualTo(3584);
        assertThat(host.freeDiskMb()).isEqualTo(77);
    }

    /** Fields of a node's report and placement's VCPU capacity, with the total and ratio that they should result in. */
    private record Ratio(String more, int capacity, int total, double ratio) {}

    private static final String SIXTEEN = "\"inventories\": {\"VCPU\": {\"total\": 16%s}}";

    private static final List<Ratio> RATIOS = List.of(
            new Ratio("\"numa_topology\": null", 64, 64, 1.0),
            new Ratio("\"cpu_allocation_ratio\": 2.0", 32, 16, 2.0),
            new Ratio("\"cpu_allocation_ratio\": 0.0", 32, 32, 1.0),
            new Ratio("\"cpu_allocation_ratio\": 1.1", 9, 9, 1.1),
            new Ratio(SIXTEEN.formatted(""), 64, 16, 4.0),
            new Ratio(SIXTEEN.formatted(", \"reserved\": 4"), 48, 12, 4.0),
            new Ratio(SIXTEEN.formatted(", \"allocation_ratio\": 1.3"), 20, 16, 1.3),
            new Ratio(SIXTEEN.formatted("") + ", \"cpu_allocation_ratio\": 2.0", 32, 16, 2.0),
            new Ratio(SIXTEEN.formatted("") + ", \"cpu_allocation_ratio\": 0.0, \"vcpus_total\": 18", 64, 18, 4.0),
            // An administrator set another ratio in placement.
            new Ratio(SIXTEEN.formatted(""), 96, 16, 6.0),
            new Ratio(SIXTEEN.formatted(""), 65, 16, 65 / 16.0),
            new Ratio(SIXTEEN.formatted(""), 62, 16, 62 / 16.0),
            new Ratio(SIXTEEN.formatted(", \"allocation_ratio\": 1.05"), 16, 16, 1.05),
            new Ratio("\"inventories\": {\"MEMORY_MB\": {\"total\": 9}}", 64, 64, 1.0));

    /**
     * Placement's capacity already includes the ratio. Applying it twice would give hosts of equal capacity different
     * weights, and topologies less room.
     */
    @Test
    void appliesAnAllocationRatioOnceWhereverItIsSet() {
        provider(A, A, false, "VCPU", 0, 20).candidate(A);
        for (Ratio row : RATIOS) {
            provider(A, A, false, "VCPU", row.capacity(), 20);
            registered.computeNode(A, "{\"host\": \"h\", " + row.more() + "}")
                    .under(Options.DEFAULTS.defaults().inventory());
            HostState host = only();
            assertThat(host.vcpusTotal()).as("%s", row).isEqualTo(row.total());
            assertThat(host.cpuAllocationRatio()).as("%s", row).isEqualTo(row.ratio());
        }
    }

    @Test
    void usesTheConfiguredRatioForNodesThatReportAnInventory() {
        provider(A, A, false, "VCPU", 48, 20, "MEMORY_MB", 2048, 1024, "DISK_GB", 200, 30).candidate(A);
        registered.computeNode(A, """
                {"host": "h", "inventories": {"VCPU": {"total": 16}, "MEMORY_MB": {"total": 1536},
                 "DISK_GB": {"total": 100}}, "ram_allocation_ratio": 2.0}""")
                .under(new InventoryOptions(
                        Map.of("VCPU", 3.0, "MEMORY_MB", 1.5), Map.of("VCPU", 4.0, "DISK_GB", 2.0),
                        Map.of("MEMORY_MB", 512L)));
        HostState host = only();
        assertThat(host.cpuAllocationRatio()).isEqualTo(3.0);
        assertThat(host.ramAllocationRatio()).isEqualTo(2.0);
        assertThat(host.diskAllocationRatio()).isEqualTo(2.0);
        assertThat(host.totalUsableRamMb()).isEqualTo(1024);
        assertThat(host.freeRamMb()).isZero();
        assertThat(host.freeDiskMb()).isEqualTo(70 * 1024);
    }

    @Test
    void subtractsReservedAmountsFromFreeRamAndDisk() {
        provider(A, A, false, "MEMORY_MB", 1536, 100, "DISK_GB", 90, 30).candidate(A);
        registered.computeNode(A, """
                {"host": "h", "total_usable_ram_mb": 2048, "total_usable_disk_gb": 100,
                 "inventories": {"MEMORY_MB": {"total": 2048, "reserved": 512}, "DISK_GB": {"total": 100, "reserved": 10}}}""")
                .under(Options.DEFAULTS.defaults().inventory());
        HostState host = only();
        assertThat(host.totalUsableRamMb()).isEqualTo(2048);
        assertThat(host.freeRamMb()).isEqualTo(1436);
        assertThat(host.freeDiskMb()).isEqualTo(60 * 1024);
    }

    /** Follows nova. Claims since the report count as well. */
    @Test
    void usesTheHigherOfReportedAndAllocatedUsageIfNovaKeepsHosts() {
        String report = """
                {"host":"%s","vcpus_total":8,"vcpus_used":6,"total_usable_ram_mb":4096,"free_ram_mb":1000,
                 "total_usable_disk_gb":100,"free_disk_mb":20480,"disk_mb_used":71680}""";
        provider(A, A, false, "VCPU", 8, 2, "PCPU", 4, 3, "MEMORY_MB", 4096, 512, "DISK_GB", 100, 30).candidate(A);
        provider(B, B, false, "VCPU", 8, 4, "PCPU", 4, 3, "MEMORY_MB", 4096, 3500, "DISK_GB", 100, 90).candidate(B);
        provider(CHILD, CHILD, false, "VCPU", 8, 4, "MEMORY_MB", 4096, 3500, "DISK_GB", 100, 90).candidate(CHILD);
        registered.computeNode(A, report.formatted("a"));
        registered.computeNode(B, report.formatted("b"));
        registered.computeNode(CHILD, "{\"host\": \"c\"}");
        registered.service(CELL, "{\"host\": \"a\"}", 1);
        registered.service(SHARING, "{\"host\": \"b\"}", 1);
        registered.service(CHILD, "{\"host\": \"c\"}", 1);
        List<HostState> hosts = allListed(null);
        assertThat(hosts).extracting(HostState::vcpusUsed).containsExactly(6L, 7L, 4L);
        assertThat(hosts).extracting(HostState::freeRamMb).containsExactly(1000L, 596L, 596L);
        assertThat(hosts).extracting(HostState::freeDiskMb).containsExactly(20_480L, 10_240L, 10_240L);
        assertThat(hosts).extracting(HostState::diskMbUsed).containsExactly(71_680L, 92_160L, 92_160L);
    }

    @Test
    void sumsUsageOverTheProviderTree() {
        provider(A, A, false, "MEMORY_MB", 1000, 100)
                .provider(CHILD, A, false, "VCPU", 8, 3)
                .candidate(A, CHILD);
        assertThat(only().vcpusUsed()).isEqualTo(3);
        assertThat(only().freeRamMb()).isEqualTo(900);
    }

    @Test
    void leavesOutAProviderThatOnlyShares() {
        provider(A, A, false, "VCPU", 8, 0).provider(SHARING, SHARING, true, "DISK_GB", 100, 0).candidate(A, SHARING);
        assertThat(only().uuid()).isEqualTo(A);
        candidate(SHARING);
        assertThat(build(null)).extracting(HostState::uuid).containsExactly(A, SHARING);
    }

    @Test
    void keepsTheOrderInWhichCandidatesNameHosts() {
        provider(A, A, false, "VCPU", 8, 0).provider(B, B, false, "VCPU", 8, 0);
        candidate(B).candidate(A).candidate(B);
        List<HostState> hosts = build(null);
        assertThat(hosts).extracting(HostState::uuid).containsExactly(B, A);
        assertThat(hosts).extracting(host -> host.allocationCandidates().size()).containsExactly(2, 1);
    }

    @Test
    void addsServiceAggregatesAndInstancesOfTheHost() {
        provider(A, A, false, "VCPU", 8, 0).candidate(A);
        registered.computeNode(A, "{\"host\":\"h\",\"nodename\":\"n\"}");
        registered.service(B, "{\"host\":\"h\",\"disabled\":true,\"disabled_reason\":\"disk\"}", 61);
        registered.aggregate(CELL, "{\"name\":\"fast\",\"hosts\":[\"h\"],\"metadata\":{\"ssd\":\"true\"}}");
        registered.instance(CHILD, "{\"host\":\"h\",\"nodename\":\"n\",\"instance_type_id\":7}");
        registered.instance(SHARING, "{\"host\":\"h\",\"nodename\":\"other\"}");
        HostState host = only();
        assertThat(host.service()).isEqualTo(new HostService(true, "disk", false, false));
        assertThat(host.aggregates()).containsExactly(new HostAggregate(null, CELL, "fast", Map.of("ssd", "true")));
        // The instances of both nodes of the compute service; the number is per node.
        assertThat(host.instances()).containsOnlyKeys(CHILD, SHARING);
        assertThat(host.instances().get(CHILD).flavorId()).isEqualTo(7);
        assertThat(host.numInstances()).isEqualTo(1);
    }

    @Test
    void usesADisabledCellOnlyIfTheRequestNamesIt() {
        provider(A, A, false, "VCPU", 8, 0).candidate(A);
        registered.computeNode(A, "{\"host\":\"h\",\"cell_uuid\":\"" + CELL + "\"}");
        registered.cell(CELL, "{\"name\":\"c\",\"enabled\":false}");
        assertThat(build(null)).isEmpty();
        assertThat(build(new RequestedDestination(null, null, CELL, false))).hasSize(1);
        assertThat(build(new RequestedDestination(null, null, B, false))).isEmpty();
    }

    @Test
    void returnsTheRootsThatAreNotRegistered() {
        provider(A, A, false, "VCPU", 8, 0).provider(B, B, false, "VCPU", 8, 0).provider(CHILD, A, false);
        registered.computeNode(B, "{\"host\":\"h\"}");
        assertThat(HostStates.unregisteredRoots(new AllocationCandidates(requests, summaries), registered.snapshot()))
                .isEqualTo(Set.of(A));
    }
}
