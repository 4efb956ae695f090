package io.berth.scheduler.decision;

import static io.berth.scheduler.Written.json;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.AggregateImagePropertiesIsolation;
import io.berth.scheduler.filter.AggregateInstanceExtraSpecsFilter;
import io.berth.scheduler.filter.AggregateMultiTenancyIsolation;
import io.berth.scheduler.filter.AggregateTypeAffinityFilter;
import io.berth.scheduler.filter.ComputeCapabilitiesFilter;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.DifferentHostFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.ImagePropertiesFilter;
import io.berth.scheduler.filter.JsonFilter;
import io.berth.scheduler.filter.PciPassthroughFilter;
import io.berth.scheduler.filter.ServerGroupAffinityFilter;
import io.berth.scheduler.filter.ServerGroupAntiAffinityFilter;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.SupportedInstance;
import io.berth.scheduler.legacy.filter.AvailabilityZoneFilter;
import io.berth.scheduler.legacy.filter.CoreFilter;
import io.berth.scheduler.legacy.filter.RamFilter;
import io.berth.scheduler.pci.PciPool;
import io.berth.scheduler.pci.PciStats;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.ExactingWeigher;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.weigher.BuildFailureWeigher;
import io.berth.scheduler.weigher.CPUWeigher;
import io.berth.scheduler.weigher.CrossCellWeigher;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.ImagePropertiesWeigher;
import io.berth.scheduler.weigher.IoOpsWeigher;
import io.berth.scheduler.weigher.MetricsWeigher;
import io.berth.scheduler.weigher.PCIWeigher;
import io.berth.scheduler.weigher.RAMWeigher;
import io.berth.scheduler.weigher.RankedHost;
import io.berth.scheduler.weigher.ServerGroupSoftAffinityWeigher;
import io.berth.scheduler.weigher.ServerGroupSoftAntiAffinityWeigher;
import io.berth.scheduler.weigher.WeigherStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the prepared filters and weighers of a round, to the last bit, with plain ones: each filter checks one host
 * after the other, each weigher returns raw value and multiplier of each host, and the weights are added one by one.
 */
class RoundTest {
    private static final String INSTANCE = "11111111-aaaa-4aaa-8aaa-111111111111";

    private static final String[] REQUESTS = {
        "",
        "flavor: {name: 'small', vcpus: 2, memory_mb: 3000, root_gb: 10}",
        "flavor: {vcpus: 1, memory_mb: 1, extra_specs: {'aggregate_instance_extra_specs:ssd': 'true', 'trait:A':"
                + " 'required'}}",
        "flavor: {vcpus: 1, memory_mb: 1, extra_specs: {'capabilities:cpu_info:arch': '<or> x <or> y', free_ram_mb:"
                + " '>= 1'}}",
        "flavor: {vcpus: 1, memory_mb: 1, extra_specs: {'hw:maxphysaddr_bits': '40', rack: 'r1'}}",
        "flavor: {vcpus: 1, memory_mb: 1, extra_specs: {free_ram_mb: '>= x'}}",
        "availability_zone: 'az1'",
        "project_id: 'p1'",
        "image: {properties: {hw_architecture: 'x86_64', hw_maxphysaddr_bits: 40}}",
        "image: {properties: {os_distro: 'a'}}",
        "scheduler_hints: {query: '[\"<\", \"$num_io_ops\", 5]', different_host: '" + INSTANCE + "'}",
        "scheduler_hints: {query: 'no json'}",
        "scheduler_hints: {_nova_check_type: ['rebuild']}",
        "pci_requests: [{request_id: '1', count: 3, spec: [{vendor_id: '8086'}], alias_name: 'nic'}]",
        "requested_destination: {cell: {uuid: 'c1'}, allow_cross_cell_move: true}",
        "instance_group: {policy: 'anti-affinity', members: ['" + INSTANCE + "']}",
        "instance_group: {policy: 'affinity', members: ['" + INSTANCE + "'], hosts: ['h1', 'h2']}",
        "instance_group: {policy: 'soft-affinity', members: ['" + INSTANCE + "']}",
        "instance_group: {policy: 'soft-anti-affinity', members: ['" + INSTANCE + "']}"
    };

    private static final String[] OPTIONS = {
        "",
        "image_props_weight_multiplier: 2.5",
        "metrics: {weight_setting: ['load=1.0'], required: false}",
        "metrics: {weight_setting: ['load=1.0'], required: true}"
    };

    private static final List<HostFilter> FILTERS = List.of(
            new AggregateImagePropertiesIsolation(), new AggregateInstanceExtraSpecsFilter(),
            new AggregateMultiTenancyIsolation(), new AggregateTypeAffinityFilter(), new AvailabilityZoneFilter(),
            new ComputeCapabilitiesFilter(), new ComputeFilter(), new CoreFilter(), new DifferentHostFilter(),
            new ImagePropertiesFilter(), new JsonFilter(), new PciPassthroughFilter(), new RamFilter(),
            new ServerGroupAffinityFilter(), new ServerGroupAntiAffinityFilter());

    private static final List<HostWeigher> WEIGHERS = List.of(
            new BuildFailureWeigher(), new CPUWeigher(), new CrossCellWeigher(), new ImagePropertiesWeigher(),
            new IoOpsWeigher(), new MetricsWeigher(), new PCIWeigher(), new RAMWeigher(),
            new ServerGroupSoftAffinityWeigher(), new ServerGroupSoftAntiAffinityWeigher());

    private static final String[] STATED = {
        "", "availability_zone=az1", "availability_zone=az2,az1", "ram_weight_multiplier=-2",
        "ram_weight_multiplier=0.1", "ram_weight_multiplier=inf", "cpu_weight_multiplier=none",
        "build_failure_weight_multiplier=3", "ssd=true", "ssd=false,true", "rack=r1", "filter_tenant_id=p1,p2",
        "instance_type=small", "os_distro=a", "os_distro=b"
    };

    @Test
    void equalsFiltersAndWeighersThatRunHostByHost() {
        long seed = Seed.of(RoundTest.class);
        var random = new Random(seed);
        int ranked = 0;
        for (int run = 0; run < 1_500; run++) {
            List<HostFilter> filters = new ArrayList<>(FILTERS);
            Collections.shuffle(filters, random);
            String written = REQUESTS[random.nextInt(REQUESTS.length)];
            var inputs = new SchedulingInputs(
                    options(OPTIONS[run % OPTIONS.length]),
                    new EnabledFilters(filters.subList(0, random.nextInt(5))),
                    new EnabledWeighers(WEIGHERS),
                    new Random(1),
                    run % 2 == 0 ? SchedulingInputs.Detail.COUNTS : SchedulingInputs.Detail.HOSTS);
            RequestSpec spec = request(written);
            List<HostState> hosts = fleet(random);
            Round round = Round.run(0, hosts, spec, inputs);
            List<HostState> left =
                    assertFilters(round, hosts, spec, inputs, "seed %d run %d %s".formatted(seed, run, written));
            if (left != null && left.size() > 1 && round.error() == null) {
                assertThat(round.weighed()).isEqualTo(left);
                assertWeights(round, left, spec, inputs.options(), "seed %d run %d %s".formatted(seed, run, written));
                ranked++;
            } else if (left != null && left.size() > 1) {
                assertThat(obstacles(left, spec, inputs.options())).as("seed %d run %d", seed, run)
                        .contains(round.error().detail());
            }
        }
        assertThat(ranked).isGreaterThan(100);
    }

    /** Returns the hosts that passed; null if the request could not be evaluated. */
    private static List<HostState> assertFilters(
            Round round, List<HostState> hosts, RequestSpec spec, SchedulingInputs inputs, String as) {
        List<HostState> left = hosts;
        int step = 0;
        for (HostFilter filter : FilterChain.filtersInRound(inputs.filters(), spec, 0)) {
            if (left.isEmpty()) {
                break;
            }
            List<HostState> next = new ArrayList<>();
            List<String> reasons = new ArrayList<>();
            for (HostState host : left) {
                switch (filter.check(host, spec, inputs.options())) {
                    case Verdict.Remaining remaining -> next.add(remaining.applyTo(host));
                    case Verdict.Reject(var reason) -> reasons.add(host.host() + ": " + reason.render());
                    case Verdict.Failed(String detail) -> {
                        assertThat(round.error().detail()).as(as).isEqualTo(detail);
                        assertThat(round.error().host().host()).as(as).isEqualTo(host.host());
                        return null;
                    }
                }
            }
            FilterStep actual = round.filters().get(step++);
            assertThat(actual.name()).as(as).isEqualTo(filter.name());
            assertThat(actual.hostCountIn()).as(as).isEqualTo(left.size());
            assertThat(actual.hostCountOut()).as(as).isEqualTo(next.size());
            if (inputs.detail() == SchedulingInputs.Detail.HOSTS) {
                assertThat(actual.hostsIn()).as(as).isEqualTo(left.stream().map(HostName::of).toList());
                assertThat(actual.hostsOut()).as(as).isEqualTo(next.stream().map(HostName::of).toList());
            }
            assertThat(actual.rejections()).as(as)
                    .extracting(each -> each.host().host() + ": " + each.reason().render())
                    .isEqualTo(inputs.detail() == SchedulingInputs.Detail.HOSTS
                            ? reasons
                            : reasons.subList(0, Math.min(FilterStep.REJECTIONS_MAX, reasons.size())));
            left = next;
        }
        assertThat(round.filters()).as(as).hasSize(step);
        return left;
    }

    private static void assertWeights(
            Round round, List<HostState> hosts, RequestSpec spec, Options options, String as) {
        double[] weights = new double[hosts.size()];
        for (int w = 0; w < WEIGHERS.size(); w++) {
            HostWeigher weigher = WEIGHERS.get(w);
            WeigherStep step = round.weighers().get(w);
            double[] raw = hosts.stream()
                    .mapToDouble(host -> Math.max(weigher.raw(host, spec, options), weigher.minimum()))
                    .toArray();
            double low = weigher.minimum() == Double.NEGATIVE_INFINITY
                    ? DoubleStream.of(raw).min().getAsDouble()
                    : weigher.minimum();
            double high = DoubleStream.of(raw).max().getAsDouble();
            for (int i = 0; i < raw.length; i++) {
                double normalized = low == high ? 0 : (raw[i] - low) / (high - low);
                double multiplier = weigher.multiplier(hosts.get(i).aggregates(), options);
                assertThat(bits(step.raw()[i])).as(as).isEqualTo(bits(raw[i]));
                assertThat(bits(step.normalized()[i])).as(as).isEqualTo(bits(normalized));
                assertThat(bits(step.multiplier()[i])).as(as).isEqualTo(bits(multiplier));
                weights[i] += multiplier * normalized;
            }
        }
        List<RankedHost> ranked = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            ranked.add(new RankedHost(hosts.get(i), weights[i], i));
        }
        ranked.sort(Comparator.comparingDouble(each -> each.weight() == 0 ? 0 : -each.weight()));
        assertThat(round.ranked()).as(as).isEqualTo(ranked);
    }

    private static long bits(double number) {
        return Double.doubleToLongBits(number);
    }

    private static List<String> obstacles(List<HostState> hosts, RequestSpec spec, Options options) {
        List<String> obstacles = new ArrayList<>();
        for (HostWeigher weigher : WEIGHERS) {
            if (weigher instanceof ExactingWeigher exacting) {
                hosts.forEach(host -> obstacles.add(exacting.obstacle(host, spec, options)));
            }
        }
        return obstacles;
    }

    private static List<HostState> fleet(Random random) {
        List<List<HostAggregate>> shared = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            shared.add(aggregates(random));
        }
        var hosts = new ArrayList<HostState>();
        int count = random.nextInt(40);
        for (int i = 0; i < count; i++) {
            hosts.add(host("h" + i, random,
                    random.nextInt(4) == 0 ? aggregates(random) : shared.get(random.nextInt(4))));
        }
        return hosts;
    }

    private static List<HostAggregate> aggregates(Random random) {
        List<HostAggregate> aggregates = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String stated = STATED[random.nextInt(STATED.length)];
            int equals = stated.indexOf('=');
            aggregates.add(new HostAggregate(
                    (long) i,
                    null,
                    "a" + i,
                    equals < 0 ? Map.of() : Map.of(stated.substring(0, equals), stated.substring(equals + 1))));
        }
        return aggregates;
    }

    /** The host has few different values, so that many hosts have equal weights. */
    private static HostState host(String name, Random random, List<HostAggregate> aggregates) {
        HostState.Builder host = HostState.named(name)
                .totalUsableRamMb(4096)
                .freeRamMb(4096 - 512 * random.nextInt(9))
                .vcpusTotal(8)
                .vcpusUsed(random.nextInt(8))
                .numIoOps(random.nextInt(10))
                .failedBuilds(random.nextInt(8) == 0 ? 1 : 0)
                .cellUuid(random.nextBoolean() ? "c1" : "c2")
                .aggregates(aggregates)
                .stats(random.nextBoolean() ? Map.of() : Map.of("rack", json("'r1'")))
                .metrics(random.nextInt(200) == 0 ? Map.of() : Map.of("load", random.nextInt(3) - 1.0))
                .service(new HostService(random.nextInt(10) == 0, null, true, false));
        if (random.nextBoolean()) {
            String bits = random.nextBoolean() ? "36" : "46";
            host.cpuInfo(json("'{\"arch\": \"x\", \"maxphysaddr\": {\"bits\": " + bits + "}}'"));
        }
        if (random.nextInt(4) > 0) {
            host.supportedInstances(List.of(
                    new SupportedInstance(List.of("i686", "kvm", "hvm")),
                    new SupportedInstance(List.of(random.nextBoolean() ? "x86_64" : "aarch64", "kvm", "hvm"))));
        }
        if (random.nextInt(3) == 0) {
            host.pciStats(new PciStats(List.of(new PciPool("8086", "1520", null, random.nextInt(9), Map.of()))));
        }
        if (random.nextInt(4) == 0) {
            host.instances(Map.of(INSTANCE, RunningInstance.UNKNOWN));
        }
        return host.allocationCandidates(List.of(AllocationCandidate.NONE)).build();
    }
}
