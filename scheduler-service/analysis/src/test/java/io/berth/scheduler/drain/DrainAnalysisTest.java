package io.berth.scheduler.drain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the state of a drain. */
class DrainAnalysisTest {
    @ParameterizedTest(name = "{0} under way, {1} remaining, {2} stuck: {3}")
    @CsvSource({
        "0, 0, 0, DONE",
        "1, 0, 0, MOVING",
        "0, 3, 2, MOVING",
        "1, 2, 2, MOVING",
        "0, 2, 2, STUCK"})
    void derivesTheStateFromTheCounts(int underWay, int remaining, int stuck, DrainState state) {
        assertThat(DrainAnalysis.state(new DrainProgress.Counts(9, 0, 0, 0, underWay, remaining, stuck)))
                .isEqualTo(state);
    }
}
