package io.berth.scheduler.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.OwnTables;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests rows written while the clock was an hour ahead, beside rows with correct times, against PostgreSQL. */
@Tag("process")
class ClockSetBackIT {
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private static final String HOUR = "now() + interval '1 hour'";
    private static final String LEASE = "now() + interval '3 minutes'";
    private static final String PAST = "now() - interval '1 second'";

    private final Pool pool = TABLES.pool();

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private void execute(String sql) {
        await(pool.query(sql).execute());
    }

    private void open(String key, String lease) {
        execute("INSERT INTO request_leases (key, number, lease_until) VALUES ('%s', 1, %s)".formatted(key, lease));
    }

    private void move(String state, String lease) {
        execute("""
                INSERT INTO moves (migration_uuid, instance_uuid, kind, state, held_before, request_id, lease_until)
                VALUES (gen_random_uuid(), gen_random_uuid(), 'cold', '%s', '{}', 'r', %s)""".formatted(state, lease));
    }

    private void host(String name, String next, String lease) {
        execute("INSERT INTO sync_outbox (host, next_at, leased_until) VALUES ('%s', %s, %s)"
                .formatted(name, next, lease));
    }

    private void depart(String due) {
        execute("INSERT INTO instance_cleanups (instance, due_at) VALUES (gen_random_uuid(), " + due + ")");
    }

    private List<String> when(String table, String column, String order) {
        List<String> times = new ArrayList<>();
        await(pool.query("""
                SELECT CASE WHEN %1$s IS NULL THEN 'none' WHEN %1$s <= now() THEN 'past'
                            WHEN %1$s < now() + interval '10 minutes' THEN 'near' ELSE 'far' END AS distance
                  FROM %2$s ORDER BY %3$s""".formatted(column, table, order)).execute())
                .forEach(row -> times.add(row.getString("distance")));
        return times;
    }

    @Test
    void shortensTimesThatAreTooFarAhead() {
        open("a", HOUR);
        open("b", PAST);
        open("c", LEASE);
        move("started", HOUR);
        move("started", LEASE);
        move("moved", HOUR);
        depart(HOUR);
        depart(PAST);
        depart("NULL");
        execute("UPDATE cleanup_progress SET due_at = " + HOUR);
        host("a", HOUR, "NULL");
        host("b", PAST, HOUR);
        host("c", PAST, LEASE);

        assertThat(await(new ClockSetBack(pool).shortenFarTimes())).isEqualTo(6);

        assertThat(when("request_leases", "lease_until", "key")).containsExactly("near", "past", "near");
        assertThat(when("moves", "lease_until", "state, lease_until")).containsExactly("far", "near", "near");
        assertThat(when("instance_cleanups", "due_at", "due_at NULLS FIRST")).containsExactly("none", "past", "near");
        assertThat(when("cleanup_progress", "due_at", "due_at")).containsExactly("near");
        assertThat(when("sync_outbox", "next_at", "host")).containsExactly("near", "past", "past");
        assertThat(when("sync_outbox", "leased_until", "host")).containsExactly("none", "near", "near");
        assertThat(await(new ClockSetBack(pool).shortenFarTimes())).as("a second run changes nothing").isZero();
    }
}
