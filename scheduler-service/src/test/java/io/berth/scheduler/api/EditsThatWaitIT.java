package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.instances;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.model.DatabaseUrl;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Edits of records that another transaction has locked: decisions and heartbeats continue because they have their own
 * connections.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class EditsThatWaitIT {
    private static final int EDITS = 60;
    private static final int GROUPS = 9;
    private static final int JOINS_MAX = 3;

    private final Fleet fleet = new Fleet();

    @TestHTTPResource("/")
    URI root;

    private static Connection connect() throws SQLException {
        DatabaseUrl url = DatabaseUrl.parse(PostgresForTests.url());
        return DriverManager.getConnection(url.jdbcUrl("scheduler"), url.user(), url.password());
    }

    private HttpRequest request(String path, String method, String body) {
        return HttpRequest.newBuilder(root.resolve(path))
                .header("x-auth-token", "admin")
                .header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /**
     * Sends all requests at once while another transaction has locked the records that they change.
     *
     * @param work receives the pending responses; begins as soon as some requests wait, and ends before the lock is
     *     released
     * @return the responses
     */
    private static List<HttpResponse<String>> sendWhileLocked(
            String table, List<String> uuids, List<HttpRequest> requests,
            Consumer<List<CompletableFuture<HttpResponse<String>>>> work) throws SQLException {
        try (Connection other = connect();
                HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            other.setAutoCommit(false);
            other.createStatement().executeQuery(
                    "SELECT 1 FROM " + table + " WHERE uuid IN ('" + String.join("','", uuids) + "') FOR UPDATE");
            List<CompletableFuture<HttpResponse<String>>> responses = requests.stream()
                    .map(request -> http.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                    .toList();
            eventually(() -> assertThat(PostgresForTests.countWaitingForLock(table)).isGreaterThan(1));

            work.accept(responses);

            other.rollback();
            return responses.stream().map(CompletableFuture::join).toList();
        }
    }

    private HttpRequest select(String body) {
        return request("/v1/select_destinations", "POST", body);
    }

    private static List<String> groups(int count) {
        List<String> groups = instances(count);
        groups.forEach(group -> admin().body("{\"policy\":\"soft-anti-affinity\"}")
                .put("/v1/server_groups/" + group).then().statusCode(201));
        return groups;
    }

    private static String hint(String group) {
        return ",\"scheduler_hints\":{\"group\":\"" + group + "\"}";
    }

    private String selectionBody(String instance, String group) {
        return fleet.body(List.of(instance), hint(group));
    }

    private String move(String instance, String migration, String source, String group) {
        return """
                {"kind": "cold", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(instance, migration, source, fleet.spec(1, hint(group)));
    }

    private void whileEditsWait(Runnable work) throws SQLException {
        String cell = Fleet.cell("locked");
        HttpRequest edit = request("/v1/cells/" + cell, "PUT", "{\"name\":\"" + cell + "\"}");
        // Each edit gives up after some seconds and the next one takes its place, so a request in the same queue would
        // give up first.
        sendWhileLocked("cells", List.of(cell), Collections.nCopies(EDITS, edit), ignored -> work.run())
                .forEach(response -> assertThat(response.statusCode()).as(response.body()).isIn(200, 409, 503));
    }

    @Test
    void decisionsContinueWhileEditsWaitForALock() throws SQLException {
        fleet.host("a", 8);

        whileEditsWait(() -> Fleet.select(fleet.body(instances(1), "")).then().statusCode(200));
    }

    @Test
    void heartbeatsContinueWhileEditsWaitForALock() throws SQLException {
        String service = UUID.randomUUID().toString();
        admin().body("{\"host\":\"" + service + "\"}").put("/v1/services/" + service).then().statusCode(201);

        whileEditsWait(() -> admin().post("/v1/services/" + service + "/heartbeat").then().statusCode(204));
    }

    @Test
    void selectionsThatJoinALockedGroupAreRefusedAndSucceedOnRetry() throws SQLException {
        fleet.host("a", 64);
        List<String> groups = groups(GROUPS);
        List<String> selections = new ArrayList<>();
        List<String> selected = new ArrayList<>();
        for (String group : groups) {
            selected.add(UUID.randomUUID().toString());
            selections.add(selectionBody(selected.getLast(), group));
        }
        List<HttpResponse<String>> responses = sendWhileLocked(
                "server_groups", groups,
                selections.stream().map(this::select).toList(),
                pending -> {
                    Fleet.select(fleet.body(instances(1), "")).then().statusCode(200);
                    while (!pending.stream().allMatch(CompletableFuture::isDone)) {
                        assertThat(PostgresForTests.countWaitingForLock("server_groups")).isLessThanOrEqualTo(JOINS_MAX);
                        Await.pause(50);
                    }
                });

        assertThat(responses).allSatisfy(response -> {
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("did not grant a lock in time");
            assertThat(response.headers().firstValue("retry-after")).isPresent();
        });
        // Where joins used up all the time, a record stays open until its lease ends.
        selected.stream().limit(3).forEach(instance -> eventually(
                () -> assertThat(admin().delete("/v1/instances/" + instance).statusCode()).isIn(204, 404)));
        selections.forEach(selectionBody -> eventually(() -> Fleet.select(selectionBody).then().statusCode(200)));
        groups.forEach(group -> {
            List<String> members = admin().get("/v1/server_groups/" + group).jsonPath().getList("members");
            assertThat(members).hasSize(1);
            assertThat(allocations(members.getFirst())).hasSize(1);
        });
    }

    @Test
    void movesThatJoinALockedGroupAreRefusedAndSucceedOnRetry() throws SQLException {
        String source = fleet.host("a", 64);
        fleet.host("b", 64);
        List<String> groups = groups(2);
        List<String> moves = new ArrayList<>();
        List<String> migrations = instances(6);
        for (int i = 0; i < migrations.size(); i++) {
            moves.add(move(fleet.instanceOn("a"), migrations.get(i), source, groups.get(i % groups.size())));
        }
        List<HttpResponse<String>> responses = sendWhileLocked(
                "server_groups", groups,
                moves.stream().map(move -> request("/v1/moves", "POST", move)).toList(),
                pending -> pending.forEach(CompletableFuture::join));

        assertThat(responses)
                .allSatisfy(response -> assertThat(response.statusCode()).as(response.body()).isEqualTo(503));
        assertThat(moves("true", migrations)).as("moves that have begun").isEqualTo(migrations.size());
        assertThat(moves("state = 'started' AND attempts = 0", migrations))
                .as("moves that stay open until their leases end").isZero();
        moves.forEach(move -> eventually(() -> admin().body(move).post("/v1/moves").then().statusCode(200)));
    }

    @Test
    void aSelectionSucceedsAfterADeadlockOnItsGroup() {
        fleet.host("a", 64);
        List<HttpResponse<String>> responses = new ArrayList<>();
        // If the test is delayed by seconds, the request times out instead of meeting the deadlock; then it is
        // repeated.
        eventually(() -> {
            responses.add(selectDuringADeadlock());
            assertThat(responses.getLast().body()).doesNotContain("did not grant a lock in time");
        });
        assertThat(responses.getLast().statusCode()).as(responses.getLast().body()).isEqualTo(200);
    }

    /**
     * Creates a deadlock in which PostgreSQL aborts the selection: the transaction that begins to wait last checks
     * first.
     */
    private HttpResponse<String> selectDuringADeadlock() {
        String group = groups(1).getFirst();
        List<String> members = instances(2).stream().sorted().toList();
        try (Connection delay = connect();
                Connection edit = connect();
                HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            delay.setAutoCommit(false);
            join(delay, group, members.getLast());
            edit.setAutoCommit(false);
            edit.createStatement().execute("SET LOCAL deadlock_timeout = '1h'");
            edit.createStatement().execute("SELECT 1 FROM server_groups WHERE uuid = '" + group + "' FOR UPDATE");
            var response = http.sendAsync(
                    select(fleet.body(members, hint(group))), HttpResponse.BodyHandlers.ofString());
            eventually(() -> assertThat(response.isDone() || membersWaitedFor() == 1).isTrue());
            var listed = CompletableFuture.runAsync(() -> join(edit, group, members.getFirst()));
            eventually(() -> assertThat(response.isDone() || membersWaitedFor() == 2).isTrue());
            delay.rollback();
            listed.join();
            edit.commit();
            return response.join();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int membersWaitedFor() {
        return PostgresForTests.countWaitingForLock("server_group_members");
    }

    private static void join(Connection connection, String group, String member) {
        try (var insert = connection.createStatement()) {
            insert.execute("INSERT INTO server_group_members (server_group, instance) VALUES ('" + group + "', '"
                    + member
                    + "') ON CONFLICT DO NOTHING");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int moves(String which, List<String> migrations) throws SQLException {
        try (Connection connection = connect();
                var count = connection.createStatement().executeQuery(
                        "SELECT count(*) FROM moves WHERE " + which + " AND migration_uuid IN ('"
                                + String.join("','", migrations) + "')")) {
            count.next();
            return count.getInt(1);
        }
    }

    @Test
    void membersMoveToOtherHostsWhileTheirGroupIsLocked() throws SQLException {
        fleet.host("a", 64);
        fleet.host("b", 64);
        List<String> groups = groups(2);
        String moving = UUID.randomUUID().toString();
        String failing = UUID.randomUUID().toString();
        Fleet.select(selectionBody(moving, groups.getFirst())).then().statusCode(200);
        JsonArray hosts =
                new JsonArray(
                        Fleet.select(selectionBody(failing, groups.getFirst())).jsonPath().getList("selections[0]"));
        String move = move(
                moving, UUID.randomUUID().toString(), allocations(moving).keySet().iterator().next(),
                groups.getFirst());
        String reschedule = "{\"instance_uuid\":\"" + failing + "\",\"project_id\":\"p\",\"user_id\":\"u\","
                + "\"failed\":" + hosts.getJsonObject(0) + ",\"alternates\":[" + hosts.getJsonObject(1) + "]}";
        List<HttpRequest> selections = groups.stream()
                .flatMap(group -> instances(4).stream().map(each -> select(selectionBody(each, group))))
                .toList();

        sendWhileLocked("server_groups", groups, selections, ignored -> {
            admin().body(move).post("/v1/moves").then().statusCode(200);
            admin().body(reschedule).post("/v1/reschedule").then().statusCode(200);
        });
    }
}
