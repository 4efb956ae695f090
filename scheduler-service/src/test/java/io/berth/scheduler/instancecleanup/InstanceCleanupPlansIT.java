package io.berth.scheduler.instancecleanup;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the plans of cleanup statements in PostgreSQL: many instances at once, with a plan made while there were none.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class InstanceCleanupPlansIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int MAX = 100;

    @Inject
    Pool pool;

    @ParameterizedTest
    @CsvSource({"TAKE_DUE, now()", "PRUNE, NULL"})
    void selectsMatchingRowsOnceWithAGenericPlan(String statement, String dueAt) {
        String sql = statement.equals("PRUNE") ? InstanceCleanupStore.PRUNE : InstanceCleanupStore.TAKE_DUE;
        SqlConnection connection = pool.getConnection().await().atMost(LIMIT);
        List<String> plan;
        int cleanups;
        try {
            query(connection, "BEGIN");
            query(connection, "SET LOCAL plan_cache_mode = force_generic_plan");
            query(connection, "DELETE FROM instance_cleanups");
            query(connection, "ANALYZE instance_cleanups");
            query(connection, "PREPARE asked (float8, bigint) AS " + sql);
            query(connection, "EXPLAIN EXECUTE asked (60, " + MAX + ")");
            query(connection, """
                    INSERT INTO instance_cleanups (instance, due_at, at)
                    SELECT gen_random_uuid(), %s, now() - interval '1 day' FROM generate_series(1, 500)
                    """.formatted(dueAt));
            plan = query(connection, "EXPLAIN ANALYZE EXECUTE asked (60, " + MAX + ")");
            cleanups = query(connection, """
                    SELECT 'left as it was' FROM instance_cleanups WHERE due_at IS NOT DISTINCT FROM %s
                    """.formatted(dueAt)).size();
        } finally {
            query(connection, "ROLLBACK");
            query(connection, "DEALLOCATE asked");
            connection.close().await().atMost(LIMIT);
        }
        assertThat(plan).filteredOn(line -> line.contains("->  Limit")).singleElement().asString().endsWith("loops=1)");
        assertThat(cleanups).isEqualTo(500 - MAX);
    }

    private static List<String> query(SqlConnection connection, String sql) {
        List<String> lines = new ArrayList<>();
        connection.query(sql).execute().await().atMost(LIMIT).forEach(row -> lines.add(row.getString(0)));
        return lines;
    }
}
