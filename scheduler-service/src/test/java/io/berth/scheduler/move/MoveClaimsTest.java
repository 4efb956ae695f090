package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.Attempts;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Placing;
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
    private static final Map<String, Map<String, Long>> ON_SOURCE = Map.of("source", Map.of("VCPU", 1L));

    private final InMemoryPlacement placement =
            new InMemoryPlacement().with("source", 1).with("b", 1).with("c", 1).holdingBack();

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

    /** The first walk's claim commits behind its end; the second is told that somebody else holds the instance. */
    @Test
    void remembersThatAnEarlierWalkLeftAClaimInDoubt() {
        placement.putAllocations(new Claim(INSTANCE, on("source"), null, "project", "user"), "req-1")
                .await().atMost(Duration.ofMinutes(5));
        Move move = new Move(
                UUID.randomUUID(), INSTANCE, MoveKind.EVACUATE, null, MoveState.STARTED, ON_SOURCE, null, null, "req-1",
                UUID.randomUUID(), 0, 0);
        List<Set<Map<String, Long>>> late = new ArrayList<>();
        var claims = new MoveClaims(
                new ClaimLoop(placement),
                (instance, totals) -> Uni.createFrom().voidItem().invoke(() -> late.add(totals)),
                null, move, placement.heldNow(INSTANCE), null);

        placement.next(Fate.LATE, Fate.LOST_BEFORE).holdingBack();
        assertThat(claimOn(claims, "b")).isInstanceOf(Placing.InDoubt.class);
        placement.arriveLate();
        assertThat(claimOn(claims, "c")).isInstanceOf(Placing.Aborted.class);

        assertThat(placement.heldBy(INSTANCE)).containsOnlyKeys("source", "b");
        assertThat(claims.mayHold()).isTrue();
        assertThat(late).as("with what the instance keeps").containsExactly(Set.of(Map.of("VCPU", 2L)));
    }
}
