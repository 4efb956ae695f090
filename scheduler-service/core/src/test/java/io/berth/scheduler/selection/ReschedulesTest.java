package io.berth.scheduler.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.ClaimOutcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the error of a reschedule whose alternates are exhausted. */
class ReschedulesTest {
    @ParameterizedTest(name = "{0} attempts, {1} -> {2}")
    @CsvSource({
        "0, '', there is no alternate left to try; see /v1/decisions/1",
        "0, the group is elsewhere, the group is elsewhere; see /v1/decisions/1",
        "1, no room, 1 alternate refused with: no room; see /v1/decisions/1",
        "3, no room, '3 alternates refused, the last with: no room; see /v1/decisions/1'"})
    void reportsHowManyAlternatesRefused(int attempts, String lastRefusal, String detail) {
        assertThat(Reschedules.fault(new ClaimOutcome.NoneLeft<>(attempts, lastRefusal), "; see /v1/decisions/1")
                .error().detail())
                .isEqualTo("Exceeded max scheduling attempts: " + detail);
    }
}
