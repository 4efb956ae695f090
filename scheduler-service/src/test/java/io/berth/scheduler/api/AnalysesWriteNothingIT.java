package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.deploy.process.Await.pause;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.model.DatabaseUrl;
import io.restassured.response.Response;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sends read-only requests, dry runs and analyses of every kind in random order to both packaged services, and compares
 * their tables before and after. {@code -Dberth.test.questions} sets the number of requests, {@code -Dberth.test.seed}
 * their order. No other client writes to these databases.
 */
@Tag("process")
class AnalysesWriteNothingIT {
    private static final int QUESTIONS = Integer.getInteger("berth.test.questions", 30);
    private static final long SEED = Seed.of(AnalysesWriteNothingIT.class);

    @RegisterExtension
    static final PackagedScheduler SCHEDULER = PackagedScheduler.alone();

    /** The number of decisions that {@link #build} records. */
    private static final int DECISIONS = 5;

    /**
     * Tables that background jobs change without any request: progress of the instance cleanup, counts of watches, and
     * the points up to which change logs were pruned.
     */
    private static final Set<String> MOVING = Set.of(
            "scheduler.cleanup_progress", "scheduler.capacity_counts", "scheduler.capacity_turns",
            "scheduler.registry_pruned", "placement.fleet_watermark");
    /** Change logs that are pruned after ten minutes: they may lose rows but must not gain any. */
    private static final Set<String> FORGOTTEN = Set.of("scheduler.registry_changes", "placement.fleet_changes");

    private final Fleet fleet = new Fleet();
    private final Map<String, Supplier<Response>> questions = new LinkedHashMap<>();
    private final List<String> records = new ArrayList<>();
    private String source;
    private String instance;

    private void build() {
        source = fleet.host("a", 8);
        fleet.register(source, "a", Fleet.cell("c"));
        instance = fleet.instanceOn("a");
        fleet.host("b", 4);
        fleet.host("full", 1);
        for (int i = 0; i < 3; i++) {
            records.add(select(fleet.body(instances(1), "")).then().statusCode(200).extract().path("decision_id"));
        }
        records.add(DecisionRecordsIT.idOf(
                select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900"))));
        admin().body("{\"request_spec\": " + fleet.spec(1, "") + "}").put("/v1/capacity/watches/" + fleet.name("w"))
                .then()
                .statusCode(201);
    }

    private static Supplier<Response> post(String path, String body) {
        return () -> admin().body(body).post(path);
    }

    private static Supplier<Response> get(String path) {
        return () -> admin().urlEncodingEnabled(false).get(path);
    }

    /** Adds one entry for each kind of request. */
    private void addQuestions(Random random) {
        String small = fleet.spec(1, "");
        String large = fleet.spec(6, "");
        String huge = fleet.spec(1, "").replace("\"vcpus\": 1", "\"vcpus\": 900");
        String name = fleet.name("a");
        String query = "resources=VCPU:2&required=" + fleet.trait();
        questions.put("why, of the nearest", post("/v1/explanations", "{\"request_spec\": " + large + "}"));
        questions.put("why, of one host", post("/v1/explanations",
                "{\"request_spec\": " + large + ", \"hosts\": [\"" + fleet.name("b") + "\"]}"));
        questions.put("why, under other options", post("/v1/explanations",
                "{\"request_spec\": " + small + ", \"options\": {\"ram_weight_multiplier\": -1.0}}"));
        questions.put("why, for a tenant", post("/v1/explanations?detail=tenant", "{\"request_spec\": " + huge + "}"));
        questions.put("how many", post("/v1/capacity", capacity(small, "")));
        questions.put("how many, by host", post("/v1/capacity", capacity(small, ", \"by\": [\"host\", \"zone\"]")));
        questions.put("how many of a group", post("/v1/capacity", capacity(
                fleet.spec(1,
                        ", \"instance_group\": {\"uuid\": \"" + UUID.randomUUID() + "\", \"policy\": \"anti-affinity\","
                                + " \"members\": [], \"hosts\": []}"), "")));
        questions.put("how many together", post("/v1/capacity", """
                {"joint": true, "requests": [{"name": "a", "request_spec": %s}, {"name": "b", "request_spec": %s}]}"""
                .formatted(small, large)));
        questions.put("watches", get("/v1/capacity/watches"));
        questions.put("decisions", get("/v1/decisions?limit=5&project=p"));
        questions.put("decisions about an instance", get("/v1/decisions?instance=" + instance));
        questions.put("a decision", () -> get("/v1/decisions/" + any(records, random)).get());
        questions.put("a decision, for a tenant",
                () -> get("/v1/decisions/" + any(records, random) + "?detail=tenant").get());
        questions.put("a host then", () -> get("/v1/decisions/" + any(records, random) + "/hosts/" + name).get());
        questions.put("a decision tried", post("/v1/select_destinations?dry_run=true", fleet.body(instances(2), "")));
        questions.put("a refusal tried", post("/v1/select_destinations?dry_run=true&explain=true",
                fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900")));
        questions.put("a move tried", post("/v1/moves?dry_run=true", """
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(instance, UUID.randomUUID(), source, fleet.spec(2, ""))));
        questions.put("what if", post("/v1/what_if", """
                {"changes": [{"add": {"like": "%1$s", "count": 2}}, {"disable": {"hosts": ["%2$s"]}}],
                 "ask": {"capacity": %3$s, "placements": [%4$s]}}"""
                .formatted(name, fleet.name("b"), capacity(small, ""), large)));
        questions.put("moves that make room", post("/v1/proposals",
                "{\"goal\": {\"make_room\": {\"request_spec\": " + fleet.spec(8, "") + ", \"count\": 1}}}"));
        questions.put("the fleet", get("/v1/fleet"));
        questions.put("a host of the fleet", get("/v1/fleet/" + source));
        questions.put("placement: why", placementGet("/berth/v1/allocation_candidates/explanation?limit=2&" + query));
        questions.put("placement: candidates", placementGet("/allocation_candidates?" + query));
        questions.put("placement: what if", placementPost("/berth/v1/what_if", """
                {"changes": [{"inventory": {"provider": "%1$s", "resource_class": "VCPU", "allocation_ratio": 4.0}},
                             {"traits": {"provider": "%1$s", "add": ["HW_CPU_X86_AVX"]}},
                             {"add": {"like": "%1$s", "root": "%2$s", "name": "%2$s"}}],
                 "before": true, "asks": [{"candidates": {"query": "%3$s"}}]}"""
                .formatted(source, UUID.randomUUID(), query)));
    }

    private static String capacity(String spec, String more) {
        return "{\"requests\": [{\"name\": \"f\", \"request_spec\": " + spec + ", \"max\": 500}]" + more + "}";
    }

    private static Supplier<Response> placementGet(String path) {
        return () -> placement().urlEncodingEnabled(false).get(path);
    }

    private static Supplier<Response> placementPost(String path, String body) {
        return () -> placement().body(body).post(path);
    }

    private static <T> T any(List<T> some, Random random) {
        return some.get(random.nextInt(some.size()));
    }

    @Test
    void analysesAndDryRunsChangeNoTable() {
        build();
        Random random = new Random(SEED);
        addQuestions(random);
        Map<String, Integer> sentByKind = new TreeMap<>();
        eventually("all earlier writes have ended", this::isQuiet);
        Map<String, List<String>> before = dump();

        for (int i = 0; i < QUESTIONS; i++) {
            String kind = i < questions.size()
                    ? List.copyOf(questions.keySet()).get(i)
                    : any(List.copyOf(questions.keySet()), random);
            Response response = questions.get(kind).get();
            assertThat(response.statusCode()).as("%s, seed %d: %s", kind, SEED, response.asString())
                    .isIn(kind.startsWith("a refusal") ? Set.of(409) : Set.of(200));
            sentByKind.merge(kind, 1, Integer::sum);
        }

        Map<String, List<String>> after = dump();
        assertThat(before.keySet())
                .contains("placement.allocations", "scheduler.decisions", "scheduler.request_records");
        before.forEach((table, rows) -> {
            var compared = assertThat(after.get(table)).as("%s, seed %d", table, SEED);
            if (FORGOTTEN.contains(table)) {
                compared.isSubsetOf(rows);
            } else {
                compared.isEqualTo(rows);
            }
        });
        assertThat(after.keySet()).isEqualTo(before.keySet());
        select(fleet.body(instances(1), "")).then().statusCode(200);
        assertThat(dump().get("placement.allocations")).as("the dump shows a real selection")
                .isNotEqualTo(after.get("placement.allocations"));
        System.out.printf("%d questions of %d kinds, seed %d: %d tables with %d rows are the same%n", QUESTIONS,
                sentByKind.size(), SEED, after.size(), after.values().stream().mapToInt(List::size).sum());
    }

    /** True once background writes have ended: two dumps, 3 s apart, are equal. */
    private boolean isQuiet() {
        Map<String, List<String>> first = dump();
        if (first.get("scheduler.decisions").size() < DECISIONS || !first.get("scheduler.request_leases").isEmpty()
                || !texts("SELECT instance::text FROM scheduler.instance_cleanups WHERE due_at IS NOT NULL")
                        .isEmpty()) {
            return false;
        }
        pause(3_000);
        return first.equals(dump());
    }

    /**
     * Every row of every table, with its transaction id and its position in the table, and the value of every sequence.
     */
    private Map<String, List<String>> dump() {
        Map<String, List<String>> all = new TreeMap<>();
        for (String table : texts("""
                SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE n.nspname IN ('placement', 'scheduler') AND c.relkind = 'r'""")) {
            if (!MOVING.contains(table)) {
                String partitionless = table.replaceAll("^(scheduler\\.decision(s|_contents))_[0-9]+$", "$1");
                all.computeIfAbsent(partitionless, ignored -> new ArrayList<>()).addAll(texts(
                        "SELECT t.xmin::text || ' ' || t.ctid::text || ' ' || t::text FROM " + table
                                + " t ORDER BY 1"));
            }
        }
        all.put("sequences", texts("""
                SELECT schemaname || '.' || sequencename || ' ' || coalesce(last_value::text, '') FROM pg_sequences
                 WHERE schemaname IN ('placement', 'scheduler') ORDER BY 1"""));
        return all;
    }

    private List<String> texts(String query) {
        DatabaseUrl database = DatabaseUrl.parse(SCHEDULER.databaseUrl());
        List<String> all = new ArrayList<>();
        try (var connection =
                DriverManager.getConnection(database.jdbcUrl("public"), database.user(), database.password());
                var rows = connection.createStatement().executeQuery(query)) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
        return all;
    }
}
