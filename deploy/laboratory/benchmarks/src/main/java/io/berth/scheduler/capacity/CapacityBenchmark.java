package io.berth.scheduler.capacity;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.ComputeCapabilitiesFilter;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.ImagePropertiesFilter;
import io.berth.scheduler.filter.ServerGroupAffinityFilter;
import io.berth.scheduler.filter.ServerGroupAntiAffinityFilter;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the scheduler's part of counting the capacity for 100 flavors on 50,000 hosts: parsing placement's response
 * and running the default filters. {@code io.berth.placement.candidate.scenario.FillBenchmark} measures placement's
 * part. One host in twenty is disabled.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CapacityBenchmark {
    private static final int HOSTS = 50_000;
    private static final int FLAVORS = 100;

    private final List<FleetQuery> queries = new ArrayList<>();
    private final List<RequestSpec> requests = new ArrayList<>();
    private HostState[] hosts;
    private byte[] response;
    private SchedulingInputs inputs;

    @Setup
    public void build() {
        hosts = new HostState[HOSTS];
        var roots = new StringJoiner("\",\"", "[\"", "\"]");
        for (int i = 0; i < HOSTS; i++) {
            String uuid = new UUID(1, i).toString();
            roots.add(uuid);
            hosts[i] = HostState.named("host-" + i)
                    .uuid(uuid)
                    .service(i % 20 == 19 ? new HostService(true, "maintenance", true, false) : HostService.UP)
                    .build();
        }
        var results = new StringJoiner(",", "[", "]");
        for (int flavor = 0; flavor < FLAVORS; flavor++) {
            requests.add(RequestSpec.of(
                    new Flavor(
                            (long) flavor, "f" + flavor, "f" + flavor, 1 + flavor % 10, 1024, 20, 0, 0, Map.of()))
                    .build());
            queries.add(new FleetQuery.Fill("", 100_000));
            // For each host: how many times the flavor fits, and the index of the demand that prevents one more.
            var counts = new StringJoiner(",", "[", "]");
            var stops = new StringJoiner(",", "[", "]");
            for (int i = 0; i < HOSTS; i++) {
                counts.add("" + (i * 7919L + flavor) % 64 / (1 + flavor % 10));
                stops.add("" + (i + flavor) % 3);
            }
            results.add("{\"complete\":true,\"total\":1,\"demands\":[\"VCPU\",\"MEMORY_MB\",\"DISK_GB\",\"groups\"],"
                    + "\"counts\":"
                    + counts + ",\"stops\":" + stops + ",\"binding\":{},\"single\":true,\"nested\":[],\"shared\":[]}");
        }
        response = ("{\"as_of\":{\"replica\":\"r\",\"fleet_version\":1},\"complete\":true,\"gaps\":[],\"roots\":"
                + roots
                + ",\"answers\":" + results + "}").getBytes(StandardCharsets.UTF_8);
        inputs = new SchedulingInputs(
                Options.DEFAULTS,
                new EnabledFilters(List.of(
                        new ComputeFilter(), new ComputeCapabilitiesFilter(), new ImagePropertiesFilter(),
                        new ServerGroupAntiAffinityFilter(), new ServerGroupAffinityFilter())),
                new EnabledWeighers(List.of()), new SplittableRandom(1), SchedulingInputs.Detail.COUNTS);
    }

    @Benchmark
    public long count() {
        FleetResults results = FleetResults.parse(response, queries, false);
        long sum = 0;
        for (int i = 0; i < FLAVORS; i++) {
            FillCounts fillCounts = results.fill(i);
            Tally tally = new Tally(1_000_000, null);
            new PerHostCounting(
                    inputs, requests.get(i),
                    CapacityCounting.findSensitiveFilters(requests.get(i), inputs), tally, () -> false)
                    .count(hosts, fillCounts.counts(), root -> CapacityCounting.limitingDemand(root, fillCounts, null),
                            root -> null);
            sum += tally.count();
        }
        return sum;
    }
}
