package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.process.Seed;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Moves that are proposed are accepted when they are made, one after the other, and gain what is told.
 * {@code -Dberth.test.clouds} says with how many random clouds, {@code -Dberth.test.seed} with which first.
 */
class ProposalsIT {
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(CapacityIT.MANY_FILTERS);

    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 6);
    private static final long SEED = Seed.of(ProposalsIT.class);

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

    private static void registered(Fleet fleet, String name, int vcpus) {
        fleet.register(fleet.host(name, vcpus), name, Fleet.cell("cell"));
    }

    /** On that host, of so many VCPUs. */
    private static String instance(Fleet fleet, String host, int vcpus, String hints) {
        String instance = UUID.randomUUID().toString();
        Response placed = select("{\"instance_uuids\": [\"" + instance + "\"], \"request_spec\": "
                + fleet.spec(vcpus, ", \"force_hosts\": [\"" + fleet.name(host) + "\"]" + hints) + "}");
        assertThat(placed.statusCode()).as(placed.asString()).isEqualTo(200);
        return instance;
    }

    @Test
    void makesRoomWithTheSmallestInstanceThatDoes() {
        Fleet fleet = new Fleet();
        fleet.host("a", 4);
        fleet.host("b", 4);
        String one = instance(fleet, "a", 1, "");
        instance(fleet, "a", 2, "");
        instance(fleet, "b", 2, "");
        JsonPath answer = propose(room(fleet.spec(3, ""), 1), "");
        assertThat(answer.getBoolean("reached")).as(answer.prettify()).isTrue();
        assertThat(answer.getMap("gain.slots")).isEqualTo(Map.of("wanted", 1, "before", 0, "after", 1));
        assertThat(answer.getList("moves.memory_mb")).isEqualTo(List.of(answer.getInt("cost.memory_mb")));
        assertThat(answer.getList("moves", Map.class)).hasSize(1);
        // Whatever was asked: nothing has moved.
        assertThat(allocations(one)).isEqualTo(Map.of(allocations(one).keySet().iterator().next(), Fleet.amounts(1)));
        assertThat(answer.getBoolean("complete")).isTrue();
        assertThat(answer.getLong("as_of.fleet_version")).isPositive();
    }

    @Test
    void emptiesAHostWhollyOrNotAtAll() {
        Fleet fleet = new Fleet();
        registered(fleet, "a", 4);
        registered(fleet, "b", 4);
        instance(fleet, "a", 1, "");
        String pinned = instance(fleet, "b", 1, ", \"scheduler_hints\": {\"berth:pinned\": \"true\"}");
        JsonPath a = propose(named(fleet.name("a")), "");
        assertThat(a.getBoolean("reached")).as(a.prettify()).isFalse();
        assertThat(a.getList("stays.code")).isEqualTo(List.of("no_valid_host"));
        JsonPath b = propose(named(fleet.name("b")), "");
        assertThat(b.getList("stays")).isEqualTo(List.of(Map.of(
                "instance", pinned, "from", fleet.name("b"), "code", "pinned", "reason", "it says berth:pinned")));
        assertThat(b.getMap("binding")).isEqualTo(Map.of("instances_stay", 1));
        assertThat(b.getList("moves")).isEmpty();
    }

    @Test
    void passesOverHostsThatPlacementDoesNotKnow() {
        String host = UUID.randomUUID().toString();
        admin().body(Map.of("host", host, "cell_uuid", Fleet.cell("cell"))).put("/v1/compute_nodes/" + UUID.randomUUID()).then()
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
        invalid("{\"goal\": {\"spread\": {\"resource_class\": \"VCPU\"}, \"empty_hosts\": {\"count\": 1}}}", "$.goal: must have one of");
        invalid("{\"goal\": {\"empty_hosts\": {}}}", "$.goal.empty_hosts: must have exactly one of");
        invalid("{\"goal\": {\"empty_hosts\": {\"count\": 0}}}", "$.goal.empty_hosts.count: must be between 1 and 10000");
        invalid("{\"goal\": {\"spread\": {\"resource_class\": \"vcpu\"}}}", "$.goal.spread.resource_class: is no resource class");
        invalid("{\"goal\": {" + room(spec, 10_001) + "}}", "$.goal.make_room.count: must be between");
        invalid("{\"goal\": {" + room(spec, 1) + "}, \"max_moves\": 101}", "$.max_moves: must be between 1 and 100");
        invalid("{\"goal\": {" + room(spec, 1) + "}, \"request_specs\": {\"x\": {}}}", "$.request_specs.x: is no uuid");
        ask(named("nobody"), "").then().statusCode(404)
                .body("errors[0].detail", startsWith("$.goal.empty_hosts.hosts[0]: there is no host nobody"));
    }

    private static void invalid(String body, String detail) {
        admin().body(body).post("/v1/proposals").then().statusCode(400).body("errors[0].detail", startsWith(detail));
    }

    private static int counted(String spec, int max) {
        return admin().body("{\"requests\": [{\"name\": \"f\", \"request_spec\": " + spec + ", \"max\": " + max
                + "}], \"timeout_s\": 60}").post("/v1/capacity").jsonPath().getInt("requests[0].count");
    }

    @Test
    void whatIsProposedCanBeDoneAndGainsWhatIsTold() {
        int moves = 0;
        int reached = 0;
        for (long seed = SEED; seed < SEED + CLOUDS; seed++) {
            MovingCloud cloud = new MovingCloud(seed);
            int movesMax = 1 + cloud.random().nextInt(8);
            String more = ", \"max_moves\": " + movesMax;
            String spec = cloud.spec();
            int kind = cloud.random().nextInt(4);
            int count = kind < 2 ? counted(spec, 500) + 1 + cloud.random().nextInt(2) : 1 + cloud.random().nextInt(2);
            String goal = switch (kind) {
                case 0, 1 -> room(spec, count);
                case 2 -> named(cloud.busiest().reversed().stream()
                        .filter(host -> cloud.at.isEmpty() || cloud.at.containsValue(host))
                        .limit(count)
                        .toArray(String[]::new));
                default -> "\"spread\": {\"resource_class\": \"MEMORY_MB\"}";
            };
            JsonPath answer = propose(goal, more);
            String about = "seed " + seed + ": " + answer.prettify();
            assertThat(answer.getBoolean("complete")).as(about).isTrue();
            reached += answer.getBoolean("reached") ? 1 : 0;
            List<Map<String, Object>> steps = answer.getList("moves");
            assertThat(steps.size()).as(about).isLessThanOrEqualTo(movesMax);
            for (Map<String, Object> step : steps) {
                cloud.carryOut(step, about);
                moves++;
            }
            switch (kind) {
                case 0, 1 -> {
                    assertThat(answer.getInt("gain.slots.after")).as(about).isEqualTo(counted(spec, count));
                    assertThat(steps.isEmpty()).as(about)
                            .isEqualTo(answer.getInt("gain.slots.after") == answer.getInt("gain.slots.before"));
                }
                case 2 -> {
                    List<String> emptied = answer.getList("gain.emptied");
                    emptied.forEach(host -> assertThat(MovingCloud.use(host)).as(about).isEmpty());
                }
                default -> {
                    JsonPath again = propose(goal, more);
                    assertThat(again.getDouble("gain.imbalance.before")).as(about)
                            .isEqualTo(answer.getDouble("gain.imbalance.after"), Offset.offset(1e-9));
                    assertThat(answer.getDouble("gain.imbalance.after")).as(about)
                            .isLessThanOrEqualTo(answer.getDouble("gain.imbalance.before"));
                }
            }
        }
        assertThat(CLOUDS < 50 || moves * reached > 0).as("moves %d, reached %d", moves, reached).isTrue();
    }
}
