package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests server groups whose members are placed concurrently through two schedulers, while other members are moved,
 * reverted and rescheduled. The allocations in placement decide: an instance counts on every host where it or its
 * migration holds allocations.
 */
@Tag("long")
class ServerGroupsIT {
    private static final int GROUPS = Cloud.LONG ? 96 : 24;
    private static final int MEMBERS = 12;
    private static final int HOSTS = 14;
    private static final int GROUPS_AT_ONCE = 3;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Cloud cloud = Cloud.shared();
    private final List<ServiceProcess> schedulers = new ArrayList<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    /** The number of responses by request and status. */
    private final Map<String, AtomicInteger> responseCounts = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private String trait;

    @BeforeEach
    void start() {
        cloud.awaitReady(0);
        trait = SchedulerHosts.make(cloud.placement(0), HOSTS).trait();
        Map<String, String> environment = Map.of(
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()),
                "BERTH_PLACEMENT_URL", cloud.url(0));
        schedulers.add(ServiceProcess.start(Packaged.SCHEDULER, environment));
        schedulers.add(ServiceProcess.start(Packaged.SCHEDULER, environment));
    }

    @AfterEach
    void stop() {
        schedulers.forEach(ServiceProcess::close);
    }

    @Test
    void keepsThePolicyForMembersPlacedConcurrentlyByTwoSchedulers() throws Exception {
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            groups.add(new Group(i));
        }
        try (var clients = Executors.newFixedThreadPool(GROUPS_AT_ONCE)) {
            clients.invokeAll(groups.stream().map(Executors::callable).toList()).forEach(done -> {
                if (done.state() == Future.State.FAILED) {
                    wrong.add(String.valueOf(done.exceptionNow()));
                }
            });
        }
        System.out.println("  answers " + new TreeMap<>(responseCounts));
        int held = 0;
        int violated = 0;
        try (Connection database = cloud.postgres().connect()) {
            for (Group group : groups) {
                Map<String, Set<UUID>> byHost = group.byHost(database);
                held += (int) byHost.values().stream().flatMap(Set::stream).distinct().count();
                violated += group.isKept(byHost) ? 0 : 1;
            }
            System.out.printf("  groups %d, of which %d violated; members placed %d of %d%n",
                    groups.size(), violated, held, GROUPS * MEMBERS);
            assertThat(wrong).isEmpty();
            assertThat(violated).isZero();
            assertThat(held).isEqualTo(GROUPS * MEMBERS);
            assertThat(countReservations(database, groups)).as("reservations whose request is over").isZero();
        }
    }

    private static long countReservations(Connection database, List<Group> groups) throws SQLException {
        try (var statement = database.prepareStatement("""
                SELECT count(*) FROM scheduler.server_group_reservations WHERE server_group = ANY(?) AND NOT leaving""")) {
            statement.setArray(1, database.createArrayOf(
                    "uuid", groups.stream().map(group -> group.uuid).toArray(UUID[]::new)));
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private Api.Response call(String what, String path, String body) {
        Api.Response response = new Api(schedulers.get(calls.incrementAndGet() % 2).url())
                .call("POST", path, body, ANSWER_MAX);
        responseCounts.computeIfAbsent(what + " " + response.status(), each -> new AtomicInteger()).incrementAndGet();
        if (response.status() != 200 && response.status() != 409) {
            wrong.add(what + ": " + response);
        }
        return response;
    }

    private static JsonNode json(Api.Response response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(response.toString(), e);
        }
    }

    /**
     * One group and its members. A third of the groups keep their members together, the others apart; a quarter are
     * known only by their requests.
     */
    private final class Group implements Runnable {
        private final UUID uuid = UUID.randomUUID();
        private final boolean together;
        private final int most;
        private final boolean registered;
        private final Random random;
        /** Instances by the consumers of their allocations: themselves and their migrations. */
        private final Map<UUID, UUID> instances = new ConcurrentHashMap<>();

        Group(int number) {
            together = number % 3 == 2;
            most = number % 3 == 1 ? 2 : 1;
            registered = number % 4 != 3;
            random = new Random(cloud.seed() + number);
        }

        private String policy() {
            return together
                    ? "\"policy\": \"affinity\""
                    : "\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": %d}".formatted(most);
        }

        private String spec() {
            return """
                    {"project_id": "p", "user_id": "u",
                     "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 10,
                                "extra_specs": {"trait:%s": "required"}}, %s}"""
                    .formatted(trait, registered
                            ? "\"scheduler_hints\": {\"group\": \"%s\"}".formatted(uuid)
                            : "\"instance_group\": {\"uuid\": \"%s\", %s}".formatted(uuid, policy()));
        }

        /** Requests all of these instances and returns the response. */
        private Api.Response boot(List<UUID> members) {
            members.forEach(member -> instances.put(member, member));
            String names = String.join("\", \"", members.stream().map(UUID::toString).toList());
            return call("boot", "/v1/select_destinations", """
                    {"instance_uuids": ["%s"], "return_alternates": true, "request_spec": %s}"""
                    .formatted(names, spec()));
        }

        /** Repeats the request until it succeeds, because another member may have reserved a host only temporarily. */
        private void bootWithRetries(List<UUID> members) {
            Await.eventually("there is room for all", () -> boot(members).status() == 200);
        }

        private UUID move(UUID instance, String source) {
            UUID migration = UUID.randomUUID();
            instances.put(migration, instance);
            Api.Response moved = call("move", "/v1/moves", """
                    {"kind": "cold", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                     "request_spec": %s}""".formatted(instance, migration, source, spec()));
            return moved.status() == 200 ? migration : null;
        }

        private void moveAndRevert(UUID instance, String source) {
            for (int i = 0; i < 3; i++) {
                UUID migration = move(instance, source);
                if (migration != null) {
                    Await.eventually("the move is reverted",
                            () -> call("revert", "/v1/moves/" + migration + "/revert", null).status() == 200);
                }
            }
        }

        private void moveAndConfirm(UUID instance, String source) {
            UUID migration = move(instance, source);
            if (migration != null) {
                Cloud.expect(204, cloud.placement(0).call("DELETE", "/allocations/" + migration, null));
            }
        }

        private void reschedule(UUID instance, JsonNode selections) {
            List<String> alternates = new ArrayList<>();
            for (int i = 1; i < selections.size(); i++) {
                alternates.add(selections.get(i).toString());
            }
            Api.Response response = call("reschedule", "/v1/reschedule", """
                    {"instance_uuid": "%s", "project_id": "p", "user_id": "u", "failed": %s, "alternates": [%s]}"""
                    .formatted(instance, selections.get(0), String.join(",", alternates)));
            if (response.status() == 409) {
                // The instance holds nothing now; its orchestrator deletes it and creates it again.
                call0("DELETE", "/v1/instances/" + instance);
                bootWithRetries(List.of(instance));
            }
        }

        private void call0(String method, String path) {
            new Api(schedulers.getFirst().url()).call(method, path, null);
        }

        @Override
        public void run() {
            if (registered) {
                Cloud.expect(201, new Api(schedulers.get(0).url())
                        .call("PUT", "/v1/server_groups/" + uuid, "{" + policy() + "}"));
            }
            List<UUID> first = members(4);
            Map<UUID, JsonNode> placed = new ConcurrentHashMap<>();
            runConcurrently(first.stream().<Runnable>map(
                    member -> () -> placed.put(member, json(boot(List.of(member))).path("selections").path(0)))
                    .toList());
            check("after the first");
            List<Runnable> steps = new ArrayList<>();
            List<UUID> others = members(MEMBERS - first.size());
            // Two requests for two instances each, and one request for each other instance.
            steps.add(() -> bootWithRetries(others.subList(0, 2)));
            steps.add(() -> bootWithRetries(others.subList(2, 4)));
            others.subList(4, others.size()).forEach(member -> steps.add(() -> bootWithRetries(List.of(member))));
            steps.add(() -> moveAndRevert(first.get(0), source(placed.get(first.get(0)))));
            steps.add(() -> moveAndConfirm(first.get(1), source(placed.get(first.get(1)))));
            steps.add(() -> reschedule(first.get(2), placed.get(first.get(2))));
            Collections.shuffle(steps, random);
            runConcurrently(steps);
            check("after all");
        }

        private static String source(JsonNode selections) {
            return selections.path(0).path("compute_node_uuid").textValue();
        }

        private static List<UUID> members(int count) {
            List<UUID> members = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                members.add(UUID.randomUUID());
            }
            return members;
        }

        /** Runs all steps concurrently and checks the policy until they end. */
        private void runConcurrently(List<Runnable> steps) {
            List<Thread> threads = steps.stream().map(step -> Thread.ofVirtual().start(() -> {
                try {
                    step.run();
                } catch (RuntimeException | AssertionError failure) {
                    wrong.add(String.valueOf(failure));
                }
            })).toList();
            while (threads.stream().anyMatch(Thread::isAlive)) {
                check("meanwhile");
                Await.pause(50);
            }
        }

        private void check(String when) {
            try (Connection database = cloud.postgres().connect()) {
                Map<String, Set<UUID>> byHost = byHost(database);
                if (!isKept(byHost)) {
                    wrong.add(when + ": group " + uuid + " together=" + together + " most=" + most + " " + byHost);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private boolean isKept(Map<String, Set<UUID>> byHost) {
            return together ? byHost.size() <= 1 : byHost.values().stream().allMatch(there -> there.size() <= most);
        }

        private Map<String, Set<UUID>> byHost(Connection database) throws SQLException {
            try (var statement = database.prepareStatement("""
                    SELECT consumer_uuid, name
                      FROM allocations JOIN resource_providers ON resource_providers.id = provider_id
                     WHERE consumer_uuid = ANY(?)""")) {
                statement.setArray(1, database.createArrayOf("uuid", instances.keySet().toArray(UUID[]::new)));
                Map<String, Set<UUID>> byHost = new HashMap<>();
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        UUID instance = instances.get(rows.getObject(1, UUID.class));
                        byHost.computeIfAbsent(rows.getString(2), made -> new HashSet<>()).add(instance);
                    }
                }
                return byHost;
            }
        }
    }
}
