package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.process.Await;
import io.berth.scheduler.OwnTables;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Transaction;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the rollback of moves that their owner left open, against PostgreSQL and an in-memory placement. */
@Tag("process")
class MoveRetriesIT {
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private static final Map<String, Map<String, Long>> ON_A = Map.of("a", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> ON_B = Map.of("b", Map.of("VCPU", 1L));
    private static final double LEASE_SECONDS = 600;
    private static final int ATTEMPTS_MAX = 50;

    private final Pool pool = TABLES.pool();
    private final MoveStore store = new MoveStore(pool);

    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 1).with("b", 1);
    private final Transfer transfer = new Transfer(placement, new FenceNumbers(pool));
    private final UUID instance = UUID.randomUUID();
    private final UUID migration = UUID.randomUUID();

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private void put(UUID consumer, Map<String, Map<String, Long>> allocations) {
        await(placement.putAllocations(
                new Claim(
                        consumer,
                        new AllocationRequest(allocations, Map.of()),
                        placement.heldNow(consumer).consumerGeneration(),
                        "project",
                        "user"),
                "req-1"));
    }

    private Move start(MoveKind kind) {
        return await(store.start(
                Move.of(migration, instance, kind, UUID.randomUUID(), ON_A, "req-1"), "joe", LEASE_SECONDS));
    }

    private MoveState state() {
        return await(store.find(migration)).state();
    }

    private void register(String host) {
        await(pool.preparedQuery("INSERT INTO instances (uuid, body) VALUES ($1, jsonb_build_object('host', $2::text))")
                .execute(Tuple.of(instance, host)));
    }

    private String registeredHost() {
        return await(pool.preparedQuery("SELECT host FROM instances WHERE uuid = $1").execute(Tuple.of(instance)))
                .iterator().next().getString(0);
    }

    /** Starts and claims a move: the instance holds the target, and the migration the source. */
    private Move claimed(MoveKind kind) {
        put(instance, ON_A);
        Move move = start(kind);
        await(placement.claim(
                kind.claimWrite(migration).claims(
                        new Consumer(instance, "project", "user", "req-1"),
                        placement.heldNow(instance),
                        new AllocationRequest(ON_B, Map.of())),
                move.number() + 1,
                "req-1"));
        return move;
    }

    private void lease(String set) {
        await(pool.preparedQuery("UPDATE moves SET " + set + " WHERE migration_uuid = $1")
                .execute(Tuple.of(migration)));
    }

    /** Runs rollbacks, each after the lease expired, until the move has the state. */
    private void runUntil(MoveState expected) {
        MoveRollback retries = new MoveRollback(transfer, store);
        for (int i = 0; i < ATTEMPTS_MAX && state() != expected; i++) {
            lease("lease_until = now() - interval '1 s'");
            await(OpenWork.run(retries));
        }
        assertThat(state()).isEqualTo(expected);
    }

    @Test
    void rollsBackAMoveThatAReplicaLeftAfterItsClaim() {
        claimed(MoveKind.RESIZE);
        runUntil(MoveState.FAILED);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_A);
        assertThat(placement.heldBy(migration)).isEmpty();
    }

    @Test
    void aMoveWithoutARecordIsRolledBackLaterIfPlacementDoesNotRespond() {
        Move move = claimed(MoveKind.RESIZE);
        await(pool.preparedQuery("DELETE FROM moves WHERE migration_uuid = $1").execute(Tuple.of(migration)));
        placement.unreadable();
        await(new MoveRollback(transfer, store).run(move));
        assertThat(await(store.find(migration)).firstNumber()).isEqualTo(move.firstNumber());
        placement.readableAgain();
        runUntil(MoveState.FAILED);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_A);
        assertThat(placement.heldBy(migration)).isEmpty();
    }

    /** Reproduces a database that was restored from a backup. */
    @Test
    void usesFencesAboveThoseThatPlacementHasSeen() {
        Move move = claimed(MoveKind.RESIZE);
        await(placement.settle(move.number() + 1_000_000_000L, List.of(instance, migration), "req-2"));
        runUntil(MoveState.FAILED);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_A);
        assertThat(placement.heldBy(migration)).isEmpty();
    }

    @Test
    void refusesTheClaimOfAFormerOwner() {
        put(instance, ON_A);
        Move slow = start(MoveKind.LIVE);
        runUntil(MoveState.FAILED);
        assertThat(await(placement.claim(
                MoveKind.LIVE.claimWrite(migration).claims(
                        new Consumer(instance, "project", "user", "req-1"),
                        placement.heldNow(instance),
                        new AllocationRequest(ON_B, Map.of())),
                slow.number() + 1,
                "req-1"))).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_A);
    }

    @Test
    void leavesAMoveAloneWhileItsLeaseIsValid() {
        Move move = claimed(MoveKind.LIVE);
        await(OpenWork.run(new MoveRollback(transfer, store)));
        assertThat(state()).isEqualTo(MoveState.STARTED);
        assertThat(placement.heldBy(migration)).isEqualTo(ON_A);
        assertThat(await(store.takeOver(migration, MoveState.STARTED, MoveState.STARTED, null, 1))).isNull();
        await(store.end(move, MoveState.FAILED));
    }

    @Test
    void refusesTheResultOfAReplicaWhoseMoveWasRolledBack() {
        put(instance, ON_A);
        Move slow = start(MoveKind.LIVE);
        runUntil(MoveState.FAILED);
        assertThat(await(store.recordMoved(slow, ON_B, "{}", "{\"host\":\"b\"}"))).isFalse();
        assertThat(state()).isEqualTo(MoveState.FAILED);
    }

    /** The outcome that a caller gets after a timeout must be final. */
    @Test
    void eitherRecordsAMoveOrEndsItsOwnershipIfBothComeAtOnce() {
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            UUID each = UUID.randomUUID();
            Move move = await(store.start(
                    Move.of(each, UUID.randomUUID(), MoveKind.LIVE, UUID.randomUUID(), ON_A, "req-1"), "joe",
                    LEASE_SECONDS));
            var moving = store.recordMoved(move, ON_B, "{}", "{\"host\":\"b\"}").subscribeAsCompletionStage();
            await(store.endOwnership(each, "req-1"));
            boolean isMoved = await(store.find(each)).state() == MoveState.MOVED;
            assertThat(moving.join()).isEqualTo(isMoved);
            assertThat(await(store.find(each)).state()).isEqualTo(isMoved ? MoveState.MOVED : MoveState.STARTED);
        }
    }

    @Test
    void releasesAMoveWhoseResultCannotBeWritten() {
        Move move = claimed(MoveKind.RESIZE);
        assertThatThrownBy(() -> await(store.orEndOwnership(move, store.recordMoved(move, ON_B, "{}", "no JSON"))))
                .isInstanceOf(PgException.class);
        assertThat(await(store.recordMoved(move, ON_B, "{}", "{\"host\":\"b\"}"))).as("written too late").isFalse();
        Move taken = await(store.takeOver(migration, MoveState.STARTED, MoveState.STARTED, null, LEASE_SECONDS));
        assertThat(taken).isNotNull();
        await(new MoveRollback(transfer, store).run(taken));
        assertThat(state()).isEqualTo(MoveState.FAILED);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_A);
        assertThat(placement.heldBy(migration)).isEmpty();
    }

    @Test
    void anotherReplicaTakesOverAMoveWhoseStartGotNoResponse() throws InterruptedException {
        put(instance, ON_A);
        Move requested = Move.of(migration, instance, MoveKind.LIVE, UUID.randomUUID(), ON_A, "req-1");
        var started = TABLES.unheard(broken -> new MoveStore(broken).start(requested, "joe", LEASE_SECONDS));
        assertThatThrownBy(started::join).hasMessageContaining("Connection");
        assertThat(state()).isEqualTo(MoveState.STARTED);
        assertThat(await(store.takeOver(migration, MoveState.STARTED, MoveState.STARTED, null, LEASE_SECONDS))).isNotNull();
        runUntil(MoveState.FAILED);
    }

    @Test
    void opensOneMoveOfAnInstanceAtATime() {
        Move first = start(MoveKind.LIVE);
        Move second = Move.of(UUID.randomUUID(), instance, MoveKind.COLD, UUID.randomUUID(), ON_A, "req-2");
        assertThat(start(MoveKind.LIVE)).isNull();
        assertThat(await(store.start(second, "joe", LEASE_SECONDS))).isNull();
        await(store.end(first, MoveState.FAILED));
        Move started = await(store.start(second, "joe", LEASE_SECONDS));
        assertThat(started.state()).isEqualTo(MoveState.STARTED);
        await(store.end(started, MoveState.FAILED));
    }

    @Test
    void finishesARevertAndRestoresTheInstancesRecord() {
        register("a");
        Move move = claimed(MoveKind.RESIZE);
        assertThat(await(store.recordMoved(move, ON_B, "{}", "{\"host\":\"b\"}"))).isTrue();
        assertThat(registeredHost()).isEqualTo("b");
        assertThat(await(store.takeOver(migration, MoveState.MOVED, MoveState.REVERTING, null, LEASE_SECONDS))).isNotNull();
        runUntil(MoveState.REVERTED);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_A);
        assertThat(registeredHost()).isEqualTo("a");
    }

    /** The snapshot of the statement that starts the move is older than the end of the earlier move. */
    @Test
    void restoresTheRegistrationThatAnEarlierMoveWroteWhileThisOneStarted() {
        register("a");
        SqlConnection earlier = await(pool.getConnection());
        Transaction ending = await(earlier.begin());
        await(earlier.preparedQuery("INSERT INTO request_instances (instance, key) VALUES ($1, 'move:earlier')")
                .execute(Tuple.of(instance)));
        var starting = store.start(
                Move.of(migration, instance, MoveKind.COLD, UUID.randomUUID(), ON_B, "req-1"), "joe", LEASE_SECONDS)
                .subscribeAsCompletionStage();
        Await.eventually("the start waits for the end of the earlier move", () -> await(pool.query("""
                SELECT FROM pg_stat_activity
                 WHERE wait_event_type = 'Lock' AND datname = current_database()""").execute()).size() > 0);
        await(earlier.preparedQuery("""
                UPDATE instances SET body = '{"host": "b"}', version = version + 1 WHERE uuid = $1""")
                .execute(Tuple.of(instance)));
        await(earlier.preparedQuery("DELETE FROM request_instances WHERE instance = $1").execute(Tuple.of(instance)));
        await(ending.commit());
        await(earlier.close());

        assertThat(await(store.recordMoved(starting.join(), ON_A, "{}", "{\"host\":\"a\"}"))).isTrue();
        Move reverting = await(store.takeOver(migration, MoveState.MOVED, MoveState.REVERTING, null, LEASE_SECONDS));
        await(store.recordReverted(reverting));
        assertThat(registeredHost()).isEqualTo("b");
    }

    @Test
    void keepsAMoveThatCannotBeRevertedAsMoved() {
        register("a");
        put(instance, ON_B);
        Move move = start(MoveKind.RESIZE);
        assertThat(await(store.recordMoved(move, ON_B, "{}", "{\"host\":\"b\"}"))).isTrue();
        await(store.takeOver(migration, MoveState.MOVED, MoveState.REVERTING, null, LEASE_SECONDS));
        runUntil(MoveState.MOVED);
        assertThat(placement.heldBy(instance)).isEqualTo(ON_B);
        assertThat(registeredHost()).isEqualTo("b");
    }

    @Test
    void deletesMovesThatEndedLongAgo() {
        Move move = start(MoveKind.COLD);
        age(91);
        assertThat(isDeleted()).as("an open move is kept").isFalse();
        await(store.end(move, MoveState.FAILED));
        assertThat(isDeleted()).isFalse();
        age(89);
        assertThat(isDeleted()).isFalse();
        age(91);
        assertThat(isDeleted()).isTrue();
    }

    private void age(int days) {
        await(pool.preparedQuery(
                "UPDATE moves SET changed_at = now() - make_interval(days => $2) WHERE migration_uuid = $1")
                .execute(Tuple.of(migration, days)));
    }

    private boolean isDeleted() {
        await(new MoveRollback(transfer, store).prune());
        return await(store.find(migration)) == null;
    }
}
