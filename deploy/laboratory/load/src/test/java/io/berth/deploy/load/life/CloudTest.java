package io.berth.deploy.load.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the random sizes, lifetimes and deployments of instances match the published charts of both clouds. */
class CloudTest {
    private static final int DRAWS = 100_000;

    @ParameterizedTest
    @EnumSource(Cloud.class)
    void drawsTheSameFromTheSameSeed(Cloud cloud) {
        assertThat(drawsFrom(cloud, 7)).isEqualTo(drawsFrom(cloud, 7)).isNotEqualTo(drawsFrom(cloud, 8));
    }

    private static List<String> drawsFrom(Cloud cloud, long seed) {
        var random = new SplittableRandom(seed);
        return IntStream.range(0, 100)
                .mapToObj(_ -> cloud.drawSize(random) + " " + cloud.drawLifetimeHours(random) + " "
                        + cloud.drawDeploymentSize(random))
                .toList();
    }

    @ParameterizedTest(name = "{0}: {2} % live no longer than {1} h")
    @CsvSource({
        "AZURE,  1,   67",
        "AZURE,  24,  89.6",
        "AZURE,  99,  91.9",
        "HUAWEI, 14.4, 88.3",
        "HUAWEI, 720, 97.1"})
    void lifetimesMatchTheCharts(Cloud cloud, double hours, double percent) {
        var random = new SplittableRandom(1);
        long shorter = IntStream.range(0, DRAWS).filter(_ -> cloud.drawLifetimeHours(random) <= hours).count();
        assertThat(100.0 * shorter / DRAWS).isCloseTo(percent, within(1.0));
    }

    @ParameterizedTest(name = "{0}: {2} % have {1} vCPU")
    @CsvSource({"AZURE, 1, 50.0", "AZURE, 2, 24.6", "AZURE, 8, 14.1", "HUAWEI, 1, 68.5", "HUAWEI, 64, 0.2"})
    void sizesMatchTheCharts(Cloud cloud, int vcpus, double percent) {
        var random = new SplittableRandom(1);
        long such = IntStream.range(0, DRAWS).filter(_ -> cloud.drawSize(random).vcpus() == vcpus).count();
        assertThat(100.0 * such / DRAWS).isCloseTo(percent, within(1.0));
    }

    @ParameterizedTest(name = "at {0} percent: {1}")
    @CsvSource({"0, 1", "47.9, 1", "48.1, 2", "64, 2", "64.1, 3", "97.4, 50", "100, 100"})
    void deploymentsHaveWholeNumbersOfMachines(double percent, int machines) {
        assertThat(Cloud.deploymentSizeAt(percent)).isEqualTo(machines);
    }

    @Test
    void theStatedMeanLifetimeMatchesTheDraws() {
        var random = new SplittableRandom(3);
        double mean = IntStream.range(0, DRAWS).mapToDouble(_ -> Cloud.AZURE.drawLifetimeHours(random))
                .average().orElseThrow();
        assertThat(mean).isCloseTo(Cloud.AZURE.lifetimeHoursMean(), within(3.0));
        // The publisher's own mean of the 2019 trace is 60.3 hours.
        assertThat(Cloud.AZURE.lifetimeHoursMean()).isBetween(50.0, 65.0);
    }

    @Test
    void interpolatesLogarithmicallyBetweenTwoPoints() {
        Cdf cdf = Cdf.of(1, 0, 100, 100);
        assertThat(cdf.quantile(0)).isEqualTo(1);
        assertThat(cdf.quantile(50)).isCloseTo(10, within(1e-9));
        assertThat(cdf.quantile(100)).isCloseTo(100, within(1e-9));
    }

    @Test
    void refusesPointsThatDescendOrEndBelow100Percent() {
        assertThatThrownBy(() -> Cdf.of(2, 10, 1, 100)).hasMessageContaining("must ascend, but do not at 1");
        assertThatThrownBy(() -> Cdf.of(1, 10, 2, 99)).hasMessageContaining("must be at 100 percent, not 99");
    }
}
