package io.berth.scheduler.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.text.NoneWillDo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of hosts that are too many to be asked about. */
class ObstaclesTest {
    private static final List<NoneWillDo.Removed> REMOVED = List.of(
            new NoneWillDo.Removed("ComputeFilter (service_down)", 500),
            new NoneWillDo.Removed("resources=VCPU:8 (capacity)", 200));

    @Test
    void saysOfHowManyHostsPlacementWasAsked() {
        assertThat(Obstacles.sentence(1_000, REMOVED, 200, 900)).isEqualTo(
                "None of 1000 hosts will do: ComputeFilter (service_down) removed 500, resources=VCPU:8 (capacity) removed 200; "
                        + "placement was asked about 200 of 900 hosts");
    }

    @Test
    void saysNothingOfThatWhereItWasAskedAboutAll() {
        assertThat(Obstacles.sentence(700, REMOVED, 200, 200)).isEqualTo(
                "None of 700 hosts will do: ComputeFilter (service_down) removed 500, resources=VCPU:8 (capacity) removed 200");
    }
}
