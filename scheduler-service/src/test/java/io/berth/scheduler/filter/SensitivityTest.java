package io.berth.scheduler.filter;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostFilter.Sensitivity;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Checks the sensitivity that filters declare: one that depends on nothing returns the same verdict whatever was placed
 * on the host, and one that depends on its host the same whatever was placed elsewhere. Uses all rows of
 * {@link FilterTableTest} with random placements; {@code -Dberth.test.rounds} sets the number of rounds.
 */
class SensitivityTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 25);
    private static final List<String> INSTANCES = List.of(
            "11111111-aaaa-4aaa-8aaa-111111111111", "22222222-aaaa-4aaa-8aaa-222222222222");

    private final long seed = Seed.of(SensitivityTest.class);
    private final Random random = new Random(seed);

    private record Case(HostFilter filter, HostState host, RequestSpec request, Options options) {
        Verdict verdict(HostState now, RequestSpec changedRequest) {
            return filter.check(now, changedRequest, options);
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        FilterTableTest.rows().forEach(row -> cases.add(new Case(
                FilterTableTest.filter(row.filter()), host(row.host()), request(row.request()),
                options(row.options()))));
        return cases;
    }

    /** The host with one more instance, as between the instances of one request. */
    private static HostState placed(HostState host, RequestSpec request, Options options) {
        var inputs = new SchedulingInputs(
                options, new EnabledFilters(List.of()), new EnabledWeighers(List.of()), new Random(1),
                SchedulingInputs.Detail.COUNTS);
        Scheduling scheduling = Scheduling.begin(request, List.of(host), inputs);
        return scheduling.round().attempts().isEmpty()
                ? host
                : new HostState(
                        scheduling.consume(scheduling.round().attempts().getFirst()).hosts().getFirst().facts(),
                        host.allocationCandidates(), Limits.NONE);
    }

    private String instance() {
        return random.nextInt(3) == 0 ? UUID.randomUUID().toString() : INSTANCES.get(random.nextInt(2));
    }

    private InstanceGroup group(RequestSpec request) {
        return request.instanceGroup() != null
                ? request.instanceGroup()
                : new InstanceGroup(null, "soft-affinity", null, Set.copyOf(INSTANCES), List.of());
    }

    /** The same size with another flavor id, as when capacity is counted for several requests together. */
    private static Flavor otherFlavor(Flavor flavor) {
        return new Flavor(
                -1L, "other", "other", flavor.vcpus(), flavor.memoryMb(), flavor.rootGb(), flavor.ephemeralGb(),
                flavor.swapMb(), flavor.extraSpecs());
    }

    /** The row's request, or one of the same size with another flavor, for a new instance. */
    private RequestSpec another(RequestSpec request) {
        String instance = instance();
        return (random.nextBoolean() ? request : RequestSpec.of(otherFlavor(request.flavor())).build()).toBuilder()
                .instanceUuid(instance)
                .instanceUuids(List.of(instance))
                .instanceGroup(random.nextBoolean() ? null : group(request).withMembers(List.of(instance)))
                .requestedDestination(null)
                .ignoreHosts(List.of())
                .forceHosts(List.of())
                .forceNodes(List.of())
                .build();
    }

    private HostState filled(Case each) {
        HostState now = each.host();
        for (int i = random.nextInt(12); i >= 0; i--) {
            now = placed(now, another(each.request()), each.options());
        }
        return now;
    }

    /** The host with other numbers in everything that placement reports. */
    private HostState withOtherReports(HostState host) {
        return host.toBuilder()
                .vcpusTotal(random.nextInt(64))
                .vcpusUsed(random.nextInt(64))
                .totalUsableRamMb(random.nextInt(8192))
                .freeRamMb(random.nextInt(8192))
                .totalUsableDiskGb(random.nextInt(100))
                .freeDiskMb(random.nextInt(100_000))
                .diskMbUsed(random.nextInt(100_000))
                .allocationCandidates(List.of())
                .build();
    }

    private RequestSpec elsewhere(RequestSpec request) {
        InstanceGroup group = request.instanceGroup();
        return group == null
                ? request
                : request.toBuilder()
                        .instanceGroup(group.withHost("elsewhere").withMembers(List.of(UUID.randomUUID().toString())))
                        .build();
    }

    @Test
    void filtersThatDependOnNothingIgnorePlacements() {
        for (int round = 0; round < ROUNDS; round++) {
            for (Case each : cases()) {
                if (each.filter().sensitivity() == Sensitivity.NOTHING) {
                    Verdict first = each.verdict(each.host(), each.request());
                    assertSameVerdict(each, first, each.verdict(filled(each), elsewhere(each.request())));
                    assertSameVerdict(each, first, each.verdict(withOtherReports(each.host()), each.request()));
                }
            }
        }
    }

    @Test
    void filtersThatDependOnTheHostIgnorePlacementsElsewhere() {
        for (int round = 0; round < ROUNDS; round++) {
            for (Case each : cases()) {
                if (each.filter().sensitivity() != Sensitivity.GROUP) {
                    HostState now = filled(each);
                    assertSameVerdict(
                            each, each.verdict(now, each.request()), each.verdict(now, elsewhere(each.request())));
                }
            }
        }
    }

    @Test
    void filtersThatDependOnTheHostAloneIgnoreItsCandidates() {
        for (Case each : cases()) {
            if (each.filter().sensitivity().compareTo(Sensitivity.CANDIDATES) < 0) {
                HostState without = each.host().withCandidates(List.of());
                Verdict verdict = each.verdict(without, each.request());
                assertSameVerdict(each, each.verdict(each.host(), each.request()), verdict);
                assertThat(verdict).isNotInstanceOf(Verdict.Narrow.class);
            }
        }
    }

    private void assertSameVerdict(Case each, Verdict first, Verdict then) {
        assertThat(then).as("%s, seed %d", each.filter().name(), seed).isEqualTo(first);
    }

    /** The random placements are sufficient to reveal every filter that depends on them. */
    @Test
    void otherFiltersChangeTheirVerdictAfterPlacements() {
        Set<String> unmoved = new TreeSet<>();
        Map<Boolean, UnaryOperator<RequestSpec>> requests = Map.of(true, this::elsewhere, false, request -> request);
        for (Case each : cases()) {
            if (each.filter().sensitivity() != Sensitivity.NOTHING) {
                unmoved.add(each.filter().name());
            }
        }
        for (int round = 0; round < Math.max(ROUNDS, 100) && !unmoved.isEmpty(); round++) {
            for (Case each : cases()) {
                UnaryOperator<RequestSpec> then = requests.get(each.filter().sensitivity() == Sensitivity.GROUP);
                Verdict first = each.verdict(each.host(), each.request());
                if (each.filter().sensitivity() != Sensitivity.NOTHING
                        && first.getClass() != each.verdict(filled(each), then.apply(each.request())).getClass()) {
                    unmoved.remove(each.filter().name());
                }
            }
        }
        assertThat(unmoved).as("seed %d", seed).isEmpty();
    }
}
