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

/** Takes, moves and prunes reservations of server groups in a real database. */
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

    /** Inserts an open record and returns its key. */
    private String open() {
        String key = "test:" + UUID.randomUUID();
        execute("INSERT INTO request_records (key, fingerprint, instances, request_id) VALUES ($1, '', '{}', 'req')",
                key);
        execute("INSERT INTO request_leases (key, lease_until) VALUES ($1, now() + interval '1 day')", key);
        return key;
    }

    private ReservationRequest requestFor(String policy, UUID instance, String at, String holder) {
        return new ReservationRequest(group, instance, at, holder, policy, null, null, Set.of());
    }

    private GroupReservationStore.ReservationVerdict reserve(ReservationRequest request) {
        return await(store.reserve(List.of(request))).get(group);
    }

    private boolean isReserved(String policy, String at) {
        return reserve(requestFor(policy, UUID.randomUUID(), at, open())).isReserved();
    }

    private UUID member(String at, String node) {
        UUID member = UUID.randomUUID();
        execute("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text, 'nodename',"
                + " $3::text))",
                member, at, node);
        execute("INSERT INTO server_group_members (server_group, instance) VALUES ($1, $2)", group, member);
        return member;
    }

    private List<String> reservedHostsOf(UUID instance) {
        List<String> hosts = new ArrayList<>();
        await(pool.preparedQuery("SELECT host FROM server_group_reservations WHERE instance = $1 ORDER BY host")
                .execute(Tuple.of(instance))).forEach(row -> hosts.add(row.getString(0)));
        return hosts;
    }

    /** Members on all nodes of the host count. */
    @Test
    void countsMembersAndReservationsOfAHost() {
        member(host, "n1");
        assertThat(isReserved("anti-affinity", host)).isFalse();
        assertThat(isReserved("anti-affinity", host + "-b")).isTrue();
        assertThat(isReserved("anti-affinity", host + "-b")).isFalse();
        assertThat(isReserved("soft-anti-affinity", host)).isTrue();
        assertThat(isReserved(null, host)).isTrue();
    }

    /** A member that is also registered on the host counts once, and never for itself. */
    @Test
    void countsMembersThatNovaMovesFromOrToAHost() {
        execute("INSERT INTO server_groups (uuid, body) VALUES ($1,"
                + " '{\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": 2}}')", group);
        UUID there = member(host, "n1");
        UUID moving = member("elsewhere", "n1");
        assertThat(among(UUID.randomUUID(), Set.of(there)).isReserved()).isTrue();
        assertThat(among(moving, Set.of(there, moving)))
                .isEqualTo(new GroupReservationStore.ReservationVerdict(false, 2, 2, "anti-affinity"));
    }

    private GroupReservationStore.ReservationVerdict among(UUID instance, Set<UUID> moving) {
        return reserve(new ReservationRequest(group, instance, host, open(), "anti-affinity", null, null, moving));
    }

    @Test
    void theRegisteredPolicyOverridesThatOfTheRequest() {
        execute("INSERT INTO server_groups (uuid, body) VALUES ($1,"
                + " '{\"policy\": \"anti-affinity\", \"rules\": {\"max_server_per_host\": 2}}')", group);
        assertThat(isReserved("affinity", host)).isTrue();
        assertThat(isReserved("affinity", host)).isTrue();
        GroupReservationStore.ReservationVerdict refused =
                reserve(requestFor("affinity", UUID.randomUUID(), host, open()));
        assertThat(refused).isEqualTo(new GroupReservationStore.ReservationVerdict(false, 2, 2, "anti-affinity"));
    }

    @Test
    void affinityFollowsTheFirstReservation() {
        assertThat(isReserved("affinity", host)).isTrue();
        assertThat(isReserved("affinity", "other")).isFalse();
        assertThat(isReserved("affinity", host)).isTrue();
    }

    @Test
    void aReservationMovesWithItsInstance() {
        UUID instance = UUID.randomUUID();
        String holder = open();
        reserve(requestFor("anti-affinity", instance, "a" + host, holder));
        reserve(requestFor("anti-affinity", instance, "b" + host, holder));
        assertThat(reservedHostsOf(instance)).containsExactly("b" + host);
        reserve(new ReservationRequest(
                group, instance, "c" + host, holder, "anti-affinity", null,
                new SourceReservation("old" + host, instance, Set.of(UUID.randomUUID().toString())), Set.of()));
        assertThat(reservedHostsOf(instance)).containsExactly("c" + host, "old" + host);
        // The instance's own registration does not count against it, even where there are too many members.
        member("c" + host, "n");
        execute("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text))",
                instance, "c" + host);
        assertThat(reserve(requestFor("anti-affinity", instance, "c" + host, holder)).isReserved()).isTrue();
        // A deleted instance cannot return to its source; the reservation for its claim belongs to the record.
        execute("DELETE FROM instances WHERE uuid = $1", instance);
        assertThat(reservedHostsOf(instance)).containsExactly("c" + host);
    }

    @Test
    void refusesAndPrunesReservationsOfClosedRecords() {
        String closed = open();
        UUID instance = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        String holder = open();
        reserve(requestFor("anti-affinity", other, host + "-b", holder));
        reserve(requestFor("anti-affinity", instance, host, closed));
        execute("DELETE FROM request_leases WHERE key = $1", closed);
        assertThat(reserve(requestFor("anti-affinity", UUID.randomUUID(), host + "-c", closed)).isReserved()).isFalse();
        assertThat(reserve(requestFor("anti-affinity", UUID.randomUUID(), host + "-c", "move:" + UUID.randomUUID()))
                .isReserved()).isFalse();
        await(store.prune(600));
        assertThat(reservedHostsOf(instance)).containsExactly(host);
        await(store.prune(0));
        assertThat(reservedHostsOf(instance)).isEmpty();
        assertThat(reservedHostsOf(other)).containsExactly(host + "-b");
    }
}
