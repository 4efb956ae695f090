package io.berth.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds drivers by the names that nova's option accepts. */
class DriverTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "filter_scheduler, FILTER_SCHEDULER",
        "chance_scheduler, CHANCE_SCHEDULER",
        "caching_scheduler, CACHING_SCHEDULER",
        "nova.scheduler.filter_scheduler.FilterScheduler, FILTER_SCHEDULER",
        "nova.scheduler.chance.ChanceScheduler, CHANCE_SCHEDULER",
        "nova.scheduler.caching_scheduler.CachingScheduler, CACHING_SCHEDULER",
        "ChanceScheduler, CHANCE_SCHEDULER",
        "fake_scheduler, ",
        "nova.scheduler.chance.MischanceScheduler, ",
        "'', "})
    void findsDriversByShortNameAndClassPath(String name, Driver driver) {
        assertThat(Driver.find(name)).isEqualTo(driver);
    }
}
