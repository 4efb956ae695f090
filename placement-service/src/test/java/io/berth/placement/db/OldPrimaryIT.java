package io.berth.placement.db;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresServer;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import io.berth.deploy.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a database address that leads to a standby, or to a promoted standby while the old primary still runs and keeps
 * its connections.
 */
@Tag("process")
class OldPrimaryIT {
    @TempDir
    Path folder;

    private PostgresServer old;
    private PostgresServer standby;
    private Wire wire;
    private ServiceProcess service;
    private Api placement;

    /** Starts two servers with the same history; the service is connected to the old one. */
    @BeforeEach
    void start() throws Exception {
        old = PostgresServer.start(folder.resolve("old"), 0, true, false);
        wire = Wire.to(old.port());
        String url = old.url().replace(":" + old.port() + "/", ":" + wire.port() + "/");
        service = ServiceProcess.start(Path.of(""), url);
        placement = new Api(service.url());
        old.close();
        PostgresServer.copyAsStandby(folder.resolve("old"), folder.resolve("new"));
        standby = PostgresServer.start(folder.resolve("new"), 0, true, false);
        old = PostgresServer.start(folder.resolve("old"), old.port(), true, false);
        eventually("connected again", () -> placement.isReady());
    }

    private void promote() {
        sql(standby, "SELECT pg_promote()");
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
        wire.close();
        old.close();
        standby.close();
    }

    /** Directs all connections to this server at once. */
    private void lead(PostgresServer server) {
        wire.forwardTo(server.port());
        wire.cut();
        wire.pass();
    }

    /** Returns the first column of the first row. */
    private static String sql(PostgresServer server, String sql) {
        String jdbc =
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres&currentSchema=placement";
        try (var connection = DriverManager.getConnection(jdbc);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static boolean has(PostgresServer server, String trait) {
        return sql(server, "SELECT name FROM traits WHERE name = '" + trait + "'") != null;
    }

    private static String trait() {
        return "CUSTOM_" + UUID.randomUUID().toString().replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Asserts that the next response, and every later one, shows what was written to the new primary. */
    private void assertShown(String trait) {
        Set<Integer> statuses = new TreeSet<>();
        eventually("a response arrives", () -> {
            int status = placement.get("/traits/" + trait).status();
            statuses.add(status);
            return status == 204 || status == 404;
        });
        assertThat(statuses).as("404 would come from the old primary").doesNotContain(404);
    }

    @Test
    void stopsReadingTheOldPrimaryOnceTheNewOneWasWritten() {
        promote();
        wire.forwardTo(standby.port());
        String[] written = {trait()};
        eventually("a write reaches the new primary", () -> {
            written[0] = trait();
            return placement.call("PUT", "/traits/" + written[0], null).status() == 201 && has(standby, written[0]);
        });
        assertShown(written[0]);
        assertThat(service.errors()).singleElement().asString().contains("another primary now (timeline 2 after 1)");
    }

    /** Runs nightly: the setup is slow, and the other tests cover the same checks of a connection. */
    @Test
    @Tag("long")
    void stopsReadingTheOldPrimaryWithoutWritesOfThisReplica() {
        promote();
        String written = trait();
        sql(standby, "INSERT INTO traits (name) VALUES ('" + written + "') RETURNING name");
        wire.forwardTo(standby.port());
        eventually("read from the new primary", () -> placement.get("/traits").body().contains(written));
    }

    @Test
    void refusesTheOldPrimaryOnceTheNewOneWasSeen() {
        promote();
        wire.forwardTo(standby.port());
        String written = trait();
        eventually("a write reaches the new primary",
                () -> placement.call("PUT", "/traits/" + written, null).status() == 201 && has(standby, written)
                        || has(standby, written));
        lead(old);
        eventually("refused", () -> placement.get("/traits/" + written).body()
                .contains("The database is an old primary (timeline 1, timeline 2 was seen)"));
        assertThat(placement.get("/q/health/ready").body()).contains("an old primary (timeline 1");
        assertThat(placement.call("PUT", "/traits/" + trait(), null).status()).isEqualTo(503);
        wire.forwardTo(standby.port());
        eventually("requests succeed again", () -> placement.get("/traits/" + written).status() == 204);
    }

    /** Runs nightly: the setup is slow, and the other tests cover the same checks of a connection. */
    @Test
    @Tag("long")
    void reportsAStandbyInEveryRefusalAndInReadiness() {
        String message = "he database is a standby (in recovery), the primary is needed: check BERTH_DATABASE_URL";
        lead(standby);
        eventually("refused", () -> placement.get("/traits").body().contains(message));
        for (Api.Response refused : List.of(
                placement.get("/allocations/" + UUID.randomUUID()),
                placement.call("PUT", "/traits/" + trait(), null),
                placement.call("DELETE", "/allocations/" + UUID.randomUUID(), null))) {
            assertThat(refused.isUnavailable()).as("%s", refused).isTrue();
            assertThat(refused.body()).contains(message);
        }
        assertThat(placement.get("/q/health/ready").body()).contains(message);
        try (var started = ServiceProcess.start(Path.of(""), standby.url())) {
            assertThat(new Api(started.url()).get("/traits").body()).contains(message);
        }
        promote();
        eventually("requests succeed again", () -> placement.call("PUT", "/traits/" + trait(), null).status() == 201);
    }
}
