package io.berth.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Reads the tables without a ledger. */
final class LedgerTables {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);

    private final Pool pool;

    LedgerTables(Pool pool) {
        this.pool = pool;
    }

    /** Returns the units that the consumer holds, by provider. */
    Map<UUID, Long> heldBy(UUID consumer) {
        Map<UUID, Long> units = new HashMap<>();
        for (Row row : rows("""
                SELECT p.uuid, a.used FROM allocations a JOIN resource_providers p ON p.id = a.provider_id
                 WHERE a.consumer_uuid = ANY($1)""", List.of(consumer))) {
            units.merge(row.getUUID("uuid"), row.getLong("used"), Long::sum);
        }
        return units;
    }

    Map<UUID, Integer> generations(Collection<UUID> providers) {
        Map<UUID, Integer> generations = new HashMap<>();
        for (Row row : rows("SELECT uuid, generation FROM resource_providers WHERE uuid = ANY($1)", providers)) {
            generations.put(row.getUUID("uuid"), row.getInteger("generation"));
        }
        return generations;
    }

    /**
     * Checks that usage is within capacity and equals the sum of the allocations, and that consumers exist exactly
     * while they hold something.
     */
    void check(String when, Collection<UUID> providers, Collection<UUID> consumers) {
        for (Row row : rows("""
                SELECT p.uuid, i.used, (i.total - i.reserved) * i.allocation_ratio AS capacity,
                       coalesce((SELECT sum(a.used) FROM allocations a
                                  WHERE a.provider_id = i.provider_id
                                    AND a.resource_class_id = i.resource_class_id), 0)::bigint AS allocated
                  FROM inventories i JOIN resource_providers p ON p.id = i.provider_id
                 WHERE p.uuid = ANY($1)""", providers)) {
            assertThat(row.getLong("used")).as("%s use of %s", when, row.getUUID("uuid"))
                    .isEqualTo(row.getLong("allocated"));
            assertThat((double) row.getLong("used")).as("%s use of %s", when, row.getUUID("uuid"))
                    .isLessThanOrEqualTo(row.getDouble("capacity"));
        }
        assertThat(rows("""
                SELECT a.provider_id FROM allocations a LEFT JOIN inventories i
                    ON i.provider_id = a.provider_id AND i.resource_class_id = a.resource_class_id
                  JOIN resource_providers p ON p.id = a.provider_id
                 WHERE i.used IS NULL AND p.uuid = ANY($1)""", providers).size())
                .as("%s orphaned allocations", when).isZero();
        assertThat(rows("""
                SELECT a.consumer_uuid FROM allocations a JOIN resource_providers p ON p.id = a.provider_id
                 WHERE p.uuid = ANY($1) AND NOT EXISTS (SELECT 1 FROM consumers c WHERE c.uuid = a.consumer_uuid)""",
                providers).size()).as("%s allocations without a consumer", when).isZero();
        assertThat(rows("""
                SELECT c.uuid FROM consumers c
                 WHERE c.uuid = ANY($1) AND NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_uuid = c.uuid)""",
                consumers).size()).as("%s consumers that hold nothing", when).isZero();
        assertThat(rows("""
                SELECT a.consumer_uuid FROM allocations a
                 WHERE a.consumer_uuid = ANY($1)
                   AND NOT EXISTS (SELECT 1 FROM consumers c WHERE c.uuid = a.consumer_uuid)""",
                consumers).size()).as("%s allocations without a consumer, of those", when).isZero();
    }

    /** Returns the number of sessions of this application that are not idle. */
    int busy(String application) {
        return count("""
                SELECT pid FROM pg_stat_activity WHERE application_name LIKE $1 AND state <> 'idle'""", application);
    }

    /** Returns the process ids of the sessions of this application that wait for a lock. */
    Set<Integer> waiting(String application) {
        Set<Integer> pids = new HashSet<>();
        pool.preparedQuery("""
                SELECT pid FROM pg_stat_activity WHERE application_name LIKE $1 AND wait_event_type = 'Lock'""")
                .execute(Tuple.of(application)).await().atMost(ANSWER_MAX)
                .forEach(row -> pids.add(row.getInteger("pid")));
        return pids;
    }

    /** Terminates the sessions of the application, as an administrator or a crash would; returns their number. */
    int kill(String application) {
        return count("""
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE $1""", application);
    }

    private int count(String sql, String parameter) {
        return pool.preparedQuery(sql).execute(Tuple.of(parameter)).await().atMost(ANSWER_MAX).size();
    }

    private RowSet<Row> rows(String sql, Collection<UUID> uuids) {
        Tuple parameter = Tuple.tuple().addValue(uuids.toArray(UUID[]::new));
        return pool.preparedQuery(sql).execute(parameter).await().atMost(ANSWER_MAX);
    }
}
