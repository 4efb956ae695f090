package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.AttemptListener;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the claims of moves against an in-memory placement. */
class MoveClaimsTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final UUID MIGRATION = UUID.fromString("22222222-2222-4222-8222-222222222222");
    private static final Map<String, Map<String, Long>> ON_SOURCE = Map.of("source", Map.of("VCPU", 1L));

    private final InMemoryPlacement placement =
            new InMemoryPlacement().with("source", 1).with("b", 1).with("c", 1).holdingBack();

    private long number;
    private long raisedTo;

    private static AllocationRequest on(String provider) {
        return new AllocationRequest(Map.of(provider, Map.of("VCPU", 1L)), Map.of());
    }

    private ClaimOutcome<String> claimOn(MoveClaims claims, String... hosts) {
        ClaimOutcome<String> placing = claims
                .claimFirst(
                        new Consumer(INSTANCE, "project", "user", "req-1"), null,
                        Stream.of(hosts).map(host -> new ClaimCandidate<>(host, on(host))).toList(),
                        AttemptListener.ignoring())
                .await().atMost(Duration.ofMinutes(5));
        claims.rollBackFailed(placing instanceof ClaimOutcome.Unsettled).await().atMost(Duration.ofMinutes(5));
        return placing;
    }

    private Uni<Void> raise(long fence) {
        raisedTo = fence;
        return Uni.createFrom().voidItem();
    }

    private MoveClaims move(MoveKind kind) {
        placement.putAllocations(new Claim(INSTANCE, on("source"), null, "project", "user"), "req-1")
                .await().atMost(Duration.ofMinutes(5));
        placement.calls().clear();
        number += 65_536;
        Move move = new Move(
                MIGRATION, INSTANCE, kind, null, MoveState.STARTED, ON_SOURCE, null, null, "req-1", number, number, 0);
        return new MoveClaims(new ClaimLoop(placement), this::raise, null, move, placement.heldNow(INSTANCE), null);
    }

    @Test
    void claimsTheTargetAndGivesTheMigrationTheSourceInOneRequest() {
        MoveClaims claims = move(MoveKind.LIVE);
        assertThat(claimOn(claims, "b")).isEqualTo(new ClaimOutcome.Selected<>("b", on("b")));
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(on("b").allocations());
        assertThat(placement.heldBy(MIGRATION)).isEqualTo(ON_SOURCE);
        assertThat(placement.calls()).containsExactly("POST 2");
    }

    @Test
    void keepsTheSourceIfPlacementRefusesTheTarget() {
        MoveClaims claims = move(MoveKind.COLD);
        placement.with("b", 0);
        assertThat(claimOn(claims, "b")).isInstanceOf(ClaimOutcome.NoneLeft.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_SOURCE);
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
        assertThat(claims.mayHold()).isFalse();
    }

    @Test
    void claimsNothingOnceTheInstanceHoldsOtherAllocations() {
        MoveClaims claims = move(MoveKind.RESIZE);
        AllocationsResult.Allocations read = placement.heldNow(INSTANCE);
        placement.putAllocations(
                new Claim(INSTANCE, on("c"), read.consumerGeneration(), "project", "user"), "req-2")
                .await().atMost(Duration.ofMinutes(5));
        assertThat(claimOn(claims, "b")).isInstanceOf(ClaimOutcome.Aborted.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(on("c").allocations());
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
        assertThat(claims.mayHold()).isFalse();
    }

    @Test
    void claimsTheSourceItselfForAResizeOnTheSameHost() {
        MoveClaims claims = move(MoveKind.RESIZE);
        placement.with("source", 1);
        assertThat(claimOn(claims, "source")).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_SOURCE);
        assertThat(placement.heldBy(MIGRATION)).isEqualTo(ON_SOURCE);
    }

    @Test
    void settlesAClaimWithoutAResponseToLearnItsOutcome() {
        for (MoveKind kind : List.of(MoveKind.EVACUATE, MoveKind.COLD)) {
            forget();
            MoveClaims claims = move(kind);
            placement.next(Fate.LOST_AFTER_COMMIT);
            assertThat(claimOn(claims, "b")).as(kind.wireName()).isEqualTo(new ClaimOutcome.Selected<>("b", on("b")));
            assertThat(placement.heldBy(INSTANCE)).as(kind.wireName()).containsKey("b");
        }
    }

    @Test
    void triesTheNextHostAndFencesOffAClaimThatArrivesLate() {
        for (MoveKind kind : List.of(MoveKind.EVACUATE, MoveKind.COLD)) {
            forget();
            MoveClaims claims = move(kind);
            placement.next(Fate.LATE, Fate.LOST_BEFORE).holdingBack();
            assertThat(claimOn(claims, "b", "c")).as(kind.wireName())
                    .isEqualTo(new ClaimOutcome.Selected<>("c", on("c")));
            assertThat(placement.arriveLate()).as(kind.wireName()).isInstanceOf(ClaimResult.Fenced.class);
            assertThat(placement.heldBy(INSTANCE)).as(kind.wireName()).containsKey("c").doesNotContainKey("b");
        }
    }

    @Test
    void retriesALostClaim() {
        MoveClaims claims = move(MoveKind.LIVE);
        placement.next(Fate.LOST_BEFORE);
        assertThat(claimOn(claims, "b", "c")).isEqualTo(new ClaimOutcome.Selected<>("b", on("b")));
        assertThat(placement.calls()).containsExactly("POST 2", "SETTLE 1", "POST 2");
    }

    @Test
    void reportsThatPlacementDoesNotAnswerIfClaimsAreLost() {
        MoveClaims claims = move(MoveKind.LIVE);
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE).with("c", 0);
        assertThat(claimOn(claims, "b", "c")).isInstanceOf(ClaimOutcome.Denied.class);
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claimOn(claims, "b", "c", "source")).isEqualTo(new ClaimOutcome.Denied<>(
                new ClaimResult.Denied(
                        503, "placement did not respond to a claim; the last attempt failed with: request lost")));
        assertThat(claims.mayHold()).isFalse();
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_SOURCE);
    }

    @Test
    void claimsNothingOnceAnotherOwnerSettled() {
        MoveClaims claims = move(MoveKind.LIVE);
        placement.settle(200_000, List.of(INSTANCE), "req-2").await().indefinitely();
        assertThat(claimOn(claims, "b")).isEqualTo(new ClaimOutcome.Overtaken<>());
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_SOURCE);
        assertThat(raisedTo).as("the database may have been restored from a backup").isEqualTo(200_000);
    }

    @Test
    void mayHoldAllocationsOfAClaimThatCannotBeSettled() {
        MoveClaims claims = move(MoveKind.LIVE);
        placement.next(Fate.LOST_AFTER_COMMIT).unreadable();
        assertThat(claimOn(claims, "b", "c")).isInstanceOf(ClaimOutcome.Unsettled.class);
        assertThat(claims.mayHold()).isTrue();
        assertThat(placement.calls()).containsExactly("POST 2", "SETTLE 1", "SETTLE 1", "SETTLE 1");
    }

    private void forget() {
        placement.deletePlainly(INSTANCE);
        placement.deletePlainly(MIGRATION);
    }
}
