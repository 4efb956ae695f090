package io.berth.scheduler.capacity;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.AggregateNumInstancesFilter;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.IoOpsFilter;
import io.berth.scheduler.filter.JsonFilter;
import io.berth.scheduler.filter.NUMATopologyFilter;
import io.berth.scheduler.filter.NumInstancesFilter;
import io.berth.scheduler.filter.PciPassthroughFilter;
import io.berth.scheduler.filter.ServerGroupAntiAffinityFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.legacy.filter.CoreFilter;
import io.berth.scheduler.legacy.filter.DiskFilter;
import io.berth.scheduler.legacy.filter.RamFilter;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RAMWeigher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Compares the counts of single hosts with requests that are placed one after the other on all hosts, each once the
 * instances before it are built. Only the filters decide when a host is full. {@code -Dberth.test.rounds} sets the
 * number of random rounds.
 */
class PerHostCountingTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 300);
    private static final int OFFERED = 40;
    private static final EnabledFilters FILTERS = new EnabledFilters(List.of(
            new ComputeFilter(), new RamFilter(), new CoreFilter(), new DiskFilter(), new IoOpsFilter(),
            new AggregateNumInstancesFilter(), new NumInstancesFilter(), new JsonFilter(),
            new ServerGroupAntiAffinityFilter(), new NUMATopologyFilter(), new PciPassthroughFilter()));

    private final long seed = Seed.of(PerHostCountingTest.class);

    @Test
    void countsAsManyAsSequentialRequestsCanPlace() {
        for (int round = 0; round < ROUNDS; round++) {
            check(new Random(seed + round), seed + round);
        }
    }

    private static void check(Random random, long seed) {
        Options options = options("max_io_ops_per_host: " + (1 + random.nextInt(12)) + ", max_instances_per_host: "
                + (1 + random.nextInt(12)));
        RequestSpec spec = request(someRequest(random));
        List<HostState> hosts = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            hosts.add(host(someHost(random, i)));
        }
        var inputs = new SchedulingInputs(
                options, FILTERS, new EnabledWeighers(List.of(new RAMWeigher())), new Random(1),
                SchedulingInputs.Detail.COUNTS);
        Tally tally = new Tally(1_000_000, null);
        int[] offered = new int[hosts.size()];
        Arrays.fill(offered, OFFERED);
        new PerHostCounting(inputs, spec, CapacityCounting.findSensitiveFilters(spec, inputs), tally, () -> false)
                .count(hosts.toArray(HostState[]::new), offered, i -> "placement", i -> null);
        assertThat(tally.count()).as("seed %d", seed).isEqualTo(placed(spec, hosts, inputs));
        assertThat(tally.binding().values().stream().mapToLong(stopped -> stopped).sum())
                .as("seed %d", seed).isEqualTo(hosts.size());
    }

    /** Places one request after the other, each on all hosts as the earlier ones left them. */
    private static long placed(RequestSpec spec, List<HostState> hosts, SchedulingInputs inputs) {
        List<HostState> now = new ArrayList<>(hosts);
        int[] taken = new int[hosts.size()];
        RequestSpec next = spec;
        long count = 0;
        while (true) {
            List<HostState> open = new ArrayList<>();
            for (int i = 0; i < now.size(); i++) {
                if (taken[i] < OFFERED) {
                    open.add(now.get(i));
                }
            }
            Scheduling scheduling = Scheduling.begin(next, open, inputs);
            if (scheduling.round().attempts().isEmpty()) {
                return count;
            }
            HostState chosen = scheduling.round().attempts().getFirst().host();
            Scheduling after = scheduling.consume(scheduling.round().attempts().getFirst());
            for (HostState host : after.hosts()) {
                for (int i = 0; i < now.size(); i++) {
                    if (host.host().equals(chosen.host()) && now.get(i).host().equals(chosen.host())) {
                        taken[i]++;
                        now.set(i, new HostState(host.facts(), hosts.get(i).allocationCandidates(),
                                hosts.get(i).limits())
                                .toBuilder().numIoOps(hosts.get(i).numIoOps()).build());
                    }
                }
            }
            count++;
            next = PerHostCounting.nextRequest(next, after.spec().instanceGroup());
        }
    }

    private static String someRequest(Random random) {
        String uuid = UUID.randomUUID().toString();
        String members = "instance_uuids: ['" + uuid + "'], flavor: {id: 7, vcpus: %d, memory_mb: %d, root_gb: %d}"
                .formatted(1 + random.nextInt(3), 256 * (1 + random.nextInt(4)), random.nextInt(4));
        return members + switch (random.nextInt(5)) {
            case 0 -> ", instance_uuid: '" + uuid + "', instance_group: {uuid: '" + UUID.randomUUID() + "', policy:"
                    + " 'anti-affinity', members: ['" + uuid
                    + "'], rules: {max_server_per_host: " + (1 + random.nextInt(3)) + "}}";
            case 1 -> ", numa_topology: {cells: [{id: 0, cpuset: [0, 1], memory: 256}, {id: 1, cpuset: [2], memory:"
                    + " 512}]}";
            case 2 -> ", pci_requests: [{request_id: 'r', count: 1, spec: [{vendor_id: '10de'}], alias_name: 'a'}]";
            case 3 -> ", scheduler_hints: {query: '[\\\">=\\\", \\\"$free_ram_mb\\\", 1024]'}";
            default -> "";
        };
    }

    private static String someHost(Random random, int number) {
        int ram = 1024 * (1 + random.nextInt(6));
        int disk = 1 + random.nextInt(60);
        return """
                host: 'h%d', vcpus_total: %d, vcpus_used: %d, cpu_allocation_ratio: %d, total_usable_ram_mb: %d,
                free_ram_mb: %d, ram_allocation_ratio: 1.5, total_usable_disk_gb: %d, free_disk_mb: %d, num_io_ops: %d,
                num_instances: %d, service: {forced_down: %b}, aggregates: [{id: 1, metadata: {max_instances_per_host: '%d'}}],
                numa_topology: {cells: [{id: 0, cpuset: [0, 1, 2, 3], memory: %d}, {id: 1, cpuset: [4, 5], memory: 2048}]},
                pci_stats: {pools: [{vendor_id: '10de', product_id: '1eb8', count: %d}]}"""
                .formatted(
                        number, 4 + random.nextInt(12), random.nextInt(4), 1 + random.nextInt(3), ram,
                        random.nextInt(ram), disk, 1024 * random.nextInt(disk), random.nextInt(4), random.nextInt(4),
                        random.nextInt(6) == 0, 1 + random.nextInt(20), 512 * (1 + random.nextInt(8)),
                        random.nextInt(6))
                .replace('\n', ' ');
    }
}
