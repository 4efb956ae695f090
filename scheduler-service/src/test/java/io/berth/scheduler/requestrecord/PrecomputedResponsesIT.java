package io.berth.scheduler.requestrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plans by which PostgreSQL finds request records, which every request writes twice. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PrecomputedResponsesIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Inject
    Pool pool;

    /** Inserts many records, hardly any of them open, and few instances, so that the wrong indexes look cheap. */
    @BeforeEach
    void records() {
        execute("DELETE FROM request_records WHERE fingerprint = 'plans'");
        execute("""
                INSERT INTO request_records (key, fingerprint, instances, answer, request_id)
                SELECT 'plans:' || n, 'plans', ARRAY[gen_random_uuid()], repeat('x', 1000), 'req-1'
                  FROM generate_series(1, 5000) AS n
                """);
        execute("VACUUM (ANALYZE) request_records, request_leases, instances");
    }

    private void execute(String sql) {
        pool.query(sql).execute().await().atMost(LIMIT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            AS_PLANNED  | text[], bigint[]                    | NULL, NULL
            PLACED      | text, bigint, text, uuid[], text[], boolean | NULL, NULL, NULL, NULL, NULL, NULL
            ROLLED_BACK  | text, bigint                        | NULL, NULL
            """)
    void closingARecordUsesThePrimaryKeyOfLeases(String statement, String types, String values) {
        assertThat(plan(sql(statement), types, values))
                .anyMatch(line -> line.contains("request_leases_pkey"))
                .noneMatch(line -> line.contains("request_leases_by_lease"));
    }

    @Test
    void startingARecordUsesThePrimaryKeyOfInstances() {
        List<String> plan = plan(
                RequestRecordStore.START,
                "text[], text[], text[], text[], text[], text[], text[], bigint[], float8",
                "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 30");
        // Which kind of scan reads the index depends on what other tests left in the table.
        assertThat(plan)
                .anyMatch(line -> line.contains("instances_pkey"))
                .anyMatch(line -> line.contains("Index Cond: (uuid = "))
                .noneMatch(line -> line.contains("Seq Scan on instances"));
    }

    /** The statement is long, so it should be parsed and planned once for a connection. */
    @Test
    void theStartStatementStaysPrepared() {
        var connection = pool.getConnection().await().atMost(LIMIT);
        Tuple params = Tuple.tuple();
        for (int i = 0; i < 7; i++) {
            params.addValue(new String[0]);
        }
        params.addArrayOfLong(new Long[0]).addDouble(30.0);
        connection.preparedQuery(RequestRecordStore.START).execute(params).await().atMost(LIMIT);
        var prepared = connection.preparedQuery("SELECT FROM pg_prepared_statements WHERE statement = $1")
                .execute(Tuple.of(RequestRecordStore.START)).await().atMost(LIMIT);
        connection.close().await().atMost(LIMIT);
        assertThat(prepared.size()).isEqualTo(1);
    }

    /** Uses a plan that was made while there were no records. */
    @Test
    void selectsOldRecordsOnceWithAGenericPlan() {
        List<String> plan = new ArrayList<>();
        var connection = pool.getConnection().await().atMost(LIMIT);
        for (String sql : List.of(
                "BEGIN",
                "SET LOCAL plan_cache_mode = force_generic_plan",
                "TRUNCATE request_records CASCADE",
                "ANALYZE request_records",
                "PREPARE pruning (float8, bigint) AS " + RequestRecordStore.PRUNE,
                "EXPLAIN EXECUTE pruning (3600, 100)",
                """
                        INSERT INTO request_records (key, fingerprint, instances, request_id, begun_at)
                        SELECT 'old:' || n, 'plans', ARRAY[gen_random_uuid()], 'req-1', now() - interval '1 day'
                          FROM generate_series(1, 500) AS n
                        """)) {
            connection.query(sql).execute().await().atMost(LIMIT);
        }
        connection.query("EXPLAIN ANALYZE EXECUTE pruning (3600, 100)").execute().await().atMost(LIMIT)
                .forEach(row -> plan.add(row.getString(0)));
        for (String sql : List.of("ROLLBACK", "DEALLOCATE pruning")) {
            connection.query(sql).execute().await().atMost(LIMIT);
        }
        connection.close().await().atMost(LIMIT);
        assertThat(plan).filteredOn(line -> line.contains("->  Limit")).singleElement().asString().endsWith("loops=1)");
    }

    private List<String> plan(String sql, String types, String values) {
        List<String> lines = new ArrayList<>();
        var connection = pool.getConnection().await().atMost(LIMIT);
        connection.query("PREPARE asked (" + types + ") AS " + sql).execute().await().atMost(LIMIT);
        connection.query("EXPLAIN EXECUTE asked (" + values + ")").execute().await().atMost(LIMIT)
                .forEach(row -> lines.add(row.getString(0)));
        connection.query("DEALLOCATE asked").execute().await().atMost(LIMIT);
        connection.close().await().atMost(LIMIT);
        return lines;
    }

    private static String sql(String statement) {
        return switch (statement) {
            case "AS_PLANNED" -> RequestRecordStore.CLOSE_AS_PLANNED;
            case "PLACED" -> RequestRecordStore.CLOSE_AS_PLACED;
            case "ROLLED_BACK" -> RequestRecordStore.DELETE_ROLLED_BACK;
            default -> throw new AssertionError(statement);
        };
    }
}
