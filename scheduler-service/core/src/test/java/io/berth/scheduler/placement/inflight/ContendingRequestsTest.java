package io.berth.scheduler.placement.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.RootCandidates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContendingRequestsTest {
    private final InFlightClaims underway = new InFlightClaims();
    private final ContendingRequests claimers = new ContendingRequests(underway);
    private final AllocationCandidates answer = new AllocationCandidates(List.of(host("a"), host("b")));
    private final AllocationRequest onA = answer.roots().get(0).requests().getFirst();

    /** With room for one. */
    private static RootCandidates host(String uuid) {
        return new RootCandidates(
                uuid,
                List.of(new ProviderSummary(uuid, uuid, Map.of("VCPU", new ProviderSummary.Usage(1, 0)), false)),
                List.of(new AllocationRequest(Map.of(uuid, Map.of("VCPU", 1L)), Map.of())));
    }

    @Test
    void whoDecidesLaterDoesNotSeeTheHostThatIsBeingClaimed() {
        long askedAt = underway.now();
        assertThat(claimers.charge("r1", answer, askedAt)).isSameAs(answer);
        underway.begin(onA);
        assertThat(claimers.charge("r2", answer, askedAt).roots()).containsExactly(host("b"));
        assertThat(claimers.end("r1")).isFalse();
        assertThat(claimers.end("r2")).isTrue();
    }

    @Test
    void whoDecidedAtTheSameMomentFindsItTakenBeforeTheClaim() {
        long askedAt = underway.now();
        claimers.charge("r1", answer, askedAt);
        claimers.charge("r2", answer, askedAt);
        assertThat(claimers.isCapacityTaken("r1", onA)).isFalse();
        var claim = underway.begin(onA);
        assertThat(claimers.isCapacityTaken("r2", onA)).isTrue();
        assertThat(claimers.end("r2")).isTrue();
        assertThat(claimers.isCapacityTaken("r2", onA)).as("after its end nothing is counted").isFalse();
        claim.endRefused();
        assertThat(claimers.isCapacityTaken("r1", onA)).isFalse();
        assertThat(claimers.end("r1")).isFalse();
    }

    @Test
    void countsNothingThatTheAnswerShows() {
        underway.begin(onA).endHolding();
        assertThat(claimers.charge("r", answer, underway.now())).isSameAs(answer);
        assertThat(claimers.isCapacityTaken("r", onA)).isFalse();
        assertThat(claimers.end("r")).isFalse();
    }

    @Test
    void countsOnBothAnswersOfARequestThatAsksTwice() {
        long askedAt = underway.now();
        claimers.charge("r", new AllocationCandidates(List.of(host("a"))), askedAt);
        claimers.charge("r", new AllocationCandidates(List.of(host("b"))), underway.now());
        underway.begin(onA);
        assertThat(claimers.isCapacityTaken("r", onA)).isTrue();
    }

    @Test
    void beyondTooManyRequestsNothingIsCounted() {
        long askedAt = underway.now();
        for (int i = 0; i < ContendingRequests.REQUESTS_MAX; i++) {
            claimers.charge("r" + i, answer, askedAt);
        }
        underway.begin(onA);
        assertThat(claimers.charge("late", answer, askedAt)).isSameAs(answer);
        assertThat(claimers.isCapacityTaken("late", onA)).isFalse();
    }
}
