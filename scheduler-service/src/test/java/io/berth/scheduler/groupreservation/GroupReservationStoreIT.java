package io.berth.scheduler.groupreservation;

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

/** What a group says to one more member on a host, and what becomes of reservations. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class GroupReservationStoreIT {
    @Inject
    GroupReservationStore store;

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
        execute("INSERT INTO request_records (key, fingerprint, instances, request_id) VALUES ($1, '', '{}', 'req')",
                key);
        execute("INSERT INTO request_leases (key, lease_until) VALUES ($1, now() + interval '1 day')", key);
        return key;
    }

    private ReservationRequest asked(String policy, UUID instance, String at, String holder) {
        return new ReservationRequest(group, instance, at, holder, policy, null, null, Set.of());
    }

    private GroupReservationStore.ReservationVerdict take(ReservationRequest asked) {
        return await(store.reserve(List.of(asked))).get(group);
    }

    private boolean isTaken(String policy, String at) {
        return take(asked(policy, UUID.randomUUID(), at, open())).isTaken();
    }

    private UUID member(String at, String node) {
        UUID member = UUID.randomUUID();
        execute("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text, 'nodename',"
                + " $3::text))",
                member, at, node);
        execute("INSERT INTO server_group_members (server_group, instance) VALUES ($1, $2)", group, member);
        return member;
    }

    private List<String> seatsOf(UUID instance) {
        List<String> hosts = new ArrayList<>();
        await(pool.preparedQuery("SELECT host FROM server_group_reservations WHERE instance = $1 ORDER BY host")
                .execute(Tuple.of(instance))).forEach(row -> hosts.add(row.getString(0)));
        return hosts;
    }

    /** On whichever of its nodes. */
    @Test
    void countsMembersAndSeatsOfAHost() {
        member(host, "n1");
        assertThat(isTaken("anti-affinity", host)).isFalse();
        assertThat(isTaken("anti-affinity", host + "-b")).isTrue();
        assertThat(isTaken("anti-affinity", host + "-b")).isFalse();
        assertThat(isTaken("soft-anti-affinity", host)).isTrue();
        assertThat(isTaken(null, host)).isTrue();
    }

    /** One that is registered there, too, counts once; and never for itself. */
    @Test
    void countsMembersThatNovaMovesFromOrToAHost() {
        execute("INSERT INTO server_groups (uuid, body) VALUES ($1,"
                + " '{\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": 2}}')", group);
        UUID there = member(host, "n1");
        UUID moving = member("elsewhere", "n1");
        assertThat(among(UUID.randomUUID(), Set.of(there)).isTaken()).isTrue();
        assertThat(among(moving, Set.of(there, moving)))
                .isEqualTo(new GroupReservationStore.ReservationVerdict(false, 2, 2, "anti-affinity"));
    }

    private GroupReservationStore.ReservationVerdict among(UUID instance, Set<UUID> moving) {
        return take(new ReservationRequest(group, instance, host, open(), "anti-affinity", null, null, moving));
    }

    @Test
    void whatIsRegisteredOfAGroupCountsBeforeTheRequest() {
        execute("INSERT INTO server_groups (uuid, body) VALUES ($1,"
                + " '{\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": 2}}')", group);
        assertThat(isTaken("affinity", host)).isTrue();
        assertThat(isTaken("affinity", host)).isTrue();
        GroupReservationStore.ReservationVerdict refused = take(asked("affinity", UUID.randomUUID(), host, open()));
        assertThat(refused).isEqualTo(new GroupReservationStore.ReservationVerdict(false, 2, 2, "anti-affinity"));
    }

    @Test
    void theFirstDecidesWhereTheOthersAre() {
        assertThat(isTaken("affinity", host)).isTrue();
        assertThat(isTaken("affinity", "other")).isFalse();
        assertThat(isTaken("affinity", host)).isTrue();
    }

    @Test
    void aSeatMovesWithItsInstance() {
        UUID instance = UUID.randomUUID();
        String holder = open();
        take(asked("anti-affinity", instance, "a" + host, holder));
        take(asked("anti-affinity", instance, "b" + host, holder));
        assertThat(seatsOf(instance)).containsExactly("b" + host);
        take(new ReservationRequest(
                group, instance, "c" + host, holder, "anti-affinity", null,
                new SourceReservation("old" + host, instance, Set.of(UUID.randomUUID().toString())), Set.of()));
        assertThat(seatsOf(instance)).containsExactly("c" + host, "old" + host);
        // Its own registration is not in its way, even where there are too many.
        member("c" + host, "n");
        execute("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text))",
                instance, "c" + host);
        assertThat(take(asked("anti-affinity", instance, "c" + host, holder)).isTaken()).isTrue();
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
        take(asked("anti-affinity", other, host + "-b", holder));
        take(asked("anti-affinity", instance, host, closed));
        execute("DELETE FROM request_leases WHERE key = $1", closed);
        assertThat(take(asked("anti-affinity", UUID.randomUUID(), host + "-c", closed)).isTaken()).isFalse();
        assertThat(take(asked("anti-affinity", UUID.randomUUID(), host + "-c", "move:" + UUID.randomUUID()))
                .isTaken()).isFalse();
        await(store.prune(600));
        assertThat(seatsOf(instance)).containsExactly(host);
        await(store.prune(0));
        assertThat(seatsOf(instance)).isEmpty();
        assertThat(seatsOf(other)).containsExactly(host + "-b");
    }
}
