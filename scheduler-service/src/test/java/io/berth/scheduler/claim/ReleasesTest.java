package io.berth.scheduler.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReleasesTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final Map<String, Map<String, Long>> ON_A = Map.of("a", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> ON_BOTH =
            Map.of("a", Map.of("VCPU", 1L), "b", Map.of("VCPU", 1L));

    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 1).with("b", 1);

    private Uni<Boolean> mayWrite = Uni.createFrom().item(true);

    private void hold(Map<String, Map<String, Long>> allocations) {
        placement.putAllocations(
                new Claim(INSTANCE, new AllocationRequest(allocations, Map.of()), null, "project", "user"), "req-1")
                .await().indefinitely();
    }

    private Releases.Outcome takeBackToA() {
        return new Releases(placement).takeBack(INSTANCE, ON_BOTH::equals, ON_A, () -> mayWrite, "req-1")
                .await().atMost(Duration.ofMinutes(5));
    }

    /** As a Placement of before 2025 does on a provider that is overcommitted. */
    @Test
    void isDoneWhereEvenWhatIsHeldAlreadyIsRefused() {
        hold(ON_A);
        placement.with("a", -1);
        assertThat(takeBackToA()).isEqualTo(Releases.Outcome.DONE);
    }

    @Test
    void isNotDoneWhereTheClaimIsStillHeld() {
        hold(ON_BOTH);
        placement.with("a", -1);
        assertThat(takeBackToA()).isEqualTo(Releases.Outcome.AGAIN);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_BOTH);
    }

    @Test
    void writesNothingForWhoeverMayNotAnyMore() {
        hold(ON_BOTH);
        mayWrite = Uni.createFrom().item(false);
        assertThat(takeBackToA()).isEqualTo(Releases.Outcome.AGAIN);
        assertThat(placement.heldBy(INSTANCE)).isEqualTo(ON_BOTH);
    }
}
