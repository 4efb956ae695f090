package io.berth.scheduler.decision;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.deploy.process.Seed;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.explanation.BriefDecisionJson;
import io.berth.scheduler.decision.explanation.NearestMiss;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.ImagePropertiesFilter;
import io.berth.scheduler.filter.IoOpsFilter;
import io.berth.scheduler.filter.JsonFilter;
import io.berth.scheduler.filter.NumInstancesFilter;
import io.berth.scheduler.filter.ServerGroupAffinityFilter;
import io.berth.scheduler.filter.ServerGroupAntiAffinityFilter;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.legacy.filter.RamFilter;
import io.berth.scheduler.legacy.filter.TypeAffinityFilter;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RAMWeigher;
import io.berth.scheduler.weigher.RankedHost;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Decides requests on hosts in memory: charging between instances, groups, alternates, forced hosts and errors. */
class DecisionTest {
    private static final String U1 = "11111111-aaaa-4aaa-8aaa-111111111111";
    private static final String U2 = "22222222-aaaa-4aaa-8aaa-222222222222";
    private static final String TWO = "instance_uuids: ['" + U1 + "', '" + U2 + "']";

    @Test
    void chargesTheSelectedHostBeforeTheNextInstance() {
        // Host a has 3000 MiB and takes the first instance; with 1976 MiB left it still outweighs b.
        Decision decision = decide(request(TWO), List.of(ram("a", 3000), ram("b", 1900)), "");

        assertThat(selected(decision)).containsExactly("a", "a");
        RankedHost second = decision.rounds().get(1).round().ranked().getFirst();
        assertThat(second.host().freeRamMb()).isEqualTo(3000 - 1024);
        assertThat(second.host().numInstances()).isEqualTo(1);
        assertThat(second.host().numIoOps()).isEqualTo(1);
        assertThat(second.host().vcpusUsed()).isEqualTo(2);
        assertThat(second.host().freeDiskMb()).isEqualTo(-10 * 1024);
    }

    @Test
    void hostsRejectedForOneInstanceStayRejectedForTheNext() {
        Decision decision =
                decide(request(TWO), List.of(ram("a", 3000), host("host: 'b', service: {up: false}")), "",
                        new ComputeFilter());

        assertThat(decision.rounds().get(1).round().preselection().hostsIn()).extracting(HostState::host)
                .containsExactly("a");
        assertThat(decision.rounds().get(1).round().filters())
                .as("ComputeFilter runs for the first instance only").isEmpty();
    }

    @Test
    void endsWithTheFirstRoundWithoutAHost() {
        Decision decision = decide(
                request(TWO + ", instance_group: {policy: 'anti-affinity', members: ['" + U1 + "', '" + U2 + "']}"),
                List.of(ram("a", 3000)),
                "",
                new ServerGroupAntiAffinityFilter());

        assertThat(decision.result()).isEqualTo(Decision.Result.NO_VALID_HOST);
        assertThat(selected(decision)).containsExactly("a", null);
        assertThat(decision.selections()).isEmpty();
    }

    @Test
    void anAffinityGroupFollowsItsFirstMember() {
        Decision decision = decide(
                request(TWO + ", instance_group: {policy: 'affinity', members: []}"),
                List.of(ram("a", 3000), ram("b", 2900)),
                "",
                new ServerGroupAffinityFilter());

        assertThat(selected(decision)).as("b has more memory left, but the group is on a").containsExactly("a", "a");
    }

    /** The first member has the same flavor. */
    @Test
    void typeAffinityAllowsFurtherMembersOfAnAffinityGroup() {
        Decision decision = decide(
                request(TWO + ", instance_group: {policy: 'affinity', members: []}"),
                List.of(ram("a", 3000), ram("b", 2900)),
                "",
                new ServerGroupAffinityFilter(),
                new TypeAffinityFilter());

        assertThat(selected(decision)).containsExactly("a", "a");
    }

    @Test
    void alternatesAreOtherHostsOfTheSameCellWithCandidates() {
        List<HostState> hosts = List.of(
                host("host: 'a', cell_uuid: 'c1', free_ram_mb: 9000"),
                host("host: 'b', cell_uuid: 'c2', free_ram_mb: 8000"),
                host("host: 'c', cell_uuid: 'c1', free_ram_mb: 7000"),
                host("host: 'd', cell_uuid: 'c1', free_ram_mb: 6000, allocation_candidates: []"),
                host("host: 'e', cell_uuid: 'c1', free_ram_mb: 5000"),
                host("host: 'f', cell_uuid: 'c1', free_ram_mb: 4000"));

        assertThat(decide(request(""), hosts, "").selections())
                .extracting(DecisionTest::names).containsExactly(List.of("a", "c", "e"));
        assertThat(decide(request(""), hosts, "scheduler: {max_attempts: 1}").selections())
                .extracting(DecisionTest::names).containsExactly(List.of("a"));
    }

    @Test
    void triesOtherCandidatesOfTheHostThenOtherHosts() {
        HostState two = ram("a", 9000).withCandidates(List.of(candidate("a1"), candidate("a2")));
        HostState other = ram("b", 10).withCandidates(List.of(candidate("b")));
        Set<String> taken = new HashSet<>();
        RequestSpec three = request("num_instances: 3");
        Decision decision = Decision.decide(
                three, List.of(two, other), false, inputs(SchedulingInputs.Detail.COUNTS),
                amounts -> taken.addAll(amounts.keySet()));

        assertThat(decision.rounds()).extracting(each -> each.selected().allocationCandidates().getFirst())
                .containsExactly(candidate("a1"), candidate("a2"), candidate("b"));
        Decision refused = Decision.decide(
                three, List.of(other), false, inputs(SchedulingInputs.Detail.COUNTS), new HashSet<>()::add);
        assertThat(refused.result()).isEqualTo(Decision.Result.NO_VALID_HOST);
        assertThat(refused.placedCount()).isEqualTo(1);
    }

    private static AllocationCandidate candidate(String provider) {
        return new AllocationCandidate(Map.of(provider, Map.of("VCPU", 1L)), Map.of());
    }

    @Test
    void aHostWithoutCandidatesIsWeighedButNeitherRankedNorSelected() {
        Decision decision = decide(
                request(""),
                List.of(host("host: 'a', free_ram_mb: 9000, allocation_candidates: []"), ram("b", 10)),
                "");

        Round round = decision.rounds().getFirst().round();
        assertThat(round.weighed()).extracting(HostState::host).containsExactly("a", "b");
        assertThat(round.ranked()).extracting(each -> each.host().host()).containsExactly("b");
        assertThat(round.passed()).isEqualTo(1);
        assertThat(selected(decision)).containsExactly("b");
    }

    /** Child providers give all requested resources. */
    @Test
    void reportsAHostWhoseRootProviderGivesNothing() {
        List<HostState> hosts = List.of(host("host: 'a', uuid: '" + U1 + "', allocation_candidates: []"));

        Decision decision = decide(request(""), hosts, "");

        assertThat(decision.result()).isEqualTo(Decision.Result.NO_VALID_HOST);
        assertThat(NoValidHost.describe(decision))
                .isEqualTo("The only host will not do: root_provider removed it; nearest is a: "
                        + "the provider of the compute node itself, " + U1
                        + ", would give none of the requested resources");
        NearestMiss nearest = NearestMiss.of(decision);
        assertThat(nearest.stage()).isEqualTo("root_provider");
        assertThat(nearest.reason().code()).isEqualTo("root_gives_nothing");
    }

    @Test
    void aRebuildCheckNeedsNoCandidatesAndRunsOnlyItsFilters() {
        Decision decision = decide(
                request("scheduler_hints: {_nova_check_type: ['rebuild']}, image: {properties: {hw_architecture:"
                        + " 'x86_64'}}"),
                List.of(
                        host("host: 'a', allocation_candidates: [], service: {up: false}, supported_instances:"
                                + " [['x86_64']]"),
                        host("host: 'b', free_ram_mb: 5, supported_instances: [['aarch64']]")),
                "",
                new ComputeFilter(),
                new ImagePropertiesFilter());

        assertThat(selected(decision)).containsExactly("a");
    }

    @Test
    void forcedHostsSkipTheFiltersAndNamesOfHostsIgnoreCase() {
        Decision decision = decide(
                request("force_hosts: ['A'], ignore_hosts: ['B']"),
                List.of(host("host: 'a', service: {up: false}"), ram("b", 5), ram("c", 5)),
                "",
                new ComputeFilter());

        Preselection preselection = decision.rounds().getFirst().round().preselection();
        assertThat(preselection.forced()).isTrue();
        assertThat(preselection.dropped()).extracting(each -> each.host().host() + " by " + each.by())
                .containsExactly("b by ignore_hosts", "c by force_hosts");
        assertThat(selected(decision)).containsExactly("a");
    }

    @Test
    void aFilterThatCannotEvaluateFailsTheRequestOnlyIfItsHostIsReached() {
        RequestSpec spec = request("scheduler_hints: {query: 'no json'}");
        List<HostState> hosts = List.of(host("host: 'a', service: {up: false}"));

        assertThat(decide(spec, hosts, "", new JsonFilter()).error())
                .isEqualTo(new EvaluationError(
                        EvaluationError.Stage.FILTER, "JsonFilter", new HostName("a", "a"),
                        "the hint query is not one JSON text"));
        assertThat(decide(spec, hosts, "", new ComputeFilter(), new JsonFilter()).result())
                .isEqualTo(Decision.Result.NO_VALID_HOST);
    }

    @Test
    void aSubsetPicksAmongTheBestAndShufflingAmongEqualHosts() {
        Set<String> picked = new HashSet<>();
        Set<String> shuffled = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            List<HostState> hosts = List.of(ram("a", 9), ram("b", 8), ram("c", 7));
            picked.add(selected(decide(request(""), hosts, "host_subset_size: 2")).getFirst());
            List<HostState> equal = List.of(ram("a", 9), ram("b", 9), ram("c", 7));
            shuffled.add(selected(decide(request(""), equal, "shuffle_best_same_weighed_hosts: true")).getFirst());
        }
        assertThat(picked).containsExactlyInAnyOrder("a", "b");
        assertThat(shuffled).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void theOrderOfFiltersDoesNotChangeTheResult() {
        long seed = Seed.of(DecisionTest.class);
        var random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            var hosts = new ArrayList<HostState>();
            for (int h = 0; h < 12; h++) {
                hosts.add(host(
                        ("host: 'h%d', num_instances: %d, num_io_ops: %d, total_usable_ram_mb: 4096, free_ram_mb: %d,"
                                + " service: {up: %b}")
                                .formatted(h, random.nextInt(60), random.nextInt(10), random.nextInt(3000),
                                        random.nextInt(4) > 0)));
            }
            var filters = new ArrayList<HostFilter>(List.of(
                    new ComputeFilter(), new IoOpsFilter(), new NumInstancesFilter(), new RamFilter()));
            Set<String> before = survivors(hosts, filters);
            Collections.shuffle(filters, random);
            assertThat(survivors(hosts, filters)).as("seed %d", seed).isEqualTo(before);
        }
    }

    @Test
    void detailCountsKeepsTheFirstRejectionsAndCountsTheOthers() {
        var hosts = new ArrayList<HostState>();
        for (int i = 0; i < 1_020; i++) {
            hosts.add(host("host: 'h%d', service: {up: %b}".formatted(i, i == 0)));
        }
        var inputs = new SchedulingInputs(
                Options.DEFAULTS,
                new EnabledFilters(List.of(new ComputeFilter())),
                new EnabledWeighers(List.of()),
                new Random(1),
                SchedulingInputs.Detail.COUNTS);

        FilterStep step =
                Decision.decide(request(""), hosts, false, inputs).rounds().getFirst().round().filters().getFirst();

        assertThat(step.hostCountIn()).isEqualTo(1_020);
        assertThat(step.hostCountOut()).isEqualTo(1);
        assertThat(step.hostsIn()).isEmpty();
        assertThat(step.rejections()).hasSize(FilterStep.REJECTIONS_MAX);
        assertThat(step.moreByCode()).isEqualTo(Map.of(step.rejections().getFirst().reason().code(), 19));
    }

    /** Without this limit, a request for a thousand instances on a thousand hosts ended the process. */
    @Test
    void keepsOnlyTheReportedHostsOfEachRound() throws IOException {
        var hosts = new ArrayList<HostState>();
        for (int i = 0; i < 100; i++) {
            hosts.add(host("host: 'h%d', free_ram_mb: %d, service: {up: %b}".formatted(i, 2_000 + i, i % 10 > 0)));
        }
        RequestSpec ten = request("num_instances: 10");
        var inBrief = Decision.decide(ten, hosts, true, inputs(SchedulingInputs.Detail.COUNTS));
        var whole = Decision.decide(ten, hosts, true, inputs(SchedulingInputs.Detail.HOSTS));

        assertThat(inBrief.rounds().subList(1, 9)).allSatisfy(each -> {
            Round round = each.round();
            assertThat(round.preselection().hostsIn()).isEmpty();
            assertThat(round.weighed()).hasSize(Round.BEST_MAX);
            assertThat(round.weighers().getFirst().raw()).hasSize(Round.BEST_MAX);
            assertThat(round.order()).hasSize(Round.BEST_MAX);
        });
        assertThat(briefJson(inBrief)).isEqualTo(briefJson(whole));
        for (int i = 0; i < 10; i++) {
            Round brief = inBrief.rounds().get(i).round();
            Round full = whole.rounds().get(i).round();
            assertThat(brief.passed()).isEqualTo(full.passed());
            for (int rank = 0; rank < Round.BEST_MAX; rank++) {
                int briefly = brief.ranked().get(rank).position();
                int fully = full.ranked().get(rank).position();
                assertThat(brief.weighers().getFirst().score(briefly))
                        .isEqualTo(full.weighers().getFirst().score(fully));
            }
        }
    }

    private static String briefJson(Decision decision) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            new BriefDecisionJson(json).write(decision);
            json.writeEndObject();
        }
        return text.toString();
    }

    private static SchedulingInputs inputs(SchedulingInputs.Detail detail) {
        return new SchedulingInputs(
                Options.DEFAULTS,
                new EnabledFilters(List.of(new ComputeFilter())),
                new EnabledWeighers(List.of(new RAMWeigher())),
                new Random(1),
                detail);
    }

    @Test
    void filtersAndWeighsEachOfTenThousandHostsOnce() {
        var checked = new AtomicInteger();
        var weighed = new AtomicInteger();
        var hosts = new ArrayList<HostState>();
        for (int i = 0; i < 10_000; i++) {
            hosts.add(HostState.named("h" + i).freeRamMb(i % 977).totalUsableRamMb(4096).build());
        }
        var inputs = new SchedulingInputs(
                Options.DEFAULTS,
                new EnabledFilters(List.of(
                        new ComputeFilter(), new IoOpsFilter(), new NumInstancesFilter(), counting(checked))),
                new EnabledWeighers(List.of(counting(weighed, new RAMWeigher()))),
                new Random(1),
                SchedulingInputs.Detail.COUNTS);
        Decision decision = Decision.decide(request(""), hosts, true, inputs);

        assertThat(selected(decision)).containsExactly("h976");
        assertThat(checked).hasValue(10_000);
        assertThat(weighed).hasValue(10_000);
    }

    @Test
    void isQuickDependsOnTheHostsAndTheCostOfTheRequest() {
        List<HostState> hosts = Collections.nCopies(1_000, ram("a", 1));
        assertThat(Scheduling.isQuick(request(""), hosts)).isTrue();
        assertThat(Scheduling.isQuick(request(""), Collections.nCopies(10_000, ram("a", 1)))).isFalse();
        for (String slow : List.of(
                "flavor: {vcpus: 2, memory_mb: 2, extra_specs: {'hw:numa_nodes': '2'}}",
                "pci_requests: [{request_id: '1', count: 1, spec: [{vendor_id: '8086'}]}]",
                "instance_group: {policy: 'anti-affinity', members: ['" + U1 + "']}")) {
            assertThat(Scheduling.isQuick(request(slow), hosts)).as(slow).isFalse();
            assertThat(Scheduling.isQuick(request(slow), hosts.subList(0, 50))).as(slow).isTrue();
        }
        String many =
                "scheduler_hints: {different_host: ['" + String.join("', '", Collections.nCopies(100, U1)) + "']}";
        assertThat(Scheduling.isQuick(request(many), hosts)).isFalse();
    }

    private static HostFilter counting(AtomicInteger checked) {
        return (host, spec, options) -> {
            checked.incrementAndGet();
            return Verdict.PASS;
        };
    }

    private static HostWeigher counting(AtomicInteger weighed, HostWeigher weigher) {
        return new HostWeigher() {
            @Override
            public String aggregateKey() {
                return weigher.aggregateKey();
            }

            @Override
            public double configuredMultiplier(Options options) {
                return weigher.configuredMultiplier(options);
            }

            @Override
            public double raw(HostState host, RequestSpec spec, Options options) {
                weighed.incrementAndGet();
                return weigher.raw(host, spec, options);
            }
        };
    }

    private static Set<String> survivors(List<HostState> hosts, List<HostFilter> filters) {
        Decision decision = decide(request(""), hosts, "", filters.toArray(HostFilter[]::new));
        var names = new HashSet<String>();
        decision.rounds().getFirst().round().ranked().forEach(each -> names.add(each.host().host()));
        return names;
    }

    private static HostState ram(String name, int freeMb) {
        return host("host: '%s', free_ram_mb: %d".formatted(name, freeMb));
    }

    private static Decision decide(RequestSpec spec, List<HostState> hosts, String options, HostFilter... filters) {
        var inputs = new SchedulingInputs(
                options(options),
                new EnabledFilters(List.of(filters)),
                new EnabledWeighers(List.of(new RAMWeigher())),
                new Random(),
                SchedulingInputs.Detail.HOSTS);
        return Decision.decide(spec, hosts, true, inputs);
    }

    private static List<String> selected(Decision decision) {
        var names = new ArrayList<String>();
        decision.rounds().forEach(round -> names.add(round.selected() == null ? null : round.selected().host()));
        return names;
    }

    private static List<String> names(List<HostState> hosts) {
        return hosts.stream().map(HostState::host).toList();
    }
}
