package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.model.DatabaseUrl;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
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

/** Edits of a record that somebody has locked: decisions and heartbeats have connections of their own. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class EditsThatWaitIT {
    private static final int EDITS = 60;
    private static final int GROUPS = 9;
    private static final int JOINS_MAX = 2;

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
     * Sends all of them at once while somebody has locked the records that they change.
     *
     * @param work with the answers to come: begins as soon as some wait, and ends before the records are free
     * @return the answers
     */
    private static List<HttpResponse<String>> sendWhileLocked(
            String table, List<String> uuids, List<HttpRequest> requests,
            Consumer<List<CompletableFuture<HttpResponse<String>>>> work) throws SQLException {
        try (Connection other = connect();
                HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            other.setAutoCommit(false);
            other.createStatement().executeQuery(
                    "SELECT 1 FROM " + table + " WHERE uuid IN ('" + String.join("','", uuids) + "') FOR UPDATE");
            List<CompletableFuture<HttpResponse<String>>> answers = requests.stream()
                    .map(request -> http.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                    .toList();
            eventually(() -> assertThat(PostgresForTests.waitingForLock(table)).isGreaterThan(1));

            work.accept(answers);

            other.rollback();
            return answers.stream().map(CompletableFuture::join).toList();
        }
    }

    private void whileEditsWait(Runnable work) throws SQLException {
        String cell = Fleet.cell("locked");
        HttpRequest edit = request("/v1/cells/" + cell, "PUT", "{\"name\":\"" + cell + "\"}");
        // Edits give up after some seconds, each, and the next take their place: whoever waits with them gives up first.
        sendWhileLocked("cells", List.of(cell), Collections.nCopies(EDITS, edit), ignored -> work.run())
                .forEach(answer -> assertThat(answer.statusCode()).as(answer.body()).isIn(200, 409, 503));
    }

    @Test
    void letNoDecisionWait() throws SQLException {
        fleet.host("a", 8);

        whileEditsWait(() -> select(fleet.body(instances(1), "")).then().statusCode(200));
    }

    @Test
    void letNoHeartbeatWait() throws SQLException {
        String service = UUID.randomUUID().toString();
        admin().body("{\"host\":\"" + service + "\"}").put("/v1/services/" + service).then().statusCode(201);

        whileEditsWait(() -> admin().post("/v1/services/" + service + "/heartbeat").then().statusCode(204));
    }

    @Test
    void ofGroupsThatAreJoinedLetOthersBePlacedAndAreDoneWhenRepeated() throws SQLException {
        fleet.host("a", 64);
        List<String> groups = instances(GROUPS);
        List<String> boots = new ArrayList<>();
        List<String> booted = new ArrayList<>();
        for (String group : groups) {
            admin().body("{\"policy\":\"anti-affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
            booted.add(UUID.randomUUID().toString());
            boots.add(fleet.body(List.of(booted.getLast()), ",\"scheduler_hints\":{\"group\":\"" + group + "\"}"));
        }
        List<HttpResponse<String>> answers = sendWhileLocked(
                "server_groups", groups,
                boots.stream().map(boot -> request("/v1/select_destinations", "POST", boot)).toList(),
                coming -> {
                    select(fleet.body(instances(1), "")).then().statusCode(200);
                    while (!coming.stream().allMatch(CompletableFuture::isDone)) {
                        assertThat(PostgresForTests.waitingForLock("server_groups")).isLessThanOrEqualTo(JOINS_MAX);
                        Await.pause(50);
                    }
                });

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("did not grant a lock in time");
            assertThat(answer.headers().firstValue("retry-after")).isPresent();
        });
        // None is open for a claim that may still commit.
        booted.stream().limit(3).forEach(instance -> assertThat(admin().delete("/v1/instances/" + instance).statusCode()).isIn(204, 404));
        boots.forEach(boot -> eventually(() -> select(boot).then().statusCode(200)));
        groups.forEach(group -> {
            List<String> members = admin().get("/v1/server_groups/" + group).jsonPath().getList("members");
            assertThat(members).hasSize(1);
            assertThat(allocations(members.getFirst())).hasSize(1);
        });
    }
}
