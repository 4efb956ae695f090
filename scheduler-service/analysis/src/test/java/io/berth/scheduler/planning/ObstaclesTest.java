package io.berth.scheduler.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.text.NoHostSentence;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the sentence about hosts that are too many to query placement for each. */
class ObstaclesTest {
    private static final List<NoHostSentence.Removed> REMOVED = List.of(
            new NoHostSentence.Removed("ComputeFilter (service_down)", 500),
            new NoHostSentence.Removed("resources=VCPU:8 (capacity)", 200));

    @Test
    void statesForHowManyHostsPlacementWasQueried() {
        assertThat(ObstacleCount.sentence(1_000, REMOVED, 200, 900)).isEqualTo(
                "None of 1000 hosts will do: ComputeFilter (service_down) keeps out 500, resources=VCPU:8 (capacity)"
                        + " keeps out 200; placement was queried for 200 of 900 hosts");
    }

    @Test
    void omitsThatIfPlacementWasQueriedForAllHosts() {
        assertThat(ObstacleCount.sentence(700, REMOVED, 200, 200)).isEqualTo(
                "None of 700 hosts will do: ComputeFilter (service_down) keeps out 500, resources=VCPU:8 (capacity)"
                        + " keeps out 200");
    }

    /** Several filters may remove the same host, so their counts cannot be added up. */
    @Test
    void listsCountsWithoutASum() {
        List<NoHostSentence.Removed> many =
                IntStream.range(0, 7).mapToObj(i -> new NoHostSentence.Removed("f" + i, 90)).toList();
        assertThat(ObstacleCount.sentence(100, many, 100, 100)).isEqualTo(
                "None of 100 hosts will do: f0 keeps out 90, f1 keeps out 90, f2 keeps out 90, f3 keeps out 90, and 3"
                        + " others");
        assertThat(ObstacleCount.sentence(1, many.subList(0, 2), 1, 1))
                .isEqualTo("The only host will not do: f0 keeps it out, f1 keeps it out");
    }
}
