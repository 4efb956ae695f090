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
 * Makes proposed moves one after the other and checks that each succeeds and that they gain what was forecast.
 * {@code -Dberth.test.clouds} sets the number of random clouds, {@code -Dberth.test.seed} the seed of the first.
 */
@Tag("process")
class ProposalsIT {
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(CapacityIT.MANY_FILTERS);

    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 3);
    private static final long SEED = Seed.of(ProposalsIT.class);

    private static final String PINNED = ", \"scheduler_hints\": {\"berth:pinned\": \"true\"}";

    private static Response postGoal(String goal, String more) {
        return admin().body("{\"goal\": {" + goal + "}, \"timeout_s\": 60" + more + "}").post("/v1/proposals");
    }

    private static JsonPath propose(String goal, String more) {
        Response response = postGoal(goal, more);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response.jsonPath();
    }

    private static String makeRoomGoal(String spec, int count) {
        return "\"make_room\": {\"request_spec\": " + spec + ", \"count\": " + count + "}";
    }

    private static String emptyHostsGoal(String... hosts) {
        return "\"empty_hosts\": {\"hosts\": [\"" + String.join("\",\"", hosts) + "\"]}";
    }

    /** All hosts are in this cell, because moves stay within a cell. */
    private static final String CELL = UUID.randomUUID().toString();

    @BeforeAll
    static void registerCell() {
        admin().body(Map.of("name", "cell-" + CELL)).put("/v1/cells/" + CELL).then().statusCode(201);
    }

    private static void registerHost(Fleet fleet, String name, int vcpus) {
        fleet.register(fleet.host(name, vcpus), name, CELL);
    }

    /** Places an instance with this many VCPUs on the host. */
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

    /** Adds extra specs to a flavor that has only the trait of its fleet. */
    private static String withExtraSpecs(String spec, String extraSpecs) {
        return spec.replace("\"extra_specs\": {", "\"extra_specs\": {" + extraSpecs + ", ");
    }

    /** Creates a trait for some hosts, which a request may require or forbid. */
    private static String trait() {
        String trait = "CUSTOM_X" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
        placement().put("/traits/" + trait).then().statusCode(201);
        return trait;
    }

    /** The moves of a response as texts: instance, source and target host. */
    private static List<String> moves(JsonPath response) {
        List<Map<String, Object>> moves = response.getList("moves");
        return moves.stream().map(move -> move.get("instance") + " " + move.get("from") + " " + move.get("host"))
                .toList();
    }

    private static String move(Fleet fleet, String instance, String from, String to) {
        return instance + " " + fleet.name(from) + " " + fleet.name(to);
    }

    /**
     * Room is made on the host that lacks the least; an instance moves to a host with room for the request only if it
     * must.
     */
    @Test
    void makesRoomOnTheNearestHostWithTheSmallestSufficientInstance() {
        Fleet fleet = new Fleet();
        String forbidden = trait();
        fleet.host("far", 6);
        fleet.host("near", 6);
        fleet.host("roomy", 20);
        // The request forbids this host, whatever is free there, so nothing has to leave it.
        fleet.host("other", 9, forbidden);
        instance(fleet, "other", 2, "");
        instance(fleet, "far", 1, "");
        instance(fleet, "far", 3, "");
        String two = instance(fleet, "far", 2, "");
        String one = instance(fleet, "near", 1, "");
        instance(fleet, "near", 4, "");
        String request = withExtraSpecs(fleet.spec(2, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath response = propose(makeRoomGoal(request, 12), "");
        assertThat(moves(response)).as(response.prettify())
                .containsExactly(move(fleet, one, "near", "other"), move(fleet, two, "far", "other"));
        assertThat(response.getBoolean("reached")).isTrue();
        assertThat(response.getMap("gain.slots")).isEqualTo(Map.of("wanted", 12, "before", 10, "after", 12));
        assertThat(response.getList("moves.memory_mb")).isEqualTo(List.of(512, 1024));
        assertThat(response.getMap("cost")).isEqualTo(Map.of("moves", 2, "memory_mb", 1536, "disk_gb", 30));
        // A proposal moves nothing.
        assertThat(allocations(one)).containsValues(Fleet.amounts(1));
        assertThat(MovingCloud.use(fleet.name("other"))).isEqualTo(Fleet.amounts(2));
        assertThat(response.getBoolean("complete")).isTrue();
        assertThat(response.getLong("as_of.fleet_version")).isPositive();
    }

    @Test
    void movesTheLargestInstancesWhenNoSingleOneFreesEnough() {
        Fleet fleet = new Fleet();
        String forbidden = trait();
        fleet.host("a", 7);
        fleet.host("b", 9, forbidden);
        String large = instance(fleet, "a", 3, "");
        instance(fleet, "a", 1, "");
        instance(fleet, "a", 1, "");
        String middle = instance(fleet, "a", 2, "");
        String request = withExtraSpecs(fleet.spec(5, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath response = propose(makeRoomGoal(request, 1), "");
        assertThat(moves(response)).as(response.prettify())
                .containsExactly(move(fleet, large, "a", "b"), move(fleet, middle, "a", "b"));
        JsonPath none = propose(makeRoomGoal(request, 1), ", \"max_moves\": 1");
        assertThat(none.getList("moves")).as(none.prettify()).isEmpty();
        assertThat(none.getBoolean("reached")).isFalse();
    }

    /** The smaller instances of the host cannot leave, though a larger one could. */
    @ParameterizedTest
    @CsvSource({"3, 1", "4, 0"})
    void triesTheFourSmallestInstancesOfAHost(int stuck, int moves) {
        Fleet fleet = new Fleet();
        String own = trait();
        String forbidden = trait();
        fleet.host("a", 2 * stuck + 3, own);
        fleet.host("b", 9, forbidden);
        for (int i = 0; i < stuck; i++) {
            instance("a", withExtraSpecs(fleet.spec(2, ""), "\"trait:" + own + "\": \"required\""), fleet);
        }
        instance(fleet, "a", 3, "");
        String request = withExtraSpecs(fleet.spec(2, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath response = propose(makeRoomGoal(request, 1), "");
        assertThat(response.getList("moves")).as(response.prettify()).hasSize(moves);
        assertThat(response.getList("stays.code")).hasSize(stuck).containsOnly("no_valid_host");
    }

    /** Nothing can leave the hosts that lack less; an instance could leave the one that lacks more. */
    @ParameterizedTest
    @CsvSource({"19, 1", "20, 0"})
    void triesTheTwentyHostsThatLackTheLeast(int pinned, int moves) {
        Fleet fleet = new Fleet();
        String forbidden = trait();
        for (int i = 0; i < pinned; i++) {
            fleet.host("h" + i, 2);
            instance(fleet, "h" + i, 1, PINNED);
        }
        fleet.host("last", 2);
        instance(fleet, "last", 2, "");
        fleet.host("other", 2, forbidden);
        String request = withExtraSpecs(fleet.spec(2, ""), "\"trait:" + forbidden + "\": \"forbidden\"");
        JsonPath response = propose(makeRoomGoal(request, 1), "");
        assertThat(response.getList("moves")).as(response.prettify()).hasSize(moves);
    }

    @Test
    void emptiesAHostCompletelyOrProposesNoMoves() {
        Fleet fleet = new Fleet();
        registerHost(fleet, "a", 4);
        registerHost(fleet, "b", 4);
        instance(fleet, "a", 1, "");
        String pinned = instance(fleet, "b", 1, PINNED);
        JsonPath a = propose(emptyHostsGoal(fleet.name("a")), "");
        assertThat(a.getBoolean("reached")).as(a.prettify()).isTrue();
        assertThat(a.getList("moves.host")).isEqualTo(List.of(fleet.name("b")));
        assertThat(a.getList("gain.emptied")).isEqualTo(List.of(fleet.name("a")));
        JsonPath b = propose(emptyHostsGoal(fleet.name("b")), "");
        assertThat(b.getList("stays")).isEqualTo(List.of(Map.of(
                "instance", pinned, "from", fleet.name("b"), "code", "pinned",
                "reason", "its metadata or hint says berth:pinned")));
        assertThat(b.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
        assertThat(b.getList("moves")).isEmpty();
        // One of the two instances could leave, the other finds no room: neither is proposed to move.
        instance(fleet, "a", 3, "");
        JsonPath full = propose(emptyHostsGoal(fleet.name("a")), "");
        assertThat(full.getList("moves")).as(full.prettify()).isEmpty();
        assertThat(full.getList("gain.emptied")).isEmpty();
        assertThat(full.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
        assertThat(full.getBoolean("reached")).isFalse();
    }

    /** The last instance is registered elsewhere, but the migration still holds allocations on its source. */
    @Test
    void aHostWithAllocationsOfAMigrationIsNotEmpty() {
        Fleet fleet = new Fleet();
        String a = fleet.host("a", 4);
        fleet.register(a, "a", CELL);
        registerHost(fleet, "b", 4);
        String migration = UUID.randomUUID().toString();
        admin().body(Map.of("kind", "live", "instance_uuid", instance(fleet, "a", 1, ""), "migration_uuid", migration,
                "source_compute_node_uuid", a, "request_spec", new JsonPath(fleet.spec(1, "")).getMap("")))
                .post("/v1/moves").then().statusCode(200);
        JsonPath held = propose(emptyHostsGoal(fleet.name("a")), "");
        assertThat(held.getBoolean("reached")).as(held.prettify()).isFalse();
        assertThat(held.getMap("binding")).isEqualTo(Map.of("held_by_others", 1));
        assertThat(held.getList("gain.empty_before")).isEmpty();
        placement().delete("/allocations/" + migration).then().statusCode(204);
        JsonPath empty = propose(emptyHostsGoal(fleet.name("a")), "");
        assertThat(empty.getBoolean("reached")).as(empty.prettify()).isTrue();
        assertThat(empty.getList("gain.empty_before")).isEqualTo(List.of(fleet.name("a")));
        assertThat(empty.getList("gain.emptied")).isEmpty();
    }

    @Test
    void movesNoInstancesToHostsThatAreToBeEmptied() {
        Fleet fleet = new Fleet();
        for (String host : List.of("a", "b")) {
            registerHost(fleet, host, 4);
            instance(fleet, host, 1, "");
        }
        JsonPath response = propose(emptyHostsGoal(fleet.name("a"), fleet.name("b")), "");
        assertThat(response.getList("moves")).as(response.prettify()).isEmpty();
        assertThat(response.getMap("binding")).isEqualTo(Map.of("instances_stay", 2));
    }

    /**
     * The other hosts have room for the three instances of one host, or for the only instance of the other and two
     * more.
     */
    @Test
    void emptiesHostsWithFewInstancesFirstAndMovesLargeInstancesFirst() {
        Fleet fleet = new Fleet();
        registerHost(fleet, "a", 6);
        registerHost(fleet, "b", 1);
        registerHost(fleet, "c", 6);
        List<String> three = instances(3).stream().sorted().toList();
        instance(three.get(0), "a", fleet.spec(1, ""), fleet);
        instance(three.get(1), "a", fleet.spec(3, ""), fleet);
        instance(three.get(2), "a", fleet.spec(2, ""), fleet);
        String single = instance(fleet, "b", 1, "");
        String both = emptyHostsGoal(fleet.name("a"), fleet.name("b"));
        JsonPath some = propose(both, "");
        assertThat(moves(some)).as(some.prettify()).containsExactly(move(fleet, single, "b", "c"));
        assertThat(some.getList("gain.emptied")).isEqualTo(List.of(fleet.name("b")));
        assertThat(some.getBoolean("reached")).isFalse();
        JsonPath a = propose(emptyHostsGoal(fleet.name("a")), "");
        assertThat(moves(a)).as(a.prettify()).containsExactly(
                move(fleet, three.get(1), "a", "c"), move(fleet, three.get(2), "a", "c"),
                move(fleet, three.get(0), "a", "c"));
        assertThat(a.getBoolean("reached")).isTrue();
        registerHost(fleet, "d", 1);
        JsonPath all = propose(both, "");
        assertThat(all.getList("gain.emptied")).as(all.prettify()).isEqualTo(List.of(fleet.name("b"), fleet.name("a")));
        assertThat(all.getBoolean("reached")).isTrue();
        JsonPath few = propose(both, ", \"max_moves\": 3");
        assertThat(few.getMap("binding")).as(few.prettify()).isEqualTo(Map.of("max_moves", 1));
        assertThat(moves(few))
                .containsExactly(move(fleet, single, "b", few.getString("moves[0].host").endsWith("c") ? "c" : "d"));
    }

    /** The goal names no hosts; the prefixes sort these hosts before those of other tests. */
    @Test
    void movesInstancesToTheFullestHostAndNeverToAnEmptyOne() {
        Fleet lone = new Fleet("!!");
        registerHost(lone, "a", 4);
        registerHost(lone, "empty", 4);
        String stays = instance(lone, "a", 1, "");
        Fleet fleet = new Fleet("!");
        registerHost(fleet, "a", 9);
        registerHost(fleet, "b", 2);
        registerHost(fleet, "c", 9);
        registerHost(fleet, "empty", 9);
        instance(fleet, "a", 1, "");
        instance(fleet, "a", 1, "");
        String single = instance(fleet, "b", 1, "");
        for (int i = 0; i < 3; i++) {
            instance(fleet, "c", 1, "");
        }
        JsonPath response = propose("\"empty_hosts\": {\"count\": 1}", "");
        assertThat(moves(response)).as(response.prettify()).containsExactly(move(fleet, single, "b", "c"));
        assertThat(response.getList("gain.emptied")).isEqualTo(List.of(fleet.name("b")));
        assertThat(response.getBoolean("reached")).isTrue();
        assertThat(response.getList("stays.instance")).isEqualTo(List.of(stays));
        assertThat(response.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
    }

    /** Hosts that each have the same amount of a custom resource class. */
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
            return withExtraSpecs(fleet.spec(1, more), "\"resources:" + resourceClass + "\": \"" + amount + "\"");
        }

        JsonPath propose() {
            return ProposalsIT.propose("\"spread\": {\"resource_class\": \"" + resourceClass + "\"}", "");
        }
    }

    private static double deviation(double... parts) {
        double mean = DoubleStream.of(parts).average().orElseThrow();
        return Math.sqrt(DoubleStream.of(parts).map(part -> (part - mean) * (part - mean)).average().orElseThrow());
    }

    /** The fullest host has only a pinned instance; the emptiest is disabled. */
    @Test
    void spreadsFromTheFullestHostToTheOneThatHelpsMost() {
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
        JsonPath response = spreading.propose();
        assertThat(moves(response)).as(response.prettify())
                .containsExactly(move(spreading.fleet, three, "a", "b"), move(spreading.fleet, one, "a", "c"));
        assertThat(response.getBoolean("reached")).isTrue();
        assertThat(response.getInt("gain.hosts")).isEqualTo(4);
        assertThat(response.getDouble("gain.imbalance.before"))
                .isEqualTo(deviation(1, 0.8, 0, 0.2), Offset.offset(1e-6));
        assertThat(response.getDouble("gain.imbalance.after"))
                .isEqualTo(deviation(1, 0.4, 0.3, 0.3), Offset.offset(1e-6));
    }

    /** Nothing can leave the fuller hosts; an instance could leave one further host. */
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
        JsonPath response = spreading.propose();
        assertThat(response.getList("moves")).as(response.prettify()).hasSize(moves);
        assertThat(response.getBoolean("reached")).isEqualTo(moves > 0);
    }

    /** These instances would help more but fit nowhere else; one further instance could move. */
    @ParameterizedTest
    @CsvSource({"7, 1", "8, 0"})
    void triesToSpreadEightInstancesOfAHost(int stuck, int moves) {
        Spreading spreading = new Spreading(20);
        String own = trait();
        spreading.host("a", own);
        spreading.host("empty");
        for (int i = 0; i < stuck; i++) {
            ProposalsIT.instance("a", withExtraSpecs(spreading.spec(2, ""), "\"trait:" + own + "\": \"required\""),
                    spreading.fleet);
        }
        spreading.instance("a", 1, "");
        JsonPath response = spreading.propose();
        assertThat(response.getList("moves.from")).as(response.prettify()).hasSize(moves);
        assertThat(response.getList("stays")).hasSize(stuck);
    }

    @Test
    void ignoresHostsThatPlacementDoesNotKnow() {
        String host = UUID.randomUUID().toString();
        admin().body(Map.of("host", host, "cell_uuid", Fleet.cell("cell")))
                .put("/v1/compute_nodes/" + UUID.randomUUID()).then()
                .statusCode(201);
        propose("\"spread\": {\"resource_class\": \"VCPU\"}", "");
        assertThat(propose(emptyHostsGoal(host), "").getList("moves")).isEmpty();
        propose("\"empty_hosts\": {\"count\": 1}", "");
    }

    @Test
    void reportsInstancesWhoseRequestIsUnknown() {
        Fleet fleet = new Fleet();
        registerHost(fleet, "a", 4);
        fleet.host("b", 4);
        String unknownInstance = UUID.randomUUID().toString();
        admin().body(Map.of("host", fleet.name("a"))).put("/v1/instances/" + unknownInstance).then().statusCode(201);
        postGoal(emptyHostsGoal(fleet.name("a")), "").then().statusCode(200)
                .body("reached", equalTo(false))
                .body("moves", empty())
                .body("stays[0].code", equalTo("request_unknown"));
        postGoal(emptyHostsGoal(fleet.name("a")), ", \"request_specs\": {\"" + unknownInstance + "\": "
                + fleet.spec(1, "") + "}").then()
                .statusCode(200)
                .body("stays", hasSize(1))
                .body("stays[0].code", equalTo("holds_nothing"));
    }

    @Test
    void refusesInvalidGoals() {
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
        invalid("{\"goal\": {" + makeRoomGoal(spec, 10_001) + "}}", "$.goal.make_room.count: must be between");
        invalid("{\"goal\": {" + makeRoomGoal(spec, 1) + "}, \"max_moves\": 101}",
                "$.max_moves: must be between 1 and 100");
        invalid("{\"goal\": {" + makeRoomGoal(spec, 1) + "}, \"request_specs\": {\"x\": {}}}",
                "$.request_specs.x: must be the uuid");
        postGoal(emptyHostsGoal("unknown-host"), "").then().statusCode(404)
                .body("errors[0].detail", startsWith("$.goal.empty_hosts.hosts[0]: there is no host unknown-host"));
    }

    private static void invalid(String body, String detail) {
        admin().body(body).post("/v1/proposals").then().statusCode(400).body("errors[0].detail", startsWith(detail));
    }

    private static int countOf(String spec) {
        return CapacityIT.count(spec, "").getInt("requests[0].count");
    }

    /** Continues beyond {@value #CLOUDS} clouds until each goal had moves. */
    @Test
    void proposedMovesSucceedAndGainWhatWasForecast() {
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
        int count = kind < 2 ? countOf(spec) + 1 + cloud.random().nextInt(2) : 1 + cloud.random().nextInt(2);
        List<String> hosts = cloud.busiest().reversed().stream()
                .filter(host -> cloud.at.isEmpty() || cloud.at.containsValue(host))
                .limit(count)
                .toList();
        String goal = switch (kind) {
            case 0, 1 -> makeRoomGoal(spec, count);
            case 2 -> emptyHostsGoal(hosts.toArray(String[]::new));
            default -> "\"spread\": {\"resource_class\": \"MEMORY_MB\"}";
        };
        JsonPath response = propose(goal, more);
        String about = "seed " + seed + ": " + response.prettify();
        assertThat(response.getBoolean("complete")).as(about).isTrue();
        List<Map<String, Object>> steps = response.getList("moves");
        assertThat(steps.size()).as(about).isLessThanOrEqualTo(movesMax);
        steps.forEach(step -> cloud.carryOut(step, about));
        moves.merge(response.getString("goal"), steps.size(), Integer::sum);
        switch (kind) {
            case 0, 1 -> {
                int after = response.getInt("gain.slots.after");
                assertThat(after).as(about).isEqualTo(Math.min(countOf(spec), count));
                assertThat(steps.isEmpty()).as(about).isEqualTo(after == response.getInt("gain.slots.before"));
                assertThat(response.getBoolean("reached")).as(about).isEqualTo(after >= count);
            }
            case 2 -> {
                List<String> emptied = new ArrayList<>(response.getList("gain.emptied"));
                emptied.addAll(response.getList("gain.empty_before"));
                // Only instances hold allocations on these hosts.
                hosts.forEach(host -> assertThat(emptied.contains(host)).as(host + " in " + about)
                        .isEqualTo(MovingCloud.use(host).isEmpty()));
                assertThat(response.getBoolean("reached")).as(about).isEqualTo(emptied.containsAll(hosts));
                assertThat(steps.isEmpty()).as(about).isEqualTo(response.getList("gain.emptied").isEmpty());
            }
            default -> {
                double before = response.getDouble("gain.imbalance.before");
                double after = response.getDouble("gain.imbalance.after");
                assertThat(propose(goal, more).getDouble("gain.imbalance.before")).as(about)
                        .isEqualTo(after, Offset.offset(1e-9));
                assertThat(after < before).as(about).isEqualTo(!steps.isEmpty());
                assertThat(response.getBoolean("reached")).as(about).isEqualTo(!steps.isEmpty());
            }
        }
    }
}
