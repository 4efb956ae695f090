package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ClaimResult.Settled;
import io.berth.placement.ledger.claim.ClaimResult.SettledConsumer;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.ledger.claim.ConsumerSettlement;
import io.berth.placement.ledger.claim.ConsumerSettlement.Undo;
import io.berth.placement.ledger.claim.Fence;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs late claims and settlements of two replicas in both orders. Another transaction has locked a provider, which
 * stops one of them in the middle of its transaction while the other one meets its locks.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerFencesIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();
    private static final long LATE = 5;
    private static final long SETTLED = 9;
    private static final String CLAIMS = "fences-claims";
    private static final String SETTLEMENTS = "fences-settlements";

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private LedgerReplica claims;
    private LedgerReplica settlements;
    private LedgerTables tables;
    private OtherTransaction other;
    private UUID host;
    private UUID slow;
    private final UUID vm = UUID.randomUUID();

    @BeforeEach
    void begin() {
        // A replica that waits for a lock waits in the database, and keeps the locks that it has.
        claims = LedgerReplica.patient(vertx, CLAIMS, new Ledger.Limits(16, 1_000, 1, 10));
        settlements = LedgerReplica.patient(vertx, SETTLEMENTS, new Ledger.Limits(16, 1_000, 1, 10));
        tables = new LedgerTables(pool);
        host = aProvider().with("VCPU", 100).insert(pool);
        slow = aProvider().with("VCPU", 100).insert(pool);
        other = new OtherTransaction(pool).lock(slow);
    }

    @AfterEach
    void end() {
        other.close();
        claims.close();
        settlements.close();
        tables.check("at the end", List.of(host, slow), List.of(vm));
    }

    // ---- the claim first: the settlement waits for it and sees it

    @Test
    void settlementWaitsForTheClaimOfANewConsumer() {
        Uni<ClaimResult> claim = claims.begin(claim(vm, LATE, new GenerationCheck.IsNew(), take(slow)));
        awaitWaiting(CLAIMS);
        Uni<ClaimResult> settlement = settlements.begin(look(vm));
        awaitWaiting(SETTLEMENTS);
        other.close();
        assertThat(await(claim)).isEqualTo(CLAIMED);
        SettledConsumer settled = settled(settlement);
        assertThat(settled.fence()).isEqualTo(new Fence(SETTLED, LATE));
        assertThat(settled.consumer().generation()).isEqualTo(1);
        assertThat(settled.allocations())
                .containsExactly(new ClaimResult.ProviderAllocations(slow, 1, Map.of("VCPU", 1L)));
    }

    @Test
    void settlementUndoesTheClaimThatItWaitedFor() {
        Uni<ClaimResult> claim = claims.begin(claim(vm, LATE, new GenerationCheck.IsNew(), take(slow)));
        awaitWaiting(CLAIMS);
        Uni<ClaimResult> settlement = settlements.begin(undo(vm));
        awaitWaiting(SETTLEMENTS);
        other.close();
        assertThat(await(claim)).isEqualTo(CLAIMED);
        assertThat(settled(settlement)).isEqualTo(
                new SettledConsumer(vm, null, new Fence(SETTLED, SETTLED), true, List.of()));
        assertThat(tables.heldBy(vm)).isEmpty();
        assertThat(fence(vm)).isEqualTo(new Fence(SETTLED, SETTLED));
    }

    @Test
    void settlementWaitsForTheClaimOfAnExistingConsumer() {
        assertThat(claims.claim(claim(vm, 3, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        Uni<ClaimResult> claim = claims.begin(claim(vm, LATE, new GenerationCheck.Is(1), take(slow)));
        awaitWaiting(CLAIMS);
        Uni<ClaimResult> settlement = settlements.begin(settle(SETTLED, new ConsumerSettlement(
                new Undo(LATE, LATE), wants(vm, new GenerationCheck.Unchecked(), take(host)))));
        awaitWaiting(SETTLEMENTS);
        other.close();
        assertThat(await(claim)).isEqualTo(CLAIMED);
        SettledConsumer settled = settled(settlement);
        assertThat(settled.isUndone()).isTrue();
        assertThat(settled.consumer().generation()).isEqualTo(3);
        assertThat(tables.heldBy(vm)).isEqualTo(Map.of(host, 1L));
    }

    /** The claim is refused, and the consumer's row, which no other transaction has seen, is removed. */
    @Test
    void settlementAfterARefusedClaimFencesOutTheNext() {
        Uni<ClaimResult> claim = claims.begin(claim(vm, LATE, new GenerationCheck.IsNew(), take(slow, 101)));
        awaitWaiting(CLAIMS);
        Uni<ClaimResult> settlement = settlements.begin(look(vm));
        awaitWaiting(SETTLEMENTS);
        other.close();
        assertThat(await(claim)).isEqualTo(new ClaimResult.CapacityExceeded("VCPU", slow));
        assertThat(settled(settlement).fence()).isEqualTo(new Fence(SETTLED, null));
        assertThat(claims.claim(claim(vm, LATE, new GenerationCheck.IsNew(), take(slow)))).isEqualTo(fenced(vm, LATE));
    }

    // ---- the settlement first: the claim waits for it and is fenced out

    /** The claim's INSERT begins before the tombstone is committed, and sees nothing of it. */
    @ParameterizedTest
    @ValueSource(longs = {LATE, SETTLED})
    void claimOfANewConsumerIsFencedOutAfterTheSettlement(long late) {
        Uni<ClaimResult> settlement = beginSlowly(look(vm));
        Uni<ClaimResult> claim = claims.begin(claim(vm, late, new GenerationCheck.IsNew(), take(host)));
        awaitWaiting(CLAIMS);
        other.close();
        assertThat(settled(settlement).fence()).isEqualTo(new Fence(SETTLED, null));
        assertThat(await(claim)).isEqualTo(fenced(vm, late));
        assertThat(tables.heldBy(vm)).isEmpty();
        assertThat(fence(vm)).isEqualTo(new Fence(SETTLED, null));
    }

    @Test
    void claimOfANewConsumerWithALaterNumberIsMade() {
        Uni<ClaimResult> settlement = beginSlowly(look(vm));
        Uni<ClaimResult> claim = claims.begin(claim(vm, SETTLED + 1, new GenerationCheck.IsNew(), take(host)));
        awaitWaiting(CLAIMS);
        other.close();
        assertThat(settled(settlement).fence()).isEqualTo(new Fence(SETTLED, null));
        assertThat(await(claim)).isEqualTo(CLAIMED);
        assertThat(fence(vm)).isEqualTo(new Fence(SETTLED + 1, SETTLED + 1));
    }

    @Test
    void claimOfAnExistingConsumerIsFencedOutAfterTheSettlement() {
        assertThat(claims.claim(claim(vm, 3, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        Uni<ClaimResult> settlement = beginSlowly(undo(vm));
        Uni<ClaimResult> claim = claims.begin(claim(vm, LATE, new GenerationCheck.Unchecked(), take(host, 2)));
        awaitWaiting(CLAIMS);
        other.close();
        assertThat(settled(settlement).isUndone()).isTrue();
        assertThat(await(claim)).isEqualTo(fenced(vm, LATE));
        assertThat(tables.heldBy(vm)).isEmpty();
    }

    /** A plain write is never fenced out: it finds the consumer gone, keeps its fence, and no settlement undoes it. */
    @Test
    void plainClaimAfterTheSettlementIsMadeAndKeepsTheFence() {
        Uni<ClaimResult> settlement = beginSlowly(look(vm));
        Uni<ClaimResult> claim = claims.begin(claim(vm, Fence.PLAIN, new GenerationCheck.IsNew(), take(host)));
        awaitWaiting(CLAIMS);
        other.close();
        assertThat(settled(settlement).consumer()).isNull();
        assertThat(await(claim)).isEqualTo(CLAIMED);
        assertThat(fence(vm)).isEqualTo(new Fence(SETTLED, null));
        assertThat(settled(settlements.begin(settle(SETTLED + 1, new ConsumerSettlement(
                new Undo(1, SETTLED), ConsumerClaim.ofNothing(vm))))).isUndone()).isFalse();
        assertThat(tables.heldBy(vm)).isEqualTo(Map.of(host, 1L));
    }

    /** If one of several consumers is fenced out, the claim does not hold for the others either. */
    @Test
    void claimOfSeveralConsumersFailsForAllIfOneIsSettled() {
        UUID second = UUID.randomUUID();
        Uni<ClaimResult> settlement = beginSlowly(look(vm));
        Uni<ClaimResult> claim = claims.begin(new Claim.Replace(List.of(
                wants(second, new GenerationCheck.IsNew(), take(host)),
                wants(vm, new GenerationCheck.IsNew(), take(host))), LATE));
        awaitWaiting(CLAIMS);
        other.close();
        assertThat(settled(settlement).isUndone()).isFalse();
        assertThat(await(claim)).isEqualTo(fenced(vm, LATE));
        assertThat(ProviderRows.used(pool, host, "VCPU")).isZero();
        assertThat(ProviderRows.consumerExists(pool, second)).isFalse();
        assertThat(fence(second)).isNull();
    }

    // ---- with plain deletions between

    /**
     * The claim is repeated with a later number, a client without a fence number deletes the result, and then the late
     * claim arrives.
     */
    @Test
    void lateClaimIsFencedOutAfterAPlainDeletion() {
        assertThat(claims.claim(claim(vm, LATE + 1, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        assertThat(settlements.claim(new Claim.Release(vm))).isEqualTo(CLAIMED);
        assertThat(fence(vm)).isEqualTo(new Fence(LATE + 1, null));
        assertThat(claims.claim(claim(vm, LATE, new GenerationCheck.IsNew(), take(host))))
                .isEqualTo(new ClaimResult.Fenced(vm, LATE + 1, LATE));
        assertThat(claims.claim(claim(vm, LATE + 1, new GenerationCheck.IsNew(), take(host))))
                .as("repetition of a claim whose result was deleted")
                .isEqualTo(new ClaimResult.Fenced(vm, LATE + 1, LATE + 1));
        assertThat(tables.heldBy(vm)).isEmpty();
    }

    @Test
    void lateClaimThatWaitsForAPlainDeletionIsFencedOut() {
        holdSlow(vm, SETTLED);
        Uni<ClaimResult> deletion = settlements.begin(new Claim.Release(vm));
        awaitWaiting(SETTLEMENTS);
        Uni<ClaimResult> claim = claims.begin(claim(vm, LATE, new GenerationCheck.IsNew(), take(host)));
        awaitWaiting(CLAIMS);
        other.close();
        assertThat(await(deletion)).isEqualTo(CLAIMED);
        assertThat(await(claim)).isEqualTo(fenced(vm, LATE));
        assertThat(tables.heldBy(vm)).isEmpty();
    }

    @Test
    void plainDeletionOfAnUnfencedConsumerLeavesNoFence() {
        assertThat(claims.claim(claim(vm, Fence.PLAIN, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        assertThat(claims.claim(new Claim.Release(vm))).isEqualTo(CLAIMED);
        assertThat(fence(vm)).isNull();
    }

    /** A consumer is emptied with a number, then claimed and deleted without one: nothing is left to undo. */
    @Test
    void plainDeletionClearsTheLastWriter() {
        assertThat(claims.claim(claim(vm, 3, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        assertThat(claims.claim(new Claim.Release(vm, 4))).isEqualTo(CLAIMED);
        assertThat(claims.claim(new Claim.Release(vm, 4))).as("repeated").isEqualTo(CLAIMED);
        assertThat(fence(vm)).isEqualTo(new Fence(4, 4L));
        assertThat(claims.claim(claim(vm, Fence.PLAIN, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        assertThat(claims.claim(new Claim.Release(vm))).isEqualTo(CLAIMED);
        assertThat(settled(settlements.begin(settle(SETTLED, new ConsumerSettlement(
                new Undo(1, 8), wants(vm, new GenerationCheck.Unchecked(), take(host)))))).isUndone()).isFalse();
        assertThat(tables.heldBy(vm)).isEmpty();
    }

    /** The repetition of a deletion in progress waits for it, and then recognizes that it is the same. */
    @Test
    void repeatedDeletionSucceedsAfterWaitingForTheFirst() {
        holdSlow(vm, 3);
        Uni<ClaimResult> first = claims.begin(new Claim.Release(vm, 4));
        awaitWaiting(CLAIMS);
        Uni<ClaimResult> second = settlements.begin(new Claim.Release(vm, 4));
        awaitWaiting(SETTLEMENTS);
        other.close();
        assertThat(await(first)).isEqualTo(CLAIMED);
        assertThat(await(second)).isEqualTo(CLAIMED);
    }

    // ---- in one batch

    /** The only worker is blocked, so that all these claims form one batch. */
    @Test
    void fencesOutSingleClaimsOfABatchAndMakesTheOthers() {
        UUID there = UUID.randomUUID();
        UUID emptied = UUID.randomUUID();
        assertThat(claims.claim(look(vm))).isInstanceOf(Settled.class);
        assertThat(claims.claim(claim(there, 7, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        Uni<ClaimResult> busy =
                claims.begin(claim(UUID.randomUUID(), Fence.PLAIN, new GenerationCheck.IsNew(), take(slow)));
        awaitWaiting(CLAIMS);
        List<UUID> others = Stream.generate(UUID::randomUUID).limit(3).toList();
        List<Uni<ClaimResult>> answers = Stream.of(
                claim(others.get(0), 1, new GenerationCheck.IsNew(), take(host)),
                claim(vm, LATE, new GenerationCheck.IsNew(), take(host)),
                claim(others.get(1), Fence.PLAIN, new GenerationCheck.IsNew(), take(host)),
                claim(there, 6, new GenerationCheck.Is(1), take(host, 2)),
                claim(vm, SETTLED + 2, new GenerationCheck.IsNew(), take(host)),
                claim(vm, SETTLED + 1, new GenerationCheck.Is(1), take(host, 3)),
                settle(SETTLED, new ConsumerSettlement(null, ConsumerClaim.ofNothing(emptied))),
                claim(emptied, SETTLED - 1, new GenerationCheck.IsNew(), take(host)),
                claim(emptied, SETTLED + 1, new GenerationCheck.IsNew(), take(host)),
                new Claim.Release(emptied, SETTLED + 2),
                claim(others.get(2), 1, new GenerationCheck.IsNew(), take(host)))
                .map(claims::begin).toList();
        other.close();
        assertThat(await(busy)).isEqualTo(CLAIMED);
        List<ClaimResult> results = answers.stream().map(LedgerFencesIT::await).toList();
        assertThat(results.get(6)).isInstanceOf(Settled.class);
        assertThat(results.stream().filter(result -> !(result instanceof Settled))).containsExactly(
                CLAIMED, fenced(vm, LATE), CLAIMED, new ClaimResult.Fenced(there, 7, 6), CLAIMED,
                new ClaimResult.Fenced(vm, SETTLED + 2, SETTLED + 1),
                new ClaimResult.Fenced(emptied, SETTLED, SETTLED - 1), CLAIMED, CLAIMED, CLAIMED);
        assertThat(claims.meters.get("berth.ledger.batch").summary().count()).as("batches, three before").isEqualTo(4);
        assertThat(fence(vm)).isEqualTo(new Fence(SETTLED + 2, SETTLED + 2));
        assertThat(fence(emptied)).isEqualTo(new Fence(SETTLED + 2, SETTLED + 2));
        assertThat(ProviderRows.consumerExists(pool, emptied)).isFalse();
        assertThat(fence(there)).isEqualTo(new Fence(7, 7L));
        assertThat(fence(others.get(1))).isEqualTo(Fence.NONE);
        tables.check("after the batch", List.of(host), List.of(vm, there, emptied));
    }

    // ---- helpers

    /**
     * Begins a settlement that stops in the middle of its transaction: it has locked everything but the provider that
     * the other transaction has locked.
     */
    private Uni<ClaimResult> beginSlowly(Claim.Settle settlement) {
        UUID held = UUID.randomUUID();
        holdSlow(held, Fence.PLAIN);
        Uni<ClaimResult> answer = settlements.begin(settle(
                SETTLED, settlement.consumers().getFirst(),
                new ConsumerSettlement(null, ConsumerClaim.ofNothing(held))));
        awaitWaiting(SETTLEMENTS);
        return answer;
    }

    /** Gives the consumer an allocation on the provider that the other transaction then locks again. */
    private void holdSlow(UUID consumer, long fence) {
        other.close();
        assertThat(claims.claim(claim(consumer, fence, new GenerationCheck.IsNew(), take(slow)))).isEqualTo(CLAIMED);
        other = new OtherTransaction(pool).lock(slow);
    }

    private void awaitWaiting(String application) {
        eventually(application + " waits", () -> tables.waiting(application).size() == 1);
    }

    private static Claim.Settle look(UUID consumer) {
        return settle(SETTLED, new ConsumerSettlement(null, ConsumerClaim.ofNothing(consumer)));
    }

    private static Claim.Settle undo(UUID consumer) {
        return settle(SETTLED, new ConsumerSettlement(new Undo(1, SETTLED - 1), ConsumerClaim.ofNothing(consumer)));
    }

    private static Claim.Settle settle(long fence, ConsumerSettlement... consumers) {
        return new Claim.Settle(fence, Arrays.asList(consumers));
    }

    /** Returns the first consumer of the settlement. */
    private static SettledConsumer settled(Uni<ClaimResult> settlement) {
        return ((Settled) await(settlement)).consumers().getFirst();
    }

    private static ClaimResult await(Uni<ClaimResult> answer) {
        return answer.await().atMost(ANSWER_MAX);
    }

    /** A refusal by the fence of the settlement. */
    private static ClaimResult fenced(UUID consumer, long given) {
        return new ClaimResult.Fenced(consumer, SETTLED, given);
    }

    private static Amount take(UUID provider) {
        return take(provider, 1);
    }

    private static Amount take(UUID provider, long vcpus) {
        return new Amount(provider, "VCPU", vcpus);
    }

    private static ConsumerClaim wants(UUID consumer, GenerationCheck generation, Amount... amounts) {
        return new ConsumerClaim(consumer, generation, "p", "u", "INSTANCE", Arrays.asList(amounts));
    }

    private static Claim claim(UUID consumer, long fence, GenerationCheck generation, Amount... amounts) {
        return new Claim.Replace(List.of(wants(consumer, generation, amounts)), fence);
    }

    /** Returns the fence in the tables; null if there is none. */
    private Fence fence(UUID consumer) {
        var rows = pool.preparedQuery("""
                SELECT fence, claimed_by FROM consumers WHERE uuid = $1
                 UNION ALL
                SELECT fence, claimed_by FROM consumer_fences
                 WHERE uuid = $1 AND NOT EXISTS (SELECT FROM consumers WHERE uuid = $1)""")
                .execute(Tuple.of(consumer)).await().atMost(ANSWER_MAX).iterator();
        if (!rows.hasNext()) {
            return null;
        }
        var row = rows.next();
        return new Fence(row.getLong(0), row.getLong(1));
    }
}
