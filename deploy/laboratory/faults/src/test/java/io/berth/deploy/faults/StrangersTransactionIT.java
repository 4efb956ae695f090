package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests reads while another client's transaction stays open in another database of the same PostgreSQL and the fleet
 * changes a million times. Reads must fetch only new changes, not all changes since that transaction began.
 */
class StrangersTransactionIT {
    private static final int TRANSACTIONS = 100;
    private static final int CHANGES_EACH = 10_000;
    private static final int REQUESTS = 40;

    private final Cloud cloud = Cloud.shared();

    @Test
    void readsOnlyNewChangesWhileAnotherTransactionIsOpen() throws Exception {
        String database = cloud.postgres().newDatabase();
        String elsewhere = cloud.postgres().newDatabase();
        try (var service = ServiceProcess.start(Packaged.PLACEMENT,
                Map.of("BERTH_DATABASE_URL", database));
                Connection other = Postgres.connect(elsewhere);
                Connection own = Postgres.connect(database)) {
            var api = new Api(service.url());
            Await.eventually("readiness", api::isReady);
            var hosts = Cloud.hosts(api, 50);
            other.setAutoCommit(false);
            execute(other, "SELECT pg_current_xact_id()");
            for (int i = 0; i < TRANSACTIONS; i++) {
                execute(own, """
                        INSERT INTO fleet_changes (kind, object_id)
                        SELECT 0, id FROM resource_providers, generate_series(1, %d)""".formatted(CHANGES_EACH / hosts.size()));
                candidates(api);
            }
            // Waits for the statistics of the last requests before the comparison.
            long before = changesRead(own);
            var load = new ClaimLoad(List.of(api), hosts, 1, cloud.seed());
            try (load; var bystander = new Bystander(api, "/resource_providers?name=nobody")) {
                for (int i = 0; i < REQUESTS; i++) {
                    candidates(api);
                }
                load.awaitAcknowledged(REQUESTS);
                bystander.awaitServed(REQUESTS);
                bystander.checkAlwaysServed();
                System.out.printf("an open transaction of another client and %d changes: %s; %s%n",
                        TRANSACTIONS * CHANGES_EACH, bystander, load);
            }
            long requests = 4L * REQUESTS + load.count(204) + load.count(409);
            long read = changesRead(own) - before;
            System.out.printf("rows of fleet_changes read: %d%n", read);
            assertThat(read).as("rows of fleet_changes read for some %d requests", requests)
                    .isLessThan(TRANSACTIONS * (long) CHANGES_EACH / 2);
            load.books.check(own);
            other.rollback();
        }
    }

    private static void candidates(Api api) {
        Cloud.expect(200, api.get("/allocation_candidates?resources=VCPU:1&limit=10"));
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (var each = connection.createStatement()) {
            each.execute(statement);
        }
    }

    /**
     * Returns the number of rows of the table that all sessions have read, directly or through indexes. PostgreSQL may
     * report this with a delay of a second or more.
     */
    private static long changesRead(Connection connection) throws SQLException {
        Await.pause(3_000);
        return Books.count(connection, """
                SELECT seq_tup_read + coalesce(idx_tup_fetch, 0)
                  FROM pg_stat_user_tables WHERE relname = 'fleet_changes'""");
    }
}
