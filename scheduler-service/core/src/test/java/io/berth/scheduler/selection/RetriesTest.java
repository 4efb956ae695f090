package io.berth.scheduler.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.selection.Retries.Cause;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how often a request is retried for each cause. */
class RetriesTest {
    private final Retries retries = new Retries();

    @ParameterizedTest
    @CsvSource({
        "EARLIER_REQUEST, 2",
        "GROUP_ELSEWHERE, 4",
        "WAITED_FOR_MEMORY, 4",
        "CLAIMS_OF_OTHERS, 1",
        "LIMITED_CANDIDATES, 1"})
    void limitsRetriesPerCause(Cause cause, int most) {
        for (int i = 0; i < most; i++) {
            assertThat(retries.allow(cause)).as("attempt %d", i).isTrue();
        }
        assertThat(retries.allow(cause)).isFalse();
        assertThat(retries.allow(cause)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void countsEachCauseSeparately(Cause cause) {
        assertThat(retries.wasCounted(cause)).isFalse();
        for (int i = 0; i < 10; i++) {
            retries.allow(cause);
        }
        for (Cause other : Cause.values()) {
            assertThat(retries.wasCounted(other)).isEqualTo(other == cause);
            assertThat(retries.allow(other)).isEqualTo(other != cause);
        }
    }
}
