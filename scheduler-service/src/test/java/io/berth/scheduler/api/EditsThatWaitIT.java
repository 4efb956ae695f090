package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Edits of a record that somebody has locked: decisions have connections of their own. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class EditsThatWaitIT {
    private static final int EDITS = 60;

    private final Fleet fleet = new Fleet();

    @TestHTTPResource("/")
    URI root;

    private static Connection connect() throws SQLException {
        DatabaseUrl url = DatabaseUrl.parse(PostgresForTests.url());
        return DriverManager.getConnection(url.jdbcUrl("scheduler"), url.user(), url.password());
    }

    private static int waitingFor(String lock) {
        try (Connection observer = connect();
                ResultSet count = observer.createStatement().executeQuery(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%" + lock + "%'")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void letNoDecisionWait() throws SQLException {
        fleet.host("a", 8);
        String cell = Fleet.cell("locked");
        try (Connection other = connect();
                HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            other.setAutoCommit(false);
            other.createStatement().executeQuery("SELECT 1 FROM cells WHERE uuid = '" + cell + "' FOR UPDATE");
            List<CompletableFuture<HttpResponse<String>>> edits = Stream
                    .generate(() -> http.sendAsync(
                            HttpRequest.newBuilder(root.resolve("/v1/cells/" + cell))
                                    .header("x-auth-token", "admin")
                                    .header("content-type", "application/json")
                                    .PUT(HttpRequest.BodyPublishers.ofString("{\"name\":\"" + cell + "\"}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString()))
                    .limit(EDITS)
                    .toList();
            eventually(() -> assertThat(waitingFor("cells")).isGreaterThan(1));

            // Edits give up after some seconds, each, and the next take their place: whoever waits with them gives up first.
            for (int i = 0; i < 3; i++) {
                select(fleet.body(instances(1), "")).then().statusCode(200);
            }

            other.rollback();
            edits.forEach(edit -> assertThat(edit.join().statusCode()).as(edit.join().body()).isIn(200, 409, 503));
        }
    }
}
