package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.process.Seed;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Moves that are proposed are accepted when they are made, one after the other, and gain what is told.
 * {@code -Dberth.test.clouds} says with how many random clouds, {@code -Dberth.test.seed} with which first.
 */
@Tag("process")
class ProposalsIT {
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(CapacityIT.MANY_FILTERS);

    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 3);
    private static final long SEED = Seed.of(ProposalsIT.class);

    private static final String PINNED = ", \"scheduler_hints\": {\"berth:pinned\": \"true\"}";

    private static Response ask(String goal, String more) {
        return admin().body("{\"goal\": {" + goal + "}, \"timeout_s\": 60" + more + "}").post("/v1/proposals");
    }

    private static JsonPath propose(String goal, String more) {
        Response answer = ask(goal, more);
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        return answer.jsonPath();
    }

    private static String room(String spec, int count) {
        return "\"make_room\": {\"request_spec\": " + spec + ", \"count\": " + count + "}";
    }

    private static String named(String... hosts) {
        return "\"empty_hosts\": {\"hosts\": [\"" + String.join("\",\"", hosts) + "\"]}";
    }

    /** All are of one cell: none is left by a move. */
    private static final String CELL = UUID.randomUUID().toString();

    @BeforeAll
    static void registerCell() {
        admin().body(Map.of("name", "cell-" + CELL)).put("/v1/cells/" + CELL).then().statusCode(201);
    }

    private static void registered(Fleet fleet, String name, int vcpus) {
        fleet.register(fleet.host(name, vcpus), name, CELL);
    }

    /** On that host, of so many VCPUs. */
    private static String instance(Fleet fleet, String host, int vcpus, String hints) {
        return instance(host, fleet.spec(vcpus, hints), fleet);
    }

    private static String instance(String host, String spec, Fleet fleet) {
        String instance = UUID.randomUUID().toString();
        instance(instance, host, spec, fleet);
        return instance;
    }

    private static void instance(String instance, String host, String spec, Fleet fleet) {
        String forced = spec.substring(0, spec.lastIndexOf('}')) + ", \"force_hosts\": [\"" + fleet.name(host) + "\"]}";
        Response placed = select("{\"instance_uuids\": [\"" + instance + "\"], \"request_spec\": " + forced + "}");
        assertThat(placed.statusCode()).as(placed.asString()).isEqualTo(200);
    }

    /** Extra specs of a flavor beside the trait of its fleet. */
    private static String asking(String spec, String extraSpecs) {
        return spec.replace("\"extra_specs\": {", "\"extra_specs\": {" + extraSpecs + ", ");
    }

    /** A trait of some hosts, which a request may ask for or forbid. */
    private static String trait() {
        String trait = "CUSTOM_X" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
        placement().put("/traits/" + trait).then().statusCode(201);
        return trait;
    }

    /** Instance, from where and where to. */
    private static List<String> moves(JsonPath answer) {
        List<Map<String, Object>> moves = answer.getList("moves");
        return moves.stream().map(move -> move.get("instance") + " " + move.get("from") + " " + move.get("host"))
                .toList();
    }

    private static String move(Fleet fleet, String instance, String from, String to) {
        return instance + " " + fleet.name(from) + " " + fleet.name(to);
    }

    /**
     * Of hosts without room one lacks less; to where there is room for the request an instance goes only if it must.
     */
    @Test
    void makesRoomWhereLeastLacksWithTheSmallestInstanceThatDoes() {
        Fleet fleet = new Fleet();
        String forbidden = trait();
        fleet.host("far", 6);
        fleet.host("near", 6);
        fleet.host("roomy", 20);
        // Full for the request, whatever is free there; hence nothing there is to leave.
        fleet.host("other", 9, forbidden);
        instance(fleet, "other", 2, "");
        instance(fleet, "far", 1, "");
        instance(fleet, "far", 3, "");
        String two = instance(fleet, "far", 2, "");
        String one = instance(fleet, "near", 1, "");
        instance(fleet, "near", 4, "");
        String request = asking(fleet.spec(2, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath answer = propose(room(request, 12), "");
        assertThat(moves(answer)).as(answer.prettify())
                .containsExactly(move(fleet, one, "near", "other"), move(fleet, two, "far", "other"));
        assertThat(answer.getBoolean("reached")).isTrue();
        assertThat(answer.getMap("gain.slots")).isEqualTo(Map.of("wanted", 12, "before", 10, "after", 12));
        assertThat(answer.getList("moves.memory_mb")).isEqualTo(List.of(512, 1024));
        assertThat(answer.getMap("cost")).isEqualTo(Map.of("moves", 2, "memory_mb", 1536, "disk_gb", 30));
        // Whatever was asked: nothing has moved.
        assertThat(allocations(one)).containsValues(Fleet.amounts(1));
        assertThat(MovingCloud.use(fleet.name("other"))).isEqualTo(Fleet.amounts(2));
        assertThat(answer.getBoolean("complete")).isTrue();
        assertThat(answer.getLong("as_of.fleet_version")).isPositive();
    }

    @Test
    void letsTheFewLeaveThatFreeMostWhereNoneAloneFreesEnough() {
        Fleet fleet = new Fleet();
        String forbidden = trait();
        fleet.host("a", 7);
        fleet.host("b", 9, forbidden);
        String large = instance(fleet, "a", 3, "");
        instance(fleet, "a", 1, "");
        instance(fleet, "a", 1, "");
        String middle = instance(fleet, "a", 2, "");
        String request = asking(fleet.spec(5, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath answer = propose(room(request, 1), "");
        assertThat(moves(answer)).as(answer.prettify())
                .containsExactly(move(fleet, large, "a", "b"), move(fleet, middle, "a", "b"));
        JsonPath none = propose(room(request, 1), ", \"max_moves\": 1");
        assertThat(none.getList("moves")).as(none.prettify()).isEmpty();
        assertThat(none.getBoolean("reached")).isFalse();
    }

    /** Of a host as many cannot leave, and a larger one could. */
    @ParameterizedTest
    @CsvSource({"3, 1", "4, 0"})
    void triesTheFourSmallestInstancesOfAHost(int stuck, int moves) {
        Fleet fleet = new Fleet();
        String own = trait();
        String forbidden = trait();
        fleet.host("a", 2 * stuck + 3, own);
        fleet.host("b", 9, forbidden);
        for (int i = 0; i < stuck; i++) {
            instance("a", asking(fleet.spec(2, ""), "\"trait:" + own + "\": \"required\""), fleet);
        }
        instance(fleet, "a", 3, "");
        String request = asking(fleet.spec(2, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath answer = propose(room(request, 1), "");
        assertThat(answer.getList("moves")).as(answer.prettify()).hasSize(moves);
        assertThat(answer.getList("stays.code")).hasSize(stuck).containsOnly("no_valid_host");
    }

    /** On as many hosts that lack less nothing may move, on one that lacks more something does. */
    @ParameterizedTest
    @CsvSource({"19, 1", "20, 0"})
    void triesTheTwentyHostsThatLackLeast(int pinned, int moves) {
        Fleet fleet = new Fleet();
        String forbidden = trait();
        for (int i = 0; i < pinned; i++) {
            fleet.host("h" + i, 2);
            instance(fleet, "h" + i, 1, PINNED);
        }
        fleet.host("last", 2);
        instance(fleet, "last", 2, "");
        fleet.host("other", 2, forbidden);
        String request = asking(fleet.spec(2, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath answer = propose(room(request, 1), "");
        assertThat(answer.getList("moves")).as(answer.prettify()).hasSize(moves);
    }

    @Test
    void emptiesAHostWhollyOrNotAtAll() {
        Fleet fleet = new Fleet();
        registered(fleet, "a", 4);
        registered(fleet, "b", 4);
        instance(fleet, "a", 1, "");
        String pinned = instance(fleet, "b", 1, PINNED);
        JsonPath a = propose(named(fleet.name("a")), "");
        assertThat(a.getBoolean("reached")).as(a.prettify()).isTrue();
        assertThat(a.getList("moves.host")).isEqualTo(List.of(fleet.name("b")));
        assertThat(a.getList("gain.emptied")).isEqualTo(List.of(fleet.name("a")));
        JsonPath b = propose(named(fleet.name("b")), "");
        assertThat(b.getList("stays")).isEqualTo(List.of(Map.of(
                "instance", pinned, "from", fleet.name("b"), "code", "pinned",
                "reason", "its metadata or hint says berth:pinned")));
        assertThat(b.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
        assertThat(b.getList("moves")).isEmpty();
        // One of two goes, the other finds no room: none is told to go.
        instance(fleet, "a", 3, "");
        JsonPath full = propose(named(fleet.name("a")), "");
        assertThat(full.getList("moves")).as(full.prettify()).isEmpty();
        assertThat(full.getList("gain.emptied")).isEmpty();
        assertThat(full.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
        assertThat(full.getBoolean("reached")).isFalse();
    }

    /** Its last instance is registered elsewhere, and the migration still holds the place that it leaves. */
    @Test
    void aHostThatAMigrationHoldsIsNotEmpty() {
        Fleet fleet = new Fleet();
        String a = fleet.host("a", 4);
        fleet.register(a, "a", CELL);
        registered(fleet, "b", 4);
        String migration = UUID.randomUUID().toString();
        admin().body(Map.of("kind", "live", "instance_uuid", instance(fleet, "a", 1, ""), "migration_uuid", migration,
                "source_compute_node_uuid", a, "request_spec", new JsonPath(fleet.spec(1, "")).getMap("")))
                .post("/v1/moves").then().statusCode(200);
        JsonPath held = propose(named(fleet.name("a")), "");
        assertThat(held.getBoolean("reached")).as(held.prettify()).isFalse();
        assertThat(held.getMap("binding")).isEqualTo(Map.of("held_by_others", 1));
        assertThat(held.getList("gain.empty_before")).isEmpty();
        placement().delete("/allocations/" + migration).then().statusCode(204);
        JsonPath empty = propose(named(fleet.name("a")), "");
        assertThat(empty.getBoolean("reached")).as(empty.prettify()).isTrue();
        assertThat(empty.getList("gain.empty_before")).isEqualTo(List.of(fleet.name("a")));
        assertThat(empty.getList("gain.emptied")).isEmpty();
    }

    @Test
    void hostsThatAreToBeEmptiedTakeNoInstances() {
        Fleet fleet = new Fleet();
        for (String host : List.of("a", "b")) {
            registered(fleet, host, 4);
            instance(fleet, host, 1, "");
        }
        JsonPath answer = propose(named(fleet.name("a"), fleet.name("b")), "");
        assertThat(answer.getList("moves")).as(answer.prettify()).isEmpty();
        assertThat(answer.getMap("binding")).isEqualTo(Map.of("instances_stay", 2));
    }

    /** There is room for the three of one host, or for the only one of the other and two more. */
    @Test
    void emptiesHostsWithTheFewestInstancesFirstAndTheirLargestInstancesFirst() {
        Fleet fleet = new Fleet();
        registered(fleet, "a", 6);
        registered(fleet, "b", 1);
        registered(fleet, "c", 6);
        List<String> three = instances(3).stream().sorted().toList();
        instance(three.get(0), "a", fleet.spec(1, ""), fleet);
        instance(three.get(1), "a", fleet.spec(3, ""), fleet);
        instance(three.get(2), "a", fleet.spec(2, ""), fleet);
        String single = instance(fleet, "b", 1, "");
        String both = named(fleet.name("a"), fleet.name("b"));
        JsonPath some = propose(both, "");
        assertThat(moves(some)).as(some.prettify()).containsExactly(move(fleet, single, "b", "c"));
        assertThat(some.getList("gain.emptied")).isEqualTo(List.of(fleet.name("b")));
        assertThat(some.getBoolean("reached")).isFalse();
        JsonPath a = propose(named(fleet.name("a")), "");
        assertThat(moves(a)).as(a.prettify()).containsExactly(
                move(fleet, three.get(1), "a", "c"), move(fleet, three.get(2), "a", "c"),
                move(fleet, three.get(0), "a", "c"));
        assertThat(a.getBoolean("reached")).isTrue();
        registered(fleet, "d", 1);
        JsonPath all = propose(both, "");
        assertThat(all.getList("gain.emptied")).as(all.prettify()).isEqualTo(List.of(fleet.name("b"), fleet.name("a")));
        assertThat(all.getBoolean("reached")).isTrue();
        JsonPath few = propose(both, ", \"max_moves\": 3");
        assertThat(few.getMap("binding")).as(few.prettify()).isEqualTo(Map.of("max_moves", 1));
        assertThat(moves(few))
                .containsExactly(move(fleet, single, "b", few.getString("moves[0].host").endsWith("c") ? "c" : "d"));
    }

    /** Of whichever hosts: these come before those of other tests, by the order of their names. */
    @Test
    void emptiesHostsIntoTheOneWithTheMostInstancesAndNeverIntoAnEmptyOne() {
        Fleet lone = new Fleet("!!");
        registered(lone, "a", 4);
        registered(lone, "empty", 4);
        String stays = instance(lone, "a", 1, "");
        Fleet fleet = new Fleet("!");
        registered(fleet, "a", 9);
        registered(fleet, "b", 2);
        registered(fleet, "c", 9);
        registered(fleet, "empty", 9);
        instance(fleet, "a", 1, "");
        instance(fleet, "a", 1, "");
        String single = instance(fleet, "b", 1, "");
        for (int i = 0; i < 3; i++) {
            instance(fleet, "c", 1, "");
        }
        JsonPath answer = propose("\"empty_hosts\": {\"count\": 1}", "");
        assertThat(moves(answer)).as(answer.prettify()).containsExactly(move(fleet, single, "b", "c"));
        assertThat(answer.getList("gain.emptied")).isEqualTo(List.of(fleet.name("b")));
        assertThat(answer.getBoolean("reached")).isTrue();
        assertThat(answer.getList("stays.instance")).isEqualTo(List.of(stays));
        assertThat(answer.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
    }

    /** Hosts that have as much of a resource class of their own, each. */
    private static final class Spreading {
        private final Fleet fleet = new Fleet();
        private final int total;
        private final String resourceClass = "CUSTOM_R" + fleet.trait().substring(8);

        Spreading(int total) {
            this.total = total;
            placement().put("/resource_classes/" + resourceClass).then().statusCode(201);
        }

        void host(String name, String... moreTraits) {
            List<String> traits = new ArrayList<>(List.of(moreTraits));
            traits.add(fleet.trait());
            String uuid = Providers.add(UUID.randomUUID().toString(), fleet.name(name), null,
                    Map.of("VCPU", Map.of("total", 20), "MEMORY_MB", Map.of("total", 10_240), "DISK_GB",
                            Map.of("total", 200),
                            resourceClass, Map.of("total", total)),
                    traits);
            fleet.register(uuid, name, CELL);
        }

        String instance(String host, int amount, String more) {
            return ProposalsIT.instance(host, spec(amount, more), fleet);
        }

        private String spec(int amount, String more) {
            return asking(fleet.spec(1, more), "\"resources:" + resourceClass + "\": \"" + amount + "\"");
        }

        JsonPath propose() {
            return ProposalsIT.propose("\"spread\": {\"resource_class\": \"" + resourceClass + "\"}", "");
        }
    }

    private static double deviation(double... parts) {
        double mean = DoubleStream.of(parts).average().orElseThrow();
        return Math.sqrt(DoubleStream.of(parts).map(part -> (part - mean) * (part - mean)).average().orElseThrow());
    }

    /** The fullest host has nothing that may move; the emptiest is disabled. */
    @Test
    void spreadsFromTheFullestHostToWhereItHelpsMost() {
        Spreading spreading = new Spreading(10);
        for (String host : List.of("pinned", "a", "b", "c", "disabled")) {
            spreading.host(host);
        }
        spreading.instance("pinned", 10, PINNED);
        spreading.instance("a", 4, "");
        String three = spreading.instance("a", 3, "");
        String one = spreading.instance("a", 1, "");
        spreading.instance("c", 2, "");
        admin().body(Map.of("host", spreading.fleet.name("disabled"), "disabled", true))
                .put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
        JsonPath answer = spreading.propose();
        assertThat(moves(answer)).as(answer.prettify())
                .containsExactly(move(spreading.fleet, three, "a", "b"), move(spreading.fleet, one, "a", "c"));
        assertThat(answer.getBoolean("reached")).isTrue();
        assertThat(answer.getInt("gain.hosts")).isEqualTo(4);
        assertThat(answer.getDouble("gain.imbalance.before")).isEqualTo(deviation(1, 0.8, 0, 0.2), Offset.offset(1e-6));
        assertThat(answer.getDouble("gain.imbalance.after"))
                .isEqualTo(deviation(1, 0.4, 0.3, 0.3), Offset.offset(1e-6));
    }

    /** From as many fuller ones nothing may move, and from one more host something would. */
    @ParameterizedTest
    @CsvSource({"9, 1", "10, 0"})
    void spreadsFromTheTenFullestHosts(int pinned, int moves) {
        Spreading spreading = new Spreading(10);
        for (int i = 0; i < pinned; i++) {
            spreading.host("h" + i);
            spreading.instance("h" + i, 10, PINNED);
        }
        spreading.host("last");
        spreading.host("empty");
        spreading.instance("last", 4, "");
        spreading.instance("last", 5, "");
        JsonPath answer = spreading.propose();
        assertThat(answer.getList("moves")).as(answer.prettify()).hasSize(moves);
        assertThat(answer.getBoolean("reached")).isEqualTo(moves > 0);
    }

    /** As many of a host whose leaving would help more find no other, and one more would. */
    @ParameterizedTest
    @CsvSource({"7, 1", "8, 0"})
    void spreadsWithEightInstancesOfAHost(int stuck, int moves) {
        Spreading spreading = new Spreading(20);
        String own = trait();
        spreading.host("a", own);
        spreading.host("empty");
        for (int i = 0; i < stuck; i++) {
            ProposalsIT.instance("a", asking(spreading.spec(2, ""), "\"trait:" + own + "\": \"required\""),
                    spreading.fleet);
        }
        spreading.instance("a", 1, "");
        JsonPath answer = spreading.propose();
        assertThat(answer.getList("moves.from")).as(answer.prettify()).hasSize(moves);
        assertThat(answer.getList("stays")).hasSize(stuck);
    }

    @Test
    void passesOverHostsThatPlacementDoesNotKnow() {
        String host = UUID.randomUUID().toString();
        admin().body(Map.of("host", host, "cell_uuid", Fleet.cell("cell")))
                .put("/v1/compute_nodes/" + UUID.randomUUID()).then()
                .statusCode(201);
        propose("\"spread\": {\"resource_class\": \"VCPU\"}", "");
        assertThat(propose(named(host), "").getList("moves")).isEmpty();
        propose("\"empty_hosts\": {\"count\": 1}", "");
    }

    @Test
    void saysOfWhichInstancesNobodyKnowsWhatTheyAskFor() {
        Fleet fleet = new Fleet();
        registered(fleet, "a", 4);
        fleet.host("b", 4);
        String stranger = UUID.randomUUID().toString();
        admin().body(Map.of("host", fleet.name("a"))).put("/v1/instances/" + stranger).then().statusCode(201);
        ask(named(fleet.name("a")), "").then().statusCode(200)
                .body("reached", equalTo(false))
                .body("moves", empty())
                .body("stays[0].code", equalTo("request_unknown"));
        ask(named(fleet.name("a")), ", \"request_specs\": {\"" + stranger + "\": " + fleet.spec(1, "") + "}").then()
                .statusCode(200)
                .body("stays", hasSize(1))
                .body("stays[0].code", equalTo("holds_nothing"));
    }

    @Test
    void refusesWhatIsNoGoal() {
        String spec = new Fleet().spec(1, "");
        invalid("{}", "$.goal: is required");
        invalid("{\"goal\": {}}", "$.goal: must have one of");
        invalid("{\"goal\": {\"rest\": {}}}", "$.goal.rest: unknown member");
        invalid("{\"goal\": {\"spread\": {\"resource_class\": \"VCPU\"}, \"empty_hosts\": {\"count\": 1}}}",
                "$.goal: must have one of");
        invalid("{\"goal\": {\"empty_hosts\": {}}}", "$.goal.empty_hosts: must have exactly one of");
        invalid("{\"goal\": {\"empty_hosts\": {\"count\": 0}}}",
                "$.goal.empty_hosts.count: must be between 1 and 10000");
        invalid("{\"goal\": {\"spread\": {\"resource_class\": \"vcpu\"}}}",
                "$.goal.spread.resource_class: must be a resource class, such as VCPU");
        invalid("{\"goal\": {" + room(spec, 10_001) + "}}", "$.goal.make_room.count: must be between");
        invalid("{\"goal\": {" + room(spec, 1) + "}, \"max_moves\": 101}", "$.max_moves: must be between 1 and 100");
        invalid("{\"goal\": {" + room(spec, 1) + "}, \"request_specs\": {\"x\": {}}}",
                "$.request_specs.x: must be the uuid");
        ask(named("nobody"), "").then().statusCode(404)
                .body("errors[0].detail", startsWith("$.goal.empty_hosts.hosts[0]: there is no host nobody"));
    }

    private static void invalid(String body, String detail) {
        admin().body(body).post("/v1/proposals").then().statusCode(400).body("errors[0].detail", startsWith(detail));
    }

    private static int counted(String spec) {
        return CapacityIT.count(spec, "").getInt("requests[0].count");
    }

    /** Goes on beyond {@value #CLOUDS} clouds until there were moves for each goal. */
    @Test
    void whatIsProposedCanBeDoneAndGainsWhatIsTold() {
        Map<String, Integer> moves = new TreeMap<>(Map.of("make_room", 0, "empty_hosts", 0, "spread", 0));
        for (int i = 0; i < CLOUDS || moves.containsValue(0); i++) {
            assertThat(i).as("clouds with moves %s", moves).isLessThan(CLOUDS + 500);
            carryOut(SEED + i, moves);
        }
    }

    private static void carryOut(long seed, Map<String, Integer> moves) {
        MovingCloud cloud = new MovingCloud(seed);
        int movesMax = 1 + cloud.random().nextInt(8);
        String more = ", \"max_moves\": " + movesMax;
        String spec = cloud.spec();
        int kind = cloud.random().nextInt(4);
        int count = kind < 2 ? counted(spec) + 1 + cloud.random().nextInt(2) : 1 + cloud.random().nextInt(2);
        List<String> hosts = cloud.busiest().reversed().stream()
                .filter(host -> cloud.at.isEmpty() || cloud.at.containsValue(host))
                .limit(count)
                .toList();
        String goal = switch (kind) {
            case 0, 1 -> room(spec, count);
            case 2 -> named(hosts.toArray(String[]::new));
            default -> "\"spread\": {\"resource_class\": \"MEMORY_MB\"}";
        };
        JsonPath answer = propose(goal, more);
        String about = "seed " + seed + ": " + answer.prettify();
        assertThat(answer.getBoolean("complete")).as(about).isTrue();
        List<Map<String, Object>> steps = answer.getList("moves");
        assertThat(steps.size()).as(about).isLessThanOrEqualTo(movesMax);
        steps.forEach(step -> cloud.carryOut(step, about));
        moves.merge(answer.getString("goal"), steps.size(), Integer::sum);
        switch (kind) {
            case 0, 1 -> {
                int after = answer.getInt("gain.slots.after");
                assertThat(after).as(about).isEqualTo(Math.min(counted(spec), count));
                assertThat(steps.isEmpty()).as(about).isEqualTo(after == answer.getInt("gain.slots.before"));
                assertThat(answer.getBoolean("reached")).as(about).isEqualTo(after >= count);
            }
            case 2 -> {
                List<String> emptied = new ArrayList<>(answer.getList("gain.emptied"));
                emptied.addAll(answer.getList("gain.empty_before"));
                // Nobody but instances holds anything there.
                hosts.forEach(host -> assertThat(emptied.contains(host)).as(host + " in " + about)
                        .isEqualTo(MovingCloud.use(host).isEmpty()));
                assertThat(answer.getBoolean("reached")).as(about).isEqualTo(emptied.containsAll(hosts));
                assertThat(steps.isEmpty()).as(about).isEqualTo(answer.getList("gain.emptied").isEmpty());
            }
            default -> {
                double before = answer.getDouble("gain.imbalance.before");
                double after = answer.getDouble("gain.imbalance.after");
                assertThat(propose(goal, more).getDouble("gain.imbalance.before")).as(about)
                        .isEqualTo(after, Offset.offset(1e-9));
                assertThat(after < before).as(about).isEqualTo(!steps.isEmpty());
                assertThat(answer.getBoolean("reached")).as(about).isEqualTo(!steps.isEmpty());
            }
        }
    }
}
