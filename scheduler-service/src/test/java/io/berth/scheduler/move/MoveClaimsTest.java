package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.Attempts;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MoveClaimsTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final UUID MIGRATION = UUID.fromString("22222222-2222-4222-8222-222222222222");
    private static final Map<String, Map<String, Long>> ON_SOURCE = Map.of("source", Map.of("VCPU", 1L));

    private final InMemoryPlacement placement =
            new InMemoryPlacement().with("source", 1).with("b", 1).with("c", 1).holdingBack();

    private final List<Set<Map<String, Long>>> late = new ArrayList<>();

    private static AllocationRequest on(String provider) {
        return new AllocationRequest(Map.of(provider, Map.of("VCPU", 1L)), Map.of());
    }

    private Placing<String> claimOn(MoveClaims claims, String host) {
        Placing<String> placing = claims
                .claimFirst(
                        new Consumer(INSTANCE, "project", "user", "req-1"), null,
                        List.of(new Claimable<>(host, on(host))), Attempts.unheard())
                .await().atMost(Duration.ofMinutes(5));
        claims.takeBack(List.of(), placing.inDoubt()).await().atMost(Duration.ofMinutes(5));
        return placing;
    }

    private MoveClaims move(MoveKind kind) {
        placement.putAllocations(new Claim(INSTANCE, on("source"), null, "project", "user"), "req-1")
                .await().atMost(Duration.ofMinutes(5));
        placement.calls().clear();
        Move move = new Move(
                MIGRATION, INSTANCE, kind, null, MoveState.STARTED, ON_SOURCE, null, null, "req-1", UUID.randomUUID(), 0, 0);
        return new MoveClaims(
                new ClaimLoop(placement),
                (instance, totals) -> Uni.createFrom().voidItem().invoke(() -> late.add(totals)),
                null, move, placement.heldNow(INSTANCE), null);
    }

    @Test
    void claimsTheTargetAndHandsTheSourceOverInOneRequest() {
        MoveClaims claims = move(MoveKind.LIVE);
        assertThat(claimOn(claims, "b")).isEqualTo(new Placing.Selected<>("b", on("b"), false));
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(on("b").allocations());
        assertThat(placement.heldBy(MIGRATION)).isEqualTo(ON_SOURCE);
        assertThat(placement.calls()).containsExactly("POST 2");
    }

    @Test
    void leavesTheSourceAloneWherePlacementRefusesTheTarget() {
        MoveClaims claims = move(MoveKind.COLD);
        placement.with("b", 0);
        assertThat(claimOn(claims, "b")).isInstanceOf(Placing.NoneLeft.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_SOURCE);
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
        assertThat(claims.mayHold()).isFalse();
    }

    @Test
    void claimsNothingOnceTheInstanceHoldsOtherAllocations() {
        MoveClaims claims = move(MoveKind.RESIZE);
        AllocationsAnswer.Held read = placement.heldNow(INSTANCE);
        placement.putAllocations(
                new Claim(INSTANCE, on("c"), read.consumerGeneration(), "project", "user"), "req-2")
                .await().atMost(Duration.ofMinutes(5));
        assertThat(claimOn(claims, "b")).isInstanceOf(Placing.Aborted.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(on("c").allocations());
        assertThat(placement.heldBy(MIGRATION)).isEmpty();
        assertThat(claims.mayHold()).isFalse();
    }

    @Test
    void claimsTheSourceItselfForAResizeOnTheSameHost() {
        MoveClaims claims = move(MoveKind.RESIZE);
        placement.with("source", 1);
        assertThat(claimOn(claims, "source")).isInstanceOf(Placing.Selected.class);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_SOURCE);
        assertThat(placement.heldBy(MIGRATION)).isEqualTo(ON_SOURCE);
    }

    /** The first walk's claim commits after the walk ended; the second walk then finds the instance changed. */
    @Test
    void remembersThatAnEarlierWalkLeftAClaimInDoubt() {
        for (MoveKind kind : List.of(MoveKind.EVACUATE, MoveKind.COLD)) {
            placement.deleteAllocations(INSTANCE, "req-1").await().indefinitely();
            placement.deleteAllocations(MIGRATION, "req-1").await().indefinitely();
            MoveClaims claims = move(kind);
            placement.next(Fate.LATE, Fate.LOST_BEFORE).holdingBack();
            assertThat(claimOn(claims, "b")).as(kind.wireName()).isInstanceOf(Placing.InDoubt.class);
            placement.arriveLate();
            assertThat(claimOn(claims, "c")).as(kind.wireName()).isInstanceOf(Placing.Aborted.class);
            assertThat(placement.heldBy(INSTANCE)).as(kind.wireName()).containsKey("b");
            assertThat(claims.mayHold()).as(kind.wireName()).isTrue();
        }
        assertThat(late).as("an evacuated instance keeps the source").containsExactly(
                Set.of(Map.of("VCPU", 2L)), Set.of(Map.of("VCPU", 1L)));
    }
}
