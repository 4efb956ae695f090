package io.berth.scheduler.decision;

import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.explanation.DecisionJson;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.filter.IoOpsFilter;
import io.berth.scheduler.filter.JsonFilter;
import io.berth.scheduler.filter.NumInstancesFilter;
import io.berth.scheduler.filter.PciPassthroughFilter;
import io.berth.scheduler.filter.RamFilter;
import io.berth.scheduler.filter.Verdict;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.pci.PciPool;
import io.berth.scheduler.pci.PciStats;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.CPUWeigher;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.HostWeigher;
import io.berth.scheduler.weigher.IoOpsWeigher;
import io.berth.scheduler.weigher.MetricsWeigher;
import io.berth.scheduler.weigher.RAMWeigher;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DecisionMemoryTest {
    private static final String[] REQUESTS = {
        "",
        "num_instances: 3",
        "flavor: {vcpus: 2, memory_mb: 3000, root_gb: 10}",
        "scheduler_hints: {query: '[\"<\", \"$num_io_ops\", 5]'}",
        "scheduler_hints: {query: 'no json'}",
        "scheduler_hints: {_nova_check_type: ['rebuild']}",
        "ignore_hosts: ['h1', 'h3']",
        "force_hosts: ['h2']",
        "num_instances: 2, "
                + "pci_requests: [{request_id: 'ID', count: 3, spec: [{vendor_id: '8086'}], alias_name: 'nic'}]",
        "instance_group: {policy: 'soft-affinity', members: []}"
    };

    private static final String[] OPTIONS = {
        "",
        "host_subset_size: 3",
        "shuffle_best_same_weighed_hosts: true",
        "metrics: {weight_setting: ['load=1.0'], required: true}"
    };

    @Test
    void aDecisionWithMemoryIsTheOneWithoutWhateverWasRemembered() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int run = 0; run < 40; run++) {
            SchedulingInputs plain = inputs(options(OPTIONS[run % OPTIONS.length]), run % 3 == 0);
            var memory = new DecisionMemory(plain.options(), plain.filters(), plain.weighers());
            List<HostState> hosts = fleet(random);
            for (int step = 0; step < 30; step++) {
                String written = REQUESTS[random.nextInt(REQUESTS.length)];
                RequestSpec spec = request(written.replace("ID", UUID.randomUUID().toString()));
                long choice = random.nextLong();
                Decision without = Decision.decide(spec, hosts, true, with(plain, null, choice));
                Decision remembering = Decision.decide(spec, hosts, true, with(plain, memory, choice));
                assertThat(text(remembering)).as("seed %d run %d step %d %s", seed, run, step, written)
                        .isEqualTo(text(without));
                hosts = changed(hosts, random);
            }
        }
    }

    @Test
    void asksRepeatableClassesOnlyAboutHostsThatAreNew() {
        var asked = new AtomicInteger();
        var counting = new CountingWeigher(asked);
        var filters = new EnabledFilters(List.of(new ComputeFilter()));
        var weighers = new EnabledWeighers(List.of(counting));
        var memory = new DecisionMemory(Options.DEFAULTS, filters, weighers);
        var inputs = new SchedulingInputs(
                Options.DEFAULTS, filters, weighers, new Random(1), SchedulingInputs.Detail.COUNTS, memory);
        List<HostState> hosts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            hosts.add(HostState.named("h" + i).freeRamMb(i).build());
        }

        Decision.decide(request("user_id: 'a'"), hosts, true, inputs);
        assertThat(asked).hasValue(100);
        hosts.set(7, hosts.get(7).toBuilder().freeRamMb(1000).build());
        hosts.remove(50);
        Decision decision = Decision.decide(request("user_id: 'b'"), hosts, true, inputs);
        assertThat(asked).as("one host is new; another is gone").hasValue(101);
        assertThat(decision.selections().getFirst().getFirst().host()).isEqualTo("h7");
        Decision.decide(request("project_id: 'another shape'"), hosts, true, inputs);
        assertThat(asked).hasValue(200);
    }

    @Test
    void isQuickWhereFewHostsAreNewHoweverManyThereAre() {
        SchedulingInputs plain = inputs(Options.DEFAULTS, false);
        var inputs = with(plain, new DecisionMemory(plain.options(), plain.filters(), plain.weighers()), 1);
        List<HostState> hosts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            hosts.add(HostState.named("h" + i).freeRamMb(i).build());
        }
        RequestSpec spec = request("");
        assertThat(Scheduling.isQuick(spec, hosts, inputs)).as("nothing is remembered").isFalse();
        Decision.decide(spec, hosts, true, inputs);
        assertThat(Scheduling.isQuick(spec, hosts, inputs)).isTrue();
        hosts.replaceAll(host -> host.toBuilder().build());
        assertThat(Scheduling.isQuick(spec, hosts, inputs)).as("as many, and all new").isFalse();
    }

    @Test
    void asksOthersAboutEveryHostOfEveryRequest() {
        var asked = new AtomicInteger();
        HostFilter moody = new HostFilter() {
            @Override
            public String name() {
                return "Moody";
            }

            @Override
            public Verdict check(HostState host, RequestSpec spec, Options options) {
                asked.incrementAndGet();
                return Verdict.PASS;
            }
        };
        var filters = new EnabledFilters(List.of(new ComputeFilter(), moody, new RamFilter()));
        var weighers = new EnabledWeighers(List.of(new RAMWeigher()));
        var memory = new DecisionMemory(Options.DEFAULTS, filters, weighers);
        var inputs = new SchedulingInputs(
                Options.DEFAULTS, filters, weighers, new Random(1), SchedulingInputs.Detail.COUNTS, memory);
        List<HostState> hosts = List.of(ram("a", 9000), ram("b", 8000));

        Decision.decide(request(""), hosts, true, inputs);
        Decision.decide(request(""), hosts, true, inputs);
        assertThat(asked).hasValue(4);
    }

    @Test
    void aMemoryOfOtherOptionsIsNotAsked() {
        SchedulingInputs inputs = inputs(Options.DEFAULTS, false);
        var other = new DecisionMemory(options("host_subset_size: 2"), inputs.filters(), inputs.weighers());

        assertThat(DecisionMemory.keyOf(request(""), 0, with(inputs, other, 1))).isNull();
    }

    private record CountingWeigher(AtomicInteger asked) implements HostWeigher, Repeatable {
        @Override
        public String aggregateKey() {
            return "none";
        }

        @Override
        public double configuredMultiplier(Options options) {
            return 1;
        }

        @Override
        public double raw(HostState host, RequestSpec spec, Options options) {
            asked.incrementAndGet();
            return host.freeRamMb();
        }
    }

    @Test
    void wishesForDevicesAreOneShapeWhateverTheirIds() {
        SchedulingInputs inputs = inputs(Options.DEFAULTS, false);
        var memory = new DecisionMemory(inputs.options(), inputs.filters(), inputs.weighers());
        String wish = "pci_requests: [{request_id: '%s', count: 1, spec: [{vendor_id: '8086'}], alias_name: 'nic'}]";

        assertThat(key(wish.formatted(UUID.randomUUID()), with(inputs, memory, 1)))
                .isEqualTo(key(wish.formatted(UUID.randomUUID()), with(inputs, memory, 1)));
        assertThat(key(wish.formatted("1"), with(inputs, memory, 1)))
                .as("may name a group of the flavor")
                .isNotEqualTo(key(wish.formatted("2"), with(inputs, memory, 1)));
    }

    private static DecisionMemory.Key key(String written, SchedulingInputs inputs) {
        return DecisionMemory.keyOf(request(written), 0, inputs);
    }

    private static SchedulingInputs inputs(Options options, boolean oneIsNotRepeatable) {
        var filters = new ArrayList<HostFilter>(List.of(
                new ComputeFilter(), new IoOpsFilter(), new NumInstancesFilter(), new RamFilter(), new JsonFilter(),
                new PciPassthroughFilter()));
        if (oneIsNotRepeatable) {
            filters.set(2, new HostFilter() {
                @Override
                public String name() {
                    return "NotRepeatable";
                }

                @Override
                public Verdict check(HostState host, RequestSpec spec, Options all) {
                    return spec.instanceUuid() != null
                                    && (spec.instanceUuid().hashCode() + host.host().hashCode()) % 5 == 0
                            ? Verdict.reject("odd", "%s does not like %s", host.host(), spec.instanceUuid())
                            : Verdict.PASS;
                }
            });
        }
        var weighers = new EnabledWeighers(
                List.of(new CPUWeigher(), new IoOpsWeigher(), new MetricsWeigher(), new RAMWeigher()));
        return new SchedulingInputs(
                options, new EnabledFilters(filters), weighers, new Random(1), SchedulingInputs.Detail.COUNTS);
    }

    private static SchedulingInputs with(SchedulingInputs inputs, DecisionMemory memory, long choice) {
        return new SchedulingInputs(
                inputs.options(), inputs.filters(), inputs.weighers(), new Random(choice), inputs.detail(), memory);
    }

    private static List<HostState> fleet(Random random) {
        var hosts = new ArrayList<HostState>();
        int count = random.nextInt(120);
        for (int i = 0; i < count; i++) {
            hosts.add(host("h" + i, random));
        }
        return hosts;
    }

    /** Few values, so that many hosts weigh the same. */
    private static HostState host(String name, Random random) {
        int usedMb = 512 * random.nextInt(9);
        HostState.Builder host = HostState.named(name)
                .totalUsableRamMb(4096)
                .freeRamMb(4096 - usedMb)
                .vcpusTotal(8)
                .vcpusUsed(random.nextInt(8))
                .pciStats(new PciStats(List.of(new PciPool("8086", "1520", null, random.nextInt(9), Map.of()))))
                .numIoOps(random.nextInt(10))
                .numInstances(random.nextInt(60))
                .metrics(random.nextInt(200) == 0 ? Map.of() : Map.of("load", (double) random.nextInt(3)))
                .service(new HostService(random.nextInt(10) == 0, null, true, false));
        if (random.nextInt(10) == 0) {
            host.aggregates(List.of(new HostAggregate(1L, null, "a", Map.of("ram_weight_multiplier", "-2"))));
        }
        return host.allocationCandidates(random.nextInt(30) == 0 ? List.of() : List.of(AllocationCandidate.NONE))
                .build();
    }

    /** As answers of placement follow each other: mostly a few hosts are new; some come, some go, some move. */
    private static List<HostState> changed(List<HostState> hosts, Random random) {
        var next = new ArrayList<>(hosts);
        for (int i = random.nextInt(4); i > 0 && !next.isEmpty(); i--) {
            int position = random.nextInt(next.size());
            next.set(position, host(next.get(position).host(), random));
        }
        switch (random.nextInt(6)) {
            case 0 -> next.add(random.nextInt(next.size() + 1), host("new" + random.nextLong(), random));
            case 1 -> next.removeIf(host -> random.nextInt(20) == 0);
            case 2 -> Collections.shuffle(next, random);
            default -> {
                // The same hosts in the same order.
            }
        }
        return next;
    }

    private static HostState ram(String name, int freeMb) {
        return HostState.named(name).totalUsableRamMb(freeMb).freeRamMb(freeMb).build();
    }

    /** Everything that explains a decision. */
    private static String text(Decision decision) {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            new DecisionJson(json).write(decision);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
