package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Tests a service that runs out of database connections: those of one pool, because a transaction holds a lock, or
 * those of PostgreSQL itself.
 */
class PoolExhaustedIT {
    /** Connections of the catalog's pool. */
    private static final int POOL = 8;
    private static final int WRITERS = 60;
    private static final int SESSIONS_OF_POSTGRES = 200;

    private final Cloud cloud = Cloud.shared();

    @Test
    void claimsAndReadsWhileEveryCatalogConnectionWaitsForALock() throws Exception {
        ClaimLoad load = cloud.claims(8);
        Footprint before = Footprint.of(cloud.process(0));
        long refused = load.count(503);
        try (load; var threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = cloud.postgres().connect(); Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            // Every change of a tree's shape waits for this lock.
            statement.execute("SELECT pg_advisory_xact_lock(774411)");
            List<Future<Api.Response>> writers = new ArrayList<>();
            UUID parent = Cloud.hosts(cloud.placement(0), 1).getFirst();
            for (int i = 0; i < WRITERS; i++) {
                String name = "exhausted-" + UUID.randomUUID();
                String body = "{\"name\": \"%s\", \"parent_provider_uuid\": \"%s\"}".formatted(name, parent);
                writers.add(threads.submit(() -> createWithRetries(body)));
            }
            Await.eventually("every connection of the pool waits", () -> waiting(statement) == POOL);
            load.awaitAcknowledged(300);
            Cloud.expect(200, cloud.placement(0).get("/resource_providers"));
            Cloud.expect(200, cloud.placement(0).get("/allocation_candidates?resources=VCPU:1"));
            assertThat(cloud.placement(0).isReady()).as("readiness").isTrue();
            assertThat(writers.stream().filter(Future::isDone).count()).as("writers that do not wait").isZero();
            other.rollback();
            for (Future<Api.Response> writer : writers) {
                Cloud.expect(200, writer.get());
            }
        }
        assertThat(load.count(503)).as("refused claims").isEqualTo(refused);
        cloud.checkAfter(load);
        Footprint.checkAgainst(before, cloud.process(0));
    }

    /**
     * Creates a provider and retries after 503 with Retry-After, which a request gets if it waits too long for a lock.
     */
    private Api.Response createWithRetries(String body) {
        while (true) {
            Api.Response response = cloud.placement(0).call("POST", "/resource_providers", body);
            if (!response.isUnavailable()) {
                return response;
            }
        }
    }

    /** Returns the number of sessions that wait for the lock on trees. */
    private static int waiting(Statement statement) {
        try (var rows =
                statement.executeQuery("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void refusesRequestsWhilePostgresHasNoConnectionsAndRecovers() throws Exception {
        ClaimLoad load = cloud.claims(8);
        List<Connection> hoard = new ArrayList<>();
        try (load; var lamp = new Lamp(cloud.placement(0))) {
            // The services' sessions are ended whenever there is no room, so that they must open new ones.
            for (int i = 0; i < 2 * SESSIONS_OF_POSTGRES && !isFull(hoard); i++) {
                Await.pause(1);
            }
            assertThat(hoard.size()).as("sessions hoarded").isGreaterThan(SESSIONS_OF_POSTGRES / 2);
            lamp.awaitRed();
            Api.Response read = cloud.placement(0).get("/resource_providers");
            assertThat(read.isUnavailable()).as("%s", read).isTrue();
            close(hoard);
            System.out.printf("no connections: claims again after %d ms%n",
                    load.awaitAcknowledged(1).toMillis());
            load.awaitAcknowledged(50);
            lamp.checkRedAndGreenAgain();
        } finally {
            close(hoard);
        }
        cloud.checkAfter(load);
    }

    /**
     * Opens one more connection. If there is none, ends the services' sessions and opens those too. Returns whether the
     * services have no session left.
     */
    private boolean isFull(List<Connection> hoard) throws SQLException {
        try {
            hoard.add(cloud.postgres().connect());
            return false;
        } catch (SQLException noConnectionLeft) {
            try (Statement statement = hoard.getFirst().createStatement()) {
                statement.execute("""
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                         WHERE backend_type = 'client backend' AND application_name <> 'faults'""");
            }
            for (int i = 0; i < 20; i++) {
                try {
                    hoard.add(cloud.postgres().connect());
                } catch (SQLException theServiceWasFaster) {
                    // The next call ends the service's new session.
                }
            }
            return Books.count(hoard.getFirst(), """
                    SELECT count(*) FROM pg_stat_activity
                     WHERE backend_type = 'client backend' AND application_name <> 'faults'""") == 0;
        }
    }

    private static void close(List<Connection> hoard) throws SQLException {
        for (Connection connection : hoard) {
            connection.close();
        }
        hoard.clear();
    }
}
