package io.berth.scheduler.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a group says to one more member on a host, and what becomes of seats. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SeatStoreIT {
    @Inject
    SeatStore store;

    @Inject
    Pool pool;

    private final UUID group = UUID.randomUUID();
    private final String host = "host-" + group;

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private int execute(String sql, Object... params) {
        return await(pool.preparedQuery(sql).execute(Tuple.from(params))).rowCount();
    }

    /** The key of a record that is open. */
    private String open() {
        String key = "test:" + UUID.randomUUID();
        execute("INSERT INTO boots (key, shape, instances, resources, request_id) VALUES ($1, '', '{}', '{}', 'req')", key);
        execute("INSERT INTO open_boots (key, lease_until) VALUES ($1, now() + interval '1 day')", key);
        return key;
    }

    private SeatRequest asked(String policy, UUID instance, String at, String node, String holder) {
        return new SeatRequest(group, instance, at, node, holder, policy, null, null, List.of());
    }

    private SeatStore.Judged take(SeatRequest asked) {
        return await(store.take(List.of(asked))).get(group);
    }

    private boolean isTaken(String policy, String at, String node) {
        return take(asked(policy, UUID.randomUUID(), at, node, open())).isTaken();
    }

    private UUID member(String at, String node) {
        UUID member = UUID.randomUUID();
        execute("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text, 'nodename', $3::text))",
                member, at, node);
        execute("INSERT INTO server_group_members (server_group, instance) VALUES ($1, $2)", group, member);
        return member;
    }

    private List<String> seatsOf(UUID instance) {
        List<String> hosts = new ArrayList<>();
        await(pool.preparedQuery("SELECT host FROM server_group_seats WHERE instance = $1 ORDER BY host")
                .execute(Tuple.of(instance))).forEach(row -> hosts.add(row.getString(0)));
        return hosts;
    }

    @Test
    void countsMembersAndSeatsOfAHostsNode() {
        member(host, "n1");
        assertThat(isTaken("anti-affinity", host, "n1")).isFalse();
        assertThat(isTaken("anti-affinity", host, "n2")).isTrue();
        assertThat(isTaken("anti-affinity", host, "n2")).isFalse();
        assertThat(isTaken("anti-affinity", host, "n3")).isTrue();
        // On a node that is not known it counts on each.
        member(host + "-b", null);
        assertThat(isTaken("anti-affinity", host + "-b", "n1")).isFalse();
        assertThat(isTaken("soft-anti-affinity", host, "n1")).isTrue();
        assertThat(isTaken(null, host, "n1")).isTrue();
    }

    @Test
    void whatIsRegisteredOfAGroupCountsBeforeTheRequest() {
        execute("INSERT INTO server_groups (uuid, body) VALUES ($1,"
                + " '{\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": 2}}')", group);
        assertThat(isTaken("affinity", host, "n")).isTrue();
        assertThat(isTaken("affinity", host, "n")).isTrue();
        SeatStore.Judged refused = take(asked("affinity", UUID.randomUUID(), host, "n", open()));
        assertThat(refused).isEqualTo(new SeatStore.Judged(false, 2, 2, "anti-affinity"));
    }

    @Test
    void theFirstDecidesWhereTheOthersAre() {
        assertThat(isTaken("affinity", host, "n1")).isTrue();
        assertThat(isTaken("affinity", "other", "n1")).isFalse();
        assertThat(isTaken("affinity", host, "n2")).isTrue();
    }

    @Test
    void aSeatMovesWithItsInstanceButForHostsThatMayHoldAClaim() {
        UUID instance = UUID.randomUUID();
        String holder = open();
        take(asked("anti-affinity", instance, "a" + host, "n", holder));
        take(asked("anti-affinity", instance, "b" + host, "n", holder));
        assertThat(seatsOf(instance)).containsExactly("b" + host);
        take(new SeatRequest(
                group, instance, "c" + host, "n", holder, "anti-affinity", null,
                new SeatLeft("old" + host, instance, Set.of(UUID.randomUUID().toString())), List.of("b" + host)));
        assertThat(seatsOf(instance)).containsExactly("b" + host, "c" + host, "old" + host);
        // Its own registration is not in its way, even where there are too many.
        member("c" + host, "n");
        execute("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text))",
                instance, "c" + host);
        assertThat(take(asked("anti-affinity", instance, "c" + host, "n", holder)).isTaken()).isTrue();
        // Who is deleted goes back nowhere; what is being claimed is its record's.
        execute("DELETE FROM instances WHERE uuid = $1", instance);
        assertThat(seatsOf(instance)).containsExactly("c" + host);
    }

    @Test
    void noneIsTakenUnderARecordThatIsClosedAndNoneIsLeft() {
        String closed = open();
        UUID instance = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        String holder = open();
        take(asked("anti-affinity", other, host + "-b", "n", holder));
        take(asked("anti-affinity", instance, host, "n", closed));
        execute("DELETE FROM open_boots WHERE key = $1", closed);
        assertThat(take(asked("anti-affinity", UUID.randomUUID(), host + "-c", "n", closed)).isTaken()).isFalse();
        assertThat(take(asked("anti-affinity", UUID.randomUUID(), host + "-c", "n", "move:" + UUID.randomUUID()))
                .isTaken()).isFalse();
        await(store.prune(600));
        assertThat(seatsOf(instance)).containsExactly(host);
        await(store.prune(0));
        assertThat(seatsOf(instance)).isEmpty();
        assertThat(seatsOf(other)).containsExactly(host + "-b");
    }
}
