package io.berth.scheduler.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.timing.Phases.Phase;
import io.smallrye.mutiny.Uni;
import org.junit.jupiter.api.Test;

/** Tests the durations of the phases of a request. */
class PhasesTest {
    @Test
    void rendersSumsInMillisecondsAndOmitsUnusedPhases() {
        var phases = new Phases();
        phases.weighed("W", 1, 1_500_000);
        phases.filtered("F", 1, 2_000_400);
        phases.filtered("F", 1, 10_005_600);
        assertThat(phases.serverTiming()).isEqualTo("filter;dur=12.006, weigh;dur=1.500");
        assertThat(phases.nanos(Phase.CLAIM)).isZero();
    }

    @Test
    void countsFailedSteps() {
        var phases = new Phases();
        Uni<String> failing =
                phases.during(Phase.CLAIM, () -> Uni.createFrom().failure(new IllegalStateException("no")));
        assertThat(phases.nanos(Phase.CLAIM)).isZero();
        failing.onFailure().recoverWithItem("failed").await().indefinitely();
        assertThat(phases.nanos(Phase.CLAIM)).isPositive();
    }

    @Test
    void totalIsNoLessThanItsParts() {
        var phases = new Phases();
        phases.measure(Phase.PREFILTER, () -> {
            long until = System.nanoTime() + 1_000_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return "done";
        });
        phases.end();
        assertThat(phases.nanos(Phase.PREFILTER)).isBetween(1_000_000L, phases.nanos(Phase.TOTAL));
    }
}
