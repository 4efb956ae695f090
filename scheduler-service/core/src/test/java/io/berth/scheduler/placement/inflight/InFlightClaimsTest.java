package io.berth.scheduler.placement.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which claims are counted on top of a response of placement. */
class InFlightClaimsTest {
    private final InFlightClaims underway = new InFlightClaims();

    private static AllocationRequest request(String provider, long vcpus) {
        return new AllocationRequest(Map.of(provider, Map.of("VCPU", vcpus)), Map.of());
    }

    @Test
    void countsClaimsInProgressOnTopOfEveryResponse() {
        underway.begin(request("a", 2));
        underway.begin(request("a", 3));
        underway.begin(request("b", 1));
        assertThat(underway.chargesSince(underway.now()).byProvider())
                .isEqualTo(Map.of("a", Map.of("VCPU", 5L), "b", Map.of("VCPU", 1L)));
    }

    @Test
    void countsACompletedClaimOnlyForEarlierQueries() {
        long before = underway.now();
        var claim = underway.begin(request("a", 2));
        long during = underway.now();
        claim.endHolding();
        long after = underway.now();
        assertThat(underway.chargesSince(before).byProvider()).isEqualTo(Map.of("a", Map.of("VCPU", 2L)));
        assertThat(underway.chargesSince(during).byProvider()).isEqualTo(Map.of("a", Map.of("VCPU", 2L)));
        assertThat(underway.chargesSince(after).byProvider()).isEmpty();
    }

    @Test
    void forgetsARefusedClaimAtOnce() {
        long before = underway.now();
        var claim = underway.begin(request("a", 2));
        claim.endRefused();
        claim.endHolding();
        assertThat(underway.chargesSince(before).byProvider()).isEmpty();
    }

    @Test
    void remembersALimitedNumberOfClaims() {
        long before = underway.now();
        for (int i = 0; i < InFlightClaims.ENDED_MAX + 10; i++) {
            underway.begin(request("a", 1)).endHolding();
        }
        assertThat(underway.chargesSince(before).byProvider())
                .isEqualTo(Map.of("a", Map.of("VCPU", (long) InFlightClaims.ENDED_MAX)));
    }
}
