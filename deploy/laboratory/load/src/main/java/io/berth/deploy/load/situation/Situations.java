package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.Shape;
import io.berth.deploy.load.life.Cloud;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lists all situations, by the shape of the fleet on which they are measured. */
public final class Situations {
    /** Scheduling decisions, each about one small instance. */
    public static final String SCHEDULE = "schedule";
    /** {@link #SCHEDULE} with a scheduler that writes no decision records. */
    public static final String SCHEDULE_UNRECORDED = "schedule-unrecorded";
    /** {@link #SCHEDULE}, and the deletion of an older instance for each decision. */
    public static final String SCHEDULE_DELETE = "schedule-delete";
    /** {@link #SCHEDULE} while operators query the scheduler. */
    public static final String SCHEDULE_QUESTIONED = "schedule-questioned";
    /** Decisions for the requests of {@link RequestMix}. */
    public static final String SCHEDULE_MIX = "schedule-mix";
    /** {@link #SCHEDULE_MIX} with a scheduler that reaches several replicas of placement through a proxy. */
    public static final String SCHEDULE_MIX_REPLICAS = "schedule-mix-replicas";
    /**
     * Decisions about a thousand different requests, each three times. Played once. Checks the memory of the services
     * at the end.
     */
    public static final String SHAPES = "shapes";
    /** Queries for candidates, and claims, at the same time. */
    public static final String MIXED = "mixed";
    public static final String MIXED_CANDIDATES = MIXED + ": candidates";
    public static final String MIXED_CLAIMS = MIXED + ": claims";

    private static final String SMALL = "resources=VCPU:1,MEMORY_MB:512,DISK_GB:4";
    private static final int NOVA_LIMIT = 1000;
    /**
     * The parameters that nova adds to every query. Source: nova's {@code [scheduler] max_placement_results} and
     * prefilters.
     */
    static final String AS_NOVA = "&root_required=!COMPUTE_STATUS_DISABLED&limit=" + NOVA_LIMIT;
    private static final int QUERIED_KIND = 3;
    private static final int QUERY_COUNT = 20_000;
    private static final int REQUEST_KINDS = 1_000;
    private static final int ROUNDS = 3;
    private static final int NUMA_NODES = 2;

    private Situations() {}

    /** Returns the situations of a shape, in the order in which they are measured. */
    public static List<Situation> of(Shape shape) {
        return switch (shape) {
            case FLAT -> List.of(
                    repeatedQuery("limit-10", _ -> SMALL + "&limit=10", fleet -> Math.min(10, fleet.size())),
                    variedQueries("limit-10-varied", 10),
                    repeatedQuery("limit-1000", _ -> SMALL + "&limit=1000",
                            fleet -> Math.min(NOVA_LIMIT, fleet.size())),
                    variedQueries("limit-1000-varied", NOVA_LIMIT),
                    repeatedQuery("no-limit", _ -> SMALL, Fleet::size),
                    repeatedQuery("as-nova", _ -> SMALL + AS_NOVA, fleet -> Math.min(NOVA_LIMIT, fleet.size())),
                    repeatedQuery("traits",
                            _ -> SMALL + "&required=HW_CPU_X86_AVX2," + Fleet.kindTrait(QUERIED_KIND) + "&limit=1000",
                            fleet -> Math.min(NOVA_LIMIT, fleet.hostsOfKind(QUERIED_KIND))),
                    repeatedQuery("aggregates",
                            fleet -> SMALL + "&member_of=in:" + fleet.aggregate(1) + "," + fleet.aggregate(3)
                                    + "&limit=1000",
                            fleet -> fleet.hostsInAggregate(1) + fleet.hostsInAggregate(3)),
                    new RefreshSituation("refresh"),
                    new ClaimSituation("claim-random", false),
                    new ClaimSituation("claim-hot", true),
                    new LifeSituation("life-azure", Cloud.AZURE),
                    new LifeSituation("life-huawei", Cloud.HUAWEI),
                    new SharedSituation(MIXED, variedQueries(MIXED_CANDIDATES, NOVA_LIMIT),
                            new ClaimSituation(MIXED_CLAIMS, false)),
                    new SelectSituation(SCHEDULE, 1, SelectSituation.ENDLESS, false, true),
                    new SelectSituation(SCHEDULE_UNRECORDED, 1, SelectSituation.ENDLESS, false, false),
                    new SelectSituation(SCHEDULE_DELETE, 1, SelectSituation.ENDLESS, true, true),
                    new SelectSituation(SHAPES, REQUEST_KINDS, ROUNDS, false, true),
                    new MixSituation(SCHEDULE_MIX, false),
                    new MixSituation(SCHEDULE_MIX_REPLICAS, true),
                    new AnalysisSituation(SCHEDULE_QUESTIONED,
                            new SelectSituation(SCHEDULE_QUESTIONED, 1, SelectSituation.ENDLESS, false, true)));
            case NESTED -> List.of(
                    repeatedQuery("nested-unsuffixed", _ -> SMALL + ",SRIOV_NET_VF:1&limit=1000",
                            fleet -> Math.min(NOVA_LIMIT, NUMA_NODES * NUMA_NODES * fleet.size())),
                    repeatedQuery("nested-granular",
                            _ -> "resources=DISK_GB:4&resources_NUMA=VCPU:1,MEMORY_MB:512&required_NUMA=HW_NUMA_ROOT"
                                    + "&resources_VF=SRIOV_NET_VF:1&group_policy=none" + AS_NOVA,
                            fleet -> Math.min(NOVA_LIMIT, NUMA_NODES * fleet.size())),
                    repeatedQuery("nested-subtree",
                            _ -> "resources=DISK_GB:4&resources_NUMA=VCPU:1,MEMORY_MB:512&resources_VF=SRIOV_NET_VF:1"
                                    + "&required_ROOT=HW_CPU_X86_AVX2&same_subtree=_NUMA,_VF,_ROOT"
                                    + "&group_policy=none&limit=1000",
                            fleet -> Math.min(NOVA_LIMIT, NUMA_NODES * fleet.size())));
            case WIDE -> List.of(repeatedQuery("wide-8x8", _ -> wideQuery(), _ -> NOVA_LIMIT));
        };
    }

    /**
     * Returns a query for one virtual function of each of eight devices. A host has 8! possible arrangements; the query
     * is limited to a thousand.
     */
    private static String wideQuery() {
        return IntStream.range(0, Fleet.DEVICES_PER_WIDE_HOST)
                .mapToObj(group -> "resources%d=SRIOV_NET_VF:1".formatted(group))
                .collect(Collectors.joining("&", "", "&group_policy=isolate&limit=1000"));
    }

    /**
     * Returns the situations with these names that a shape has, in the order in which they are measured.
     *
     * @param names empty for all situations but those that are played once
     * @throws IllegalArgumentException if no shape has a situation of a name; the message is one line for the user
     */
    public static List<Situation> of(Shape shape, List<String> names) {
        List<String> knownNames = names();
        names.stream().filter(name -> !knownNames.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "no such situation: " + name + "; there are " + String.join(", ", knownNames));
        });
        return of(shape).stream()
                .filter(situation -> names.isEmpty()
                        ? situation.singlePlayLimit() == null
                        : names.contains(situation.name()))
                .toList();
    }

    /**
     * Returns which service the stage lacks for the situation, in a few words for the user; null if none is lacking.
     */
    public static String missingService(Situation situation, Stage stage) {
        return situation.target(stage) != null ? null
                : stage.scheduler() == null ? "no scheduler"
                        : situation.name().equals(SCHEDULE_UNRECORDED) ? "no scheduler without records"
                                : "no replicas of placement behind a proxy";
    }

    /** Returns whether all these situations are by default measured on a larger fleet; false if there are no names. */
    public static boolean useLargeFleet(List<String> names) {
        return !names.isEmpty() && List.of(SHAPES, SCHEDULE_MIX, SCHEDULE_MIX_REPLICAS).containsAll(names);
    }

    public static List<String> names() {
        List<String> names = new ArrayList<>();
        Stream.of(Shape.values()).flatMap(shape -> of(shape).stream()).map(Situation::name).forEach(names::add);
        return names;
    }

    private static Situation repeatedQuery(String name,
            Function<Fleet, String> query, ToIntFunction<Fleet> requestsExpected) {
        return new CandidatesSituation(name, query.andThen(List::of), requestsExpected);
    }

    private static Situation variedQueries(String name, int limit) {
        return new CandidatesSituation(name, _ -> differentQueries(limit), fleet -> Math.min(limit, fleet.size()));
    }

    /** Returns {@value #QUERY_COUNT} different queries, which are more than a service caches. */
    private static List<String> differentQueries(int limit) {
        return IntStream.range(0, QUERY_COUNT)
                .mapToObj(n -> "resources=VCPU:1,MEMORY_MB:%d,DISK_GB:4&limit=%d".formatted(512 + n, limit))
                .toList();
    }
}
