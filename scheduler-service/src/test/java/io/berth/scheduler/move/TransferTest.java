package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests how the allocations of a move are restored, against an in-memory placement. */
class TransferTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final UUID MIGRATION = UUID.fromString("22222222-2222-4222-8222-222222222222");
    private static final Map<String, Map<String, Long>> ON_A = Map.of("a", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> ON_B = Map.of("b", Map.of("VCPU", 2L));
    private static final Map<String, Map<String, Long>> ON_BOTH =
            Map.of("a", Map.of("VCPU", 1L), "b", Map.of("VCPU", 2L));

    /** Provider a has room for one: an allocation that is counted twice while it changes its consumer is refused. */
    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 1).with("b", 2).holdingBack();
    private final Transfer transfer = new Transfer(placement, null);

    private ClaimResult put(UUID consumer, Map<String, Map<String, Long>> allocations) {
        return placement
                .putAllocations(
                        new Claim(
                                consumer,
                                new AllocationRequest(allocations, Map.of()),
                                placement.heldNow(consumer).consumerGeneration(),
                                "project",
                                "user"),
                        "req-1")
                .await().indefinitely();
    }

    private static final long FIRST = 65_536;

    /** Number of the latest owner. */
    private long number = FIRST;

    /** Returns the move after another owner has taken it over. */
    private Move move(
            MoveKind kind, Map<String, Map<String, Long>> before, Map<String, Map<String, Long>> after) {
        number += FIRST;
        return new Move(
                MIGRATION, INSTANCE, kind, null, after == null ? MoveState.STARTED : MoveState.REVERTING, before, after,
                null, "req-1", FIRST, number, 0);
    }

    /** Claims b as {@link MoveClaims} does. */
    private ClaimResult claim(MoveKind kind) {
        Consumer consumer = new Consumer(INSTANCE, "project", "user", "req-1");
        var write = kind.claimWrite(MIGRATION);
        return placement
                .claim(write.claims(consumer, placement.heldNow(INSTANCE), new AllocationRequest(ON_B, Map.of())),
                        number + 1, "req-1")
                .await().atMost(Duration.ofMinutes(5));
    }

    private RestoreResult restore(
            MoveKind kind, Map<String, Map<String, Long>> before, Map<String, Map<String, Long>> after) {
        return restore(move(kind, before, after));
    }

    private RestoreResult restore(Move move) {
        return transfer.restoreHeldBefore(move, "req-1").await().atMost(Duration.ofMinutes(5));
    }

    @Test
    void restoresTheMigrationsAllocationsInPlaceOfTheClaim() {
        put(INSTANCE, ON_A);
        claim(MoveKind.RESIZE);
        assertThat(restore(MoveKind.RESIZE, ON_A, ON_B)).isInstanceOf(RestoreResult.Done.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_A);
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
    }

    @Test
    void refusesAClaimThatArrivesAfterTheRollback() {
        put(INSTANCE, ON_A);
        for (MoveKind kind : List.of(MoveKind.RESIZE, MoveKind.COLD, MoveKind.LIVE, MoveKind.EVACUATE)) {
            placement.next(Fate.LATE);
            assertThat(claim(kind)).as(kind.wireName()).isInstanceOf(ClaimResult.Unreachable.class);
            assertThat(restore(kind, ON_A, null)).as(kind.wireName()).isInstanceOf(RestoreResult.Done.class);
            assertThat(placement.arriveLate()).as(kind.wireName()).isInstanceOf(ClaimResult.Fenced.class);
            assertThat(placement.heldBy(INSTANCE)).as(kind.wireName()).isEqualTo(ON_A);
            assertThat(placement.heldBy(MIGRATION)).as(kind.wireName()).isEmpty();
        }
    }

    @Test
    void refusesAClaimThatArrivesAfterTheInstanceWasDeleted() {
        put(INSTANCE, ON_A);
        placement.next(Fate.LATE);
        claim(MoveKind.LIVE);
        assertThat(restore(MoveKind.LIVE, ON_A, null)).isInstanceOf(RestoreResult.Done.class);
        placement.deletePlainly(INSTANCE);
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(INSTANCE)).isEmpty();
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
    }

    @Test
    void releasesTheMigrationsAllocationsIfTheInstanceWasDeleted() {
        put(INSTANCE, ON_A);
        claim(MoveKind.LIVE);
        placement.deletePlainly(INSTANCE);
        assertThat(restore(MoveKind.LIVE, ON_A, null)).isInstanceOf(RestoreResult.Gone.class);
        assertThat(placement.heldBy(INSTANCE)).isEmpty();
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
    }

    @Test
    void keepsTheMigrationsAllocationsWhenRevertingADeletedInstance() {
        put(INSTANCE, ON_A);
        claim(MoveKind.LIVE);
        placement.deletePlainly(INSTANCE);
        assertThat(restore(MoveKind.LIVE, ON_A, ON_B)).isInstanceOf(RestoreResult.Gone.class);
        assertThat(placement.heldBy(MIGRATION)).isEqualTo(ON_A);
    }

    @Test
    void releasesTheClaimOfAnEvacuationAndKeepsTheSource() {
        put(INSTANCE, ON_A);
        put(INSTANCE, ON_BOTH);
        assertThat(restore(MoveKind.EVACUATE, ON_A, ON_BOTH)).isInstanceOf(RestoreResult.Done.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_A);
    }

    @Test
    void keepsAllocationsThatAnotherClientChanged() {
        put(INSTANCE, ON_B);
        assertThat(restore(MoveKind.RESIZE, ON_A, ON_B)).isInstanceOf(RestoreResult.Gone.class);
        assertThat(restore(MoveKind.EVACUATE, ON_A, ON_BOTH)).isInstanceOf(RestoreResult.Gone.class);
        assertThat(restore(MoveKind.UNSHELVE, Map.of(), ON_A)).isInstanceOf(RestoreResult.Gone.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_B);
    }

    @Test
    void releasesTheClaimOfAnUnshelvedInstance() {
        put(INSTANCE, ON_B);
        assertThat(restore(MoveKind.UNSHELVE, Map.of(), ON_B)).isInstanceOf(RestoreResult.Done.class);
        assertThat(placement.heldBy(INSTANCE)).isEmpty();
        assertThat(restore(MoveKind.UNSHELVE, Map.of(), ON_B)).isInstanceOf(RestoreResult.Done.class);
    }

    @Test
    void retriesLaterIfPlacementIsUnreachableOrBusy() {
        put(INSTANCE, ON_A);
        claim(MoveKind.COLD);
        placement.next(Fate.LOST_BEFORE, Fate.BUSY);
        assertThat(restore(MoveKind.COLD, ON_A, null)).isInstanceOf(RestoreResult.RetryLater.class);
        assertThat(restore(MoveKind.COLD, ON_A, null)).isInstanceOf(RestoreResult.RetryLater.class);
        placement.unreadable();
        assertThat(restore(MoveKind.COLD, ON_A, null)).isInstanceOf(RestoreResult.RetryLater.class);
        placement.readableAgain();
        assertThat(restore(MoveKind.COLD, ON_A, null)).isInstanceOf(RestoreResult.Done.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_A);
    }
}
