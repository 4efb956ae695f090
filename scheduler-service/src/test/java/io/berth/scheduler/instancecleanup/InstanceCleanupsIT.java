package io.berth.scheduler.instancecleanup;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.BegunDeletion;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Deletion;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.DeletionEnd;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.DueCleanup;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.EndedDeletion;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Turn;
import io.berth.scheduler.move.Move;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.move.MoveState;
import io.berth.scheduler.move.MoveStore;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ReleaseResult;
import io.berth.scheduler.placement.ReleasedConsumersResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.RecordedClaims;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Transaction;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests replicas that compare registered instances with placement, and deletions of instances, against PostgreSQL. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class InstanceCleanupsIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Inject
    InstanceCleanupStore store;

    @Inject
    RequestRecords requestRecords;

    @Inject
    MoveStore moves;

    @Inject
    RegistryFeed feed;

    @Inject
    Pool pool;

    private final InMemoryPlacement placement = new InMemoryPlacement();

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(LIMIT);
    }

    private UUID register(boolean declared) {
        UUID instance = UUID.randomUUID();
        await(pool.preparedQuery("INSERT INTO instances (uuid, body, declared) VALUES ($1, '{\"host\": \"a\"}', $2)")
                .execute(Tuple.of(instance, declared)));
        return instance;
    }

    private boolean isRegistered(UUID instance) {
        return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = $1").execute(Tuple.of(instance)))
                .size() > 0;
    }

    private static Deletion deletion(UUID instance) {
        return new Deletion(instance, "req-1", null);
    }

    private BegunDeletion begun(Deletion deletion) {
        return await(store.beginDeletions(List.of(deletion))).get(deletion.instance());
    }

    private EndedDeletion forget(UUID instance, long number, Long ifVersion) {
        return await(store.endDeletions(List.of(new DeletionEnd(instance, number, ifVersion)))).get(instance);
    }

    /** Waits for a turn, because the service under test takes turns as well. */
    private Turn turn(double leaseSeconds) throws InterruptedException {
        Turn[] turn = new Turn[1];
        eventually("a turn begins", () -> (turn[0] = await(store.beginTurn(leaseSeconds))) != null);
        return turn[0];
    }

    @Test
    void oneReplicaComparesAtATimeUntilItsLeaseExpires() throws InterruptedException {
        UUID instance = register(true);
        Turn first = turn(3_600);
        assertThat(await(store.beginTurn(3_600))).isNull();
        // The lease expires.
        await(pool.query("UPDATE cleanup_progress SET due_at = now()").execute());
        Turn next = turn(3_600);
        await(store.storeTurn(first, List.of(instance), List.of(), "late", new UUID(1, 1), 0));
        assertThat(await(pool.preparedQuery("SELECT FROM instance_cleanups WHERE instance = $1")
                .execute(Tuple.of(instance))).size())
                .isZero();
        assertThat(await(store.beginTurn(3_600))).isNull();
        await(store.storeTurn(next, List.of(), List.of(), null, next.comparedUntil(), 0));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = $1").execute(Tuple.of(instance)));
    }

    @Test
    void unregistersInstancesWithoutAllocationsUnlessTheyWereDeclared() throws InterruptedException {
        UUID gone = register(false);
        UUID declared = register(true);
        InstanceCleanups one = new InstanceCleanups(store, placement, feed, 50, Duration.ofSeconds(30));
        InstanceCleanups two = new InstanceCleanups(store, placement, feed, 50, Duration.ofSeconds(30));
        Runnable both = () -> await(Uni.join().all(one.processDue(), two.processDue()).andFailFast());
        eventually("the instance is unregistered", () -> {
            both.run();
            return !isRegistered(gone);
        });
        assertThat(isRegistered(declared)).isTrue();
        assertThat(await(store.lastPlace(gone))).isEqualTo(new Place("a", null));
        assertThat(await(store.lastPlace(declared))).isNull();
    }

    @Test
    void storesSuspectsOnlyWhileTheTurnIsCurrent() throws InterruptedException {
        UUID noted = register(true);
        UUID late = register(true);
        Turn first = turn(3_600);
        await(store.storeSuspects(first, List.of(noted, UUID.randomUUID()), 3_600));
        assertThat(await(store.beginTurn(3_600))).isNull();
        await(pool.query("UPDATE cleanup_progress SET due_at = now()").execute());
        Turn next = turn(3_600);
        await(store.storeSuspects(first, List.of(late), 0));
        assertThat(await(store.beginTurn(3_600))).isNull();
        assertThat(
                await(pool.preparedQuery("SELECT instance FROM instance_cleanups WHERE instance = ANY($1)")
                        .execute(Tuple.of(new UUID[] {noted, late}))))
                .extracting(row -> row.getUUID("instance")).containsExactly(noted);
        await(store.storeTurn(next, List.of(), List.of(), null, next.comparedUntil(), 0));
        await(pool.preparedQuery("DELETE FROM instance_cleanups WHERE instance = $1").execute(Tuple.of(noted)));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = ANY($1)")
                .execute(Tuple.of(new UUID[] {noted, late})));
    }

    @Test
    void unregistersThousandsOfInstancesReportedAtOnce() throws InterruptedException {
        List<UUID> gone = Stream.generate(UUID::randomUUID).limit(2_500).toList();
        UUID[] all = gone.toArray(UUID[]::new);
        await(pool.preparedQuery("""
                        INSERT INTO instances (uuid, body, declared)
                        SELECT unnest($1::uuid[]), '{"host": "many"}', false""").execute(Tuple.of(all)));
        PlacementClient reportsAll = new InMemoryPlacement() {
            @Override
            public Uni<ReleasedConsumersResult> releasedSince(String since, String requestId) {
                return Uni.createFrom().item(new ReleasedConsumersResult.Received("until", true, gone));
            }
        };
        InstanceCleanups cleanups = new InstanceCleanups(store, reportsAll, feed, 0, Duration.ofSeconds(30));
        eventually("all are unregistered", () -> {
            await(cleanups.processDue());
            return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = ANY($1)").execute(Tuple.of(all)))
                    .size() == 0;
        });
        await(pool.preparedQuery("DELETE FROM instance_cleanups WHERE instance = ANY($1)").execute(Tuple.of(all)));
    }

    @Test
    void keepsARegistrationThatChangedSinceItWasRead() {
        UUID instance = register(true);
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1")
                .execute(Tuple.of(instance)));
        assertThat(await(store.deleteRegistrations(List.of(new DueCleanup(instance, 0L))))).isEmpty();
        Deletion deletion = deletion(instance);
        BegunDeletion begun = begun(deletion);
        assertThat(begun.version()).isEqualTo(1);
        assertThat(forget(instance, begun.number(), 0L).isDone()).isFalse();
        assertThat(isRegistered(instance)).isTrue();
        assertThat(forget(instance, begun.number(), 1L).isDone()).isTrue();
        assertThat(isRegistered(instance)).isFalse();
    }

    @Test
    void keepsTheRegistrationOfAnInstanceWithAnOpenMove() {
        UUID instance = register(false);
        Move requested = Move.of(UUID.randomUUID(), instance, MoveKind.COLD, UUID.randomUUID(), Map.of(), "req-1");
        Move move = await(moves.start(requested, null, 3_600));
        // The service under test may have added the row already.
        await(pool.preparedQuery("INSERT INTO instance_cleanups (instance) VALUES ($1) ON CONFLICT DO NOTHING")
                .execute(Tuple.of(instance)));
        BegunDeletion refused = begun(deletion(instance));
        assertThat(refused.number()).isNull();
        assertThat(await(store.deleteRegistrations(List.of(new DueCleanup(instance, refused.version()))))).isEmpty();
        assertThat(isRegistered(instance)).isTrue();
        await(moves.end(move, MoveState.FAILED));
        await(pool.preparedQuery("DELETE FROM instance_cleanups WHERE instance = $1").execute(Tuple.of(instance)));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = $1").execute(Tuple.of(instance)));
    }

    @Test
    void unregistersOnlyUnchangedInstancesWithoutOpenRequests() {
        UUID goes = register(false);
        UUID changed = register(false);
        UUID moves = register(false);
        UUID unknown = UUID.randomUUID();
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1")
                .execute(Tuple.of(changed)));
        await(pool.preparedQuery("INSERT INTO request_leases (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(moves.toString())));
        for (UUID each : List.of(goes, changed, moves, unknown)) {
            await(pool.preparedQuery("INSERT INTO request_instances (instance, key) VALUES ($1, $2)")
                    .execute(Tuple.of(each, each.toString())));
            await(pool.preparedQuery(
                    "INSERT INTO instance_cleanups (instance, due_at) VALUES ($1, now() + interval '1 hour')")
                    .execute(Tuple.of(each)));
        }
        assertThat(
                await(store.deleteRegistrations(List.of(
                        new DueCleanup(goes, 0L), new DueCleanup(changed, 0L), new DueCleanup(moves, 0L),
                        new DueCleanup(unknown, 0L)))))
                .containsExactly(goes);
        assertThat(isRegistered(goes)).isFalse();
        assertThat(await(store.lastPlace(goes))).isEqualTo(new Place("a", null));
        assertThat(isRegistered(changed)).isTrue();
        assertThat(isRegistered(moves)).isTrue();
        await(pool.preparedQuery("DELETE FROM request_leases WHERE key = $1").execute(Tuple.of(moves.toString())));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = ANY($1)")
                .execute(Tuple.of(new UUID[] {changed, moves})));
        await(pool.preparedQuery("DELETE FROM instance_cleanups WHERE instance = ANY($1)")
                .execute(Tuple.of(new UUID[] {goes, changed, moves, unknown})));
    }

    @Test
    void oneStatementDecidesEachDeletionSeparately() {
        UUID goes = register(true);
        UUID changed = register(true);
        UUID placedNow = register(false);
        UUID unknown = UUID.randomUUID();
        await(pool.preparedQuery("UPDATE instances SET version = version + 1 WHERE uuid = $1")
                .execute(Tuple.of(changed)));
        await(pool.preparedQuery("INSERT INTO request_leases (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(placedNow.toString())));
        for (UUID each : List.of(goes, changed, placedNow, unknown)) {
            await(pool.preparedQuery("INSERT INTO request_instances (instance, key) VALUES ($1, $2)")
                    .execute(Tuple.of(each, each.toString())));
        }
        List<Deletion> deletions =
                Stream.of(goes, changed, placedNow, unknown).map(InstanceCleanupsIT::deletion).toList();
        Map<UUID, BegunDeletion> begun = await(store.beginDeletions(deletions));
        assertThat(List.of(goes, changed, placedNow)).map(each -> begun.get(each).version())
                .containsExactly(0L, 1L, 0L);
        assertThat(begun.get(unknown).version()).isNull();
        assertThat(begun.get(placedNow).number()).isNull();
        List<DeletionEnd> ends = Stream.of(goes, changed, placedNow, unknown)
                .map(each -> new DeletionEnd(
                        each, each.equals(placedNow) ? 1 : begun.get(each).number(), each.equals(unknown) ? null : 0L))
                .toList();
        assertThat(await(store.endDeletions(ends))).isEqualTo(Map.of(
                goes, new EndedDeletion(true, false), changed, new EndedDeletion(false, false),
                placedNow, new EndedDeletion(false, false), unknown, new EndedDeletion(true, false)));
        assertThat(List.of(goes, changed, placedNow)).map(this::isRegistered).containsExactly(false, true, true);
        assertThat(await(pool.preparedQuery("SELECT FROM request_instances WHERE instance = ANY($1)")
                .execute(Tuple.of(new UUID[] {goes, changed, placedNow, unknown}))).size()).isEqualTo(2);
        await(pool.preparedQuery("DELETE FROM request_leases WHERE key = $1").execute(Tuple.of(placedNow.toString())));
    }

    private Uni<RecordedClaims> claimsOf(UUID instance) {
        return requestRecords.claims(
                IdempotencyKey.toReschedule(JsonNodeFactory.instance.objectNode(), instance, "req-2"));
    }

    private static Uni<Boolean> begin(RecordedClaims claims) {
        return claims.begin(new ClaimStrategy.Plan(null, null, null));
    }

    /** Placement that runs the work when it receives the release of the instance's allocations. */
    private InMemoryPlacement onRelease(Supplier<Uni<?>> work) {
        return new InMemoryPlacement() {
            @Override
            public Uni<ReleaseResult> deleteAllocations(UUID consumer, Long number, String requestId) {
                return work.get().chain(() -> super.deleteAllocations(consumer, number, requestId));
            }
        };
    }

    @Test
    void refusesClaimsWhileADeletionReleasesTheAllocations() {
        UUID instance = register(true);
        List<Boolean> begun = new ArrayList<>();
        var deletion = new InstanceDeletion(
                store, requestRecords, onRelease(() -> claimsOf(instance).chain(InstanceCleanupsIT::begin)
                        .invoke(begun::add)), null);
        assertThat(await(deletion.remove(instance, null, "req-1"))).isTrue();
        assertThat(begun).containsExactly(false);
        RecordedClaims after = await(claimsOf(instance));
        assertThat(await(begin(after))).isTrue();
        await(after.rollBackFailed(false));
    }

    @Test
    void allowsOneOpenDeletionPerInstanceUntilItsLeaseExpires() {
        UUID instance = register(true);
        BegunDeletion first = begun(deletion(instance));
        assertThat(first.number()).isNotNull();
        assertThat(begun(deletion(instance)).number()).isNull();
        BegunDeletion[] next = new BegunDeletion[1];
        // The service under test may have taken the deletion over.
        eventually("the deletion is taken over", () -> {
            await(pool.preparedQuery(
                    "UPDATE request_leases SET lease_until = now() - interval '1 s' WHERE key = 'delete:' || $1::uuid")
                    .execute(Tuple.of(instance)));
            next[0] = begun(deletion(instance));
            return next[0].number() != null;
        });
        assertThat(next[0].number()).as("a release of the former owner is refused").isGreaterThan(first.number());
        assertThat(forget(instance, first.number(), null).isDone()).isFalse();
        assertThat(isRegistered(instance)).isTrue();
        assertThat(forget(instance, next[0].number(), null).isDone()).isTrue();
        assertThat(isRegistered(instance)).isFalse();
        RecordedClaims after = await(claimsOf(instance));
        assertThat(await(begin(after))).as("no deletion is open").isTrue();
        await(after.rollBackFailed(false));
    }

    @Test
    void aDeletionThatLosesTheInstanceToAConcurrentRequestLeavesNoOpenRecord() throws InterruptedException {
        UUID instance = register(true);
        await(pool.preparedQuery("INSERT INTO request_instances (instance, key) VALUES ($1, 'test:closed')")
                .execute(Tuple.of(instance)));
        var deletion = new InstanceDeletion(store, requestRecords, placement, null);
        CompletableFuture<Boolean> removed;
        SqlConnection other = await(pool.getConnection());
        try {
            Transaction transaction = await(other.begin());
            // The deletion waits for this row, and then finds another owner than it has read.
            await(other.preparedQuery("UPDATE request_instances SET key = 'test:another' WHERE instance = $1")
                    .execute(Tuple.of(instance)));
            removed = deletion.remove(instance, null, "req-1").subscribeAsCompletionStage();
            eventually("the deletion waits for the row",
                    () -> PostgresForTests.countWaitingForLock("AS asked(instance, request_id, versions)") > 0);
            await(transaction.commit());
        } finally {
            await(other.close());
        }
        assertThat(removed.join()).as("the second attempt begins at once").isTrue();
        assertThat(isRegistered(instance)).isFalse();
    }

    /** The release gets no response. The next deletion settles it and learns its outcome. */
    @Test
    void aReleaseWithoutAResponseIsSettled() {
        UUID instance = register(true);
        var lost = new InMemoryPlacement() {
            private boolean arrives;

            @Override
            public Uni<ReleaseResult> deleteAllocations(UUID consumer, Long number, String requestId) {
                return (arrives ? super.deleteAllocations(consumer, number, requestId) : Uni.createFrom().voidItem())
                        .replaceWith(new ReleaseResult.Unreachable("answer lost"));
            }
        };
        lost.with("a", 1);
        Claim claim = new Claim(
                instance, new AllocationRequest(Map.of("a", Map.of("VCPU", 1L)), Map.of()), null, "project", "user");
        await(lost.putAllocations(claim, "req-0"));
        var deletion = new InstanceDeletion(store, requestRecords, lost, null);
        assertThatThrownBy(() -> await(deletion.remove(instance, null, "req-1")))
                .isInstanceOf(ApiFault.class)
                .hasMessageContaining("answer lost. The instance is still registered; delete it again");
        assertThat(isRegistered(instance)).isTrue();
        lost.arrives = true;
        assertThat(await(deletion.remove(instance, null, "req-1"))).isTrue();
        assertThat(isRegistered(instance)).isFalse();
        assertThat(lost.heldBy(instance)).isEmpty();
    }

    @Test
    void concurrentDeletionsShareCommits() {
        var deletion = new InstanceDeletion(store, requestRecords, placement, null);
        List<UUID> instances = Stream.generate(() -> register(true)).limit(60).toList();
        Tuple uuids = Tuple.of(instances.toArray(UUID[]::new));
        await(pool.preparedQuery("DELETE FROM registry_changes WHERE uuid = ANY($1)").execute(uuids));
        List<Boolean> known = await(Uni.join()
                .all(instances.stream().map(each -> deletion.remove(each, null, "req-1")).toList())
                .andFailFast());
        assertThat(known).hasSize(60).containsOnly(true);
        long commits = await(pool.preparedQuery("SELECT count(DISTINCT xid) FROM registry_changes WHERE uuid = ANY($1)")
                .execute(uuids))
                .iterator().next().getLong(0);
        assertThat(commits).isBetween(1L, 59L);
        assertThat(instances).noneMatch(this::isRegistered);
    }
}
