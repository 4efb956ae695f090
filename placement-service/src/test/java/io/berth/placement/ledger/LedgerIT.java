package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.berth.placement.ledger.claim.AllocationKey;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.ledger.claim.NetEffect;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests claims of one and two replicas on a real database: concurrency, batches, deadlocks and missing rows. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    @Inject
    Pool pool;

    @Inject
    @ReactiveDataSource("ledger")
    Pool ledgerPool;

    @Inject
    Vertx vertx;

    private final List<LedgerReplica> replicas = new ArrayList<>();

    @AfterEach
    void closeReplicas() {
        replicas.forEach(LedgerReplica::close);
    }

    @Test
    void acceptsAThousandFittingClaimsOnOneProviderAtOnce() {
        UUID host = aProvider().with("VCPU", 1000).insert(pool);
        LedgerReplica a = replica("hot-a", Ledger.Limits.DEFAULT);
        LedgerReplica b = replica("hot-b", Ledger.Limits.DEFAULT);
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            answers.add((i % 2 == 0 ? a : b).begin(newVm(UUID.randomUUID(), take(host, 1))));
        }
        assertThat(results(answers)).hasSize(1000).containsOnly(CLAIMED);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(1000);
        assertThat(ProviderRows.allocated(pool, host, "VCPU")).isEqualTo(1000);
        assertThat(ProviderRows.generation(pool, host)).isEqualTo(1000);
    }

    @Test
    void acceptsExactlyAsManyClaimsAsFit() {
        UUID host = aProvider().with("VCPU", 10).ratio(1.5).insert(pool);
        LedgerReplica a = replica("slots-a", Ledger.Limits.DEFAULT);
        LedgerReplica b = replica("slots-b", Ledger.Limits.DEFAULT);
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add((i % 2 == 0 ? a : b).begin(newVm(UUID.randomUUID(), take(host, 2))));
        }
        assertThat(results(answers)).filteredOn(CLAIMED::equals).hasSize(7);
        assertThat(results(answers)).filteredOn(result -> !CLAIMED.equals(result))
                .hasSize(93).containsOnly(new ClaimResult.CapacityExceeded("VCPU", host));
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(14);
    }

    @Test
    void acceptsOneOfManyClaimsForTheSameNewConsumer() {
        UUID host = aProvider().with("VCPU", 100).insert(pool);
        UUID vm = UUID.randomUUID();
        LedgerReplica a = replica("same-a", Ledger.Limits.DEFAULT);
        LedgerReplica b = replica("same-b", Ledger.Limits.DEFAULT);
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add((i % 2 == 0 ? a : b).begin(newVm(vm, take(host, 1))));
        }
        assertThat(results(answers)).filteredOn(CLAIMED::equals).hasSize(1);
        assertThat(results(answers)).filteredOn(result -> !CLAIMED.equals(result))
                .hasSize(49).containsOnly(new ClaimResult.ConsumerGenerationConflict(vm, 1, null));
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(1);
    }

    @Test
    void failsOnlyTheBadClaimOfABatch() {
        UUID host = aProvider().with("VCPU", 100).insert(pool);
        LedgerReplica replica = patient("bad", new Ledger.Limits(128, 1000, 1, 3));
        UUID broken = UUID.randomUUID();
        // The API's schema would refuse this text; it is longer than the column, so that PostgreSQL refuses the batch.
        Claim tooLong = new Claim.Replace(List.of(new ConsumerClaim(
                broken, new GenerationCheck.IsNew(), "p".repeat(256), "u", null, List.of(take(host, 1)))));
        OtherTransaction other = new OtherTransaction(pool).lock(host);
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        // In progress while the others queue.
        answers.add(replica.begin(newVm(UUID.randomUUID(), take(host, 1))));
        Uni<ClaimResult> bad = replica.begin(tooLong);
        for (int i = 0; i < 20; i++) {
            answers.add(replica.begin(newVm(UUID.randomUUID(), take(host, 1))));
        }
        other.close();
        assertThatThrownBy(() -> bad.await().atMost(ANSWER_MAX)).isInstanceOf(PgException.class);
        assertThat(results(answers)).hasSize(21).containsOnly(CLAIMED);
        assertThat(replica.repeats("one_by_one")).isEqualTo(1);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(21);
        assertThat(ProviderRows.consumerExists(pool, broken)).isFalse();
    }

    @Test
    void refusesClaimsThatDoNotFitInTheQueue() {
        UUID host = aProvider().with("VCPU", 100).insert(pool);
        LedgerReplica replica = patient("full", new Ledger.Limits(1, 2, 1, 3));
        OtherTransaction other = new OtherTransaction(pool).lock(host);
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(replica.begin(newVm(UUID.randomUUID(), take(host, 1))));
        }
        other.close();
        // One is in progress, two wait.
        assertThat(results(answers)).filteredOn(CLAIMED::equals).hasSize(3);
        assertThat(results(answers)).filteredOn(ClaimResult.Unavailable.class::isInstance).hasSize(2);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(3);
    }

    @Test
    void completesQueuedClaimsBeforeItStopsAndRefusesNewOnes() throws InterruptedException {
        UUID host = aProvider().with("VCPU", 1000).insert(pool);
        LedgerReplica replica = replica("drain", new Ledger.Limits(4, 1000, 1, 3));
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            answers.add(replica.begin(newVm(UUID.randomUUID(), take(host, 1))));
        }
        replica.ledger.drain(null);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(40);
        assertThat(results(answers)).containsOnly(CLAIMED);
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 1)))).isInstanceOf(ClaimResult.Unavailable.class);
    }

    @Test
    void retriesABatchAfterADeadlock() {
        LedgerReplica replica = patient("deadlock", Ledger.Limits.DEFAULT);
        assertThat(claimThatMeetsADeadlock(replica)).isEqualTo(CLAIMED);
        // The retry may lock the earlier provider before the other transaction wakes, and deadlock again.
        assertThat(replica.repeats("raced")).isPositive();
    }

    @Test
    void givesUpABatchAfterTooManyDeadlocks() {
        LedgerReplica replica = patient("deadlocks", new Ledger.Limits(16, 100, 1, 0));
        assertThat(claimThatMeetsADeadlock(replica))
                .isEqualTo(new ClaimResult.Unavailable("Gave up after 0 retries: concurrent updates."));
        assertThat(replica.repeats("raced")).isZero();
    }

    /** PostgreSQL aborts the claim, not the other transaction, whose deadlock check would come an hour later. */
    private ClaimResult claimThatMeetsADeadlock(LedgerReplica replica) {
        UUID one = aProvider().with("VCPU", 100).insert(pool);
        UUID between = aProvider().with("VCPU", 100).insert(pool);
        UUID two = aProvider().with("VCPU", 100).insert(pool);
        OtherTransaction delay = new OtherTransaction(pool).lock(between);
        // This transaction locks in the reverse order: first the later provider, then, while the claim waits, the
        // earlier one.
        OtherTransaction other = new OtherTransaction(pool).lock(two);
        other.run("SET LOCAL deadlock_timeout = '1h'");
        Uni<ClaimResult> answer = replica.begin(newVm(UUID.randomUUID(), take(one, 1), take(between, 1), take(two, 1)));
        eventually("the claim waits", () -> PostgresForTests.countWaitingForLock("resource_providers") == 1);
        var locked = other.locking(one).subscribeAsCompletionStage();
        eventually("the other transaction waits",
                () -> PostgresForTests.countWaitingForLock("resource_providers") == 2);
        delay.close();
        locked.join();
        other.close();
        ClaimResult result = answer.await().atMost(ANSWER_MAX);
        int used = CLAIMED.equals(result) ? 1 : 0;
        for (UUID provider : List.of(one, between, two)) {
            assertThat(ProviderRows.used(pool, provider, "VCPU")).isEqualTo(used);
            assertThat(ProviderRows.generation(pool, provider)).isEqualTo(used);
        }
        return result;
    }

    @Test
    void findsAProviderThatWasDeletedAndCreatedAgain() {
        UUID host = aProvider().with("VCPU", 100).insert(pool);
        LedgerReplica replica = replica("again", Ledger.Limits.DEFAULT);
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 1)))).isEqualTo(CLAIMED);
        UUID successor = aProvider().with("VCPU", 100).insert(pool);
        run("DELETE FROM resource_providers WHERE uuid = $1", Tuple.of(host));
        run("UPDATE resource_providers SET uuid = $1 WHERE uuid = $2", Tuple.of(host, successor));
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 3)))).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(3);
        assertThat(ProviderRows.allocated(pool, host, "VCPU")).isEqualTo(3);
    }

    @Test
    void findsAProviderWhoseIdChangedInARestore() {
        UUID host = aProvider().with("VCPU", 100).insert(pool);
        UUID other = aProvider().with("VCPU", 100).insert(pool);
        LedgerReplica replica = replica("restored", Ledger.Limits.DEFAULT);
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 1)))).isEqualTo(CLAIMED);
        UUID moved = UUID.randomUUID();
        run("UPDATE resource_providers SET uuid = $1 WHERE uuid = $2", Tuple.of(moved, host));
        run("UPDATE resource_providers SET uuid = $1 WHERE uuid = $2", Tuple.of(host, other));
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 3)))).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(3);
        assertThat(ProviderRows.used(pool, moved, "VCPU")).isEqualTo(1);
    }

    @Test
    void refusesAClaimOnAProviderThatWasDeletedAfterAClaim() {
        UUID host = aProvider().with("VCPU", 100).insert(pool);
        UUID other = aProvider().with("VCPU", 100).insert(pool);
        LedgerReplica replica = replica("gone", Ledger.Limits.DEFAULT);
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 1), take(other, 1)))).isEqualTo(CLAIMED);
        run("DELETE FROM resource_providers WHERE uuid = $1", Tuple.of(host));
        assertThat(replica.claim(newVm(UUID.randomUUID(), take(host, 1), take(other, 1))))
                .isEqualTo(new ClaimResult.NoSuchProvider(host));
        assertThat(ProviderRows.used(pool, other, "VCPU")).isEqualTo(1);
    }

    @Test
    void replacesAllocationsOfAConsumerWithoutARow() {
        UUID host = aProvider().with("VCPU", 4).insert(pool);
        UUID other = aProvider().with("VCPU", 4).insert(pool);
        UUID vm = UUID.randomUUID();
        LedgerReplica replica = replica("no-row", Ledger.Limits.DEFAULT);
        var tables = new LedgerTables(pool);
        assertThat(replica.claim(newVm(vm, take(host, 3), take(other, 2)))).isEqualTo(CLAIMED);
        loseRow(vm);
        assertThat(replica.claim(newVm(vm, take(host, 1)))).isEqualTo(CLAIMED);
        assertThat(tables.heldBy(vm)).isEqualTo(Map.of(host, 1L));
        loseRow(vm);
        assertThat(replica.claim(newVm(vm, take(host, 4)))).as("whole capacity").isEqualTo(CLAIMED);
        loseRow(vm);
        assertThat(replica.claim(newVm(vm, take(other, 1)))).as("on another host").isEqualTo(CLAIMED);
        assertThat(tables.heldBy(vm)).isEqualTo(Map.of(other, 1L));
        loseRow(vm);
        assertThat(replica.claim(newVm(vm, take(other, 5)))).isEqualTo(new ClaimResult.CapacityExceeded("VCPU", other));
        assertThat(replica.claim(claim(vm, new GenerationCheck.Is(1), take(host, 1))))
                .isEqualTo(new ClaimResult.ConsumerGenerationConflict(vm, null, 1L));
        assertThat(tables.heldBy(vm)).isEqualTo(Map.of(other, 1L));
        assertThat(replica.claim(claim(vm, new GenerationCheck.Unchecked(), take(other, 2), take(host, 1))))
                .isEqualTo(CLAIMED);
        assertThat(tables.heldBy(vm)).isEqualTo(Map.of(other, 2L, host, 1L));
        tables.check("in the end", List.of(host, other), List.of(vm));
    }

    @Test
    void releasesAllocationsOnADeletedProvider() {
        UUID host = aProvider().with("VCPU", 4).insert(pool);
        UUID lost = aProvider().with("VCPU", 4).insert(pool);
        UUID vm = UUID.randomUUID();
        LedgerReplica replica = replica("gone", Ledger.Limits.DEFAULT);
        assertThat(replica.claim(newVm(vm, take(host, 3), take(lost, 2)))).isEqualTo(CLAIMED);
        run("DELETE FROM resource_providers WHERE uuid = $1", Tuple.of(lost));
        assertThat(replica.claim(claim(vm, new GenerationCheck.Is(1)))).isEqualTo(CLAIMED);
        var tables = new LedgerTables(pool);
        assertThat(tables.heldBy(vm)).isEmpty();
        tables.check("without it", List.of(host), List.of(vm));
    }

    @Test
    void claimsOnOtherHostsPassABatchThatWaitsForALock() {
        UUID locked = aProvider().with("VCPU", 100).insert(pool);
        UUID free = aProvider().with("VCPU", 100).insert(pool);
        LedgerReplica replica = patient("stalled", Ledger.Limits.DEFAULT);
        OtherTransaction other = new OtherTransaction(pool).lock(locked);
        Uni<ClaimResult> waiting = replica.begin(newVm(UUID.randomUUID(), take(locked, 1)));
        replica.awaitWaiting();
        Uni<ClaimResult> following = replica.begin(newVm(UUID.randomUUID(), take(locked, 1)));
        var passing = replica.begin(newVm(UUID.randomUUID(), take(free, 1))).subscribeAsCompletionStage();
        eventually("the claim on the other host completes", () -> {
            // The service does this every second.
            replica.ledger.completeLate();
            return passing.isDone();
        });
        assertThat(passing.join()).isEqualTo(CLAIMED);
        assertThat(replica.ledger.queueLength()).as("claims on the locked host that stay in the queue")
                .isEqualTo(1);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isZero();
        other.close();
        assertThat(results(List.of(waiting, following))).containsOnly(CLAIMED);
    }

    @Test
    void writesNothingOfABatchIfAnExpectedRowIsMissing() {
        UUID vm = UUID.randomUUID();
        var place = new AllocationKey(Long.MAX_VALUE, 0);
        var effect = new NetEffect(
                Map.of(), Map.of(), Map.of(), Map.of(vm, Map.of(place, 1L)), Map.of(), Map.of(place, 1L), Map.of(),
                Map.of(), Set.of(), Map.of(), Set.of());
        SqlConnection connection = pool.getConnection().await().atMost(ANSWER_MAX);
        connection.query("BEGIN").execute().await().atMost(ANSWER_MAX);
        var store = new NetEffectStore(connection.getDelegate());
        var written = store.write(effect, Map.of());
        var committed = store.commit();
        Future.join(written, committed).toCompletionStage().handle((ended, failure) -> null).toCompletableFuture()
                .join();
        connection.close().await().atMost(ANSWER_MAX);
        assertThat(written.cause()).isInstanceOfSatisfying(
                PgException.class, refused -> assertThat(refused.getSqlState()).isEqualTo("22012"));
        assertThat(pool.preparedQuery("SELECT 1 FROM allocations WHERE consumer_uuid = $1").execute(Tuple.of(vm))
                .await().atMost(ANSWER_MAX).size()).isZero();
    }

    @Test
    void limitsLockWaitsInTheDatabaseToHalfASecond() {
        assertThat(ledgerPool.query("SHOW lock_timeout").execute().await().atMost(ANSWER_MAX).iterator().next()
                .getString(0))
                .isEqualTo("500ms");
    }

    // ---- helpers

    private void run(String sql, Tuple parameters) {
        pool.preparedQuery(sql).execute(parameters).await().atMost(ANSWER_MAX);
    }

    private LedgerReplica replica(String name, Ledger.Limits limits) {
        return kept(new LedgerReplica(vertx, name, limits));
    }

    private LedgerReplica patient(String name, Ledger.Limits limits) {
        return kept(LedgerReplica.patient(vertx, name, limits));
    }

    private LedgerReplica kept(LedgerReplica replica) {
        replicas.add(replica);
        return replica;
    }

    private static Amount take(UUID provider, long vcpus) {
        return new Amount(provider, "VCPU", vcpus);
    }

    private void loseRow(UUID consumer) {
        run("DELETE FROM consumers WHERE uuid = $1", Tuple.of(consumer));
    }

    private static Claim newVm(UUID consumer, Amount... amounts) {
        return claim(consumer, new GenerationCheck.IsNew(), amounts);
    }

    private static Claim claim(UUID consumer, GenerationCheck generation, Amount... amounts) {
        return new Claim.Replace(List.of(
                new ConsumerClaim(consumer, generation, "p", "u", "INSTANCE", Arrays.asList(amounts))));
    }

    private static List<ClaimResult> results(List<Uni<ClaimResult>> answers) {
        return answers.stream().map(answer -> answer.await().atMost(ANSWER_MAX)).toList();
    }
}
