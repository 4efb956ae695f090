package io.berth.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.Written;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parses options from configuration text and from JSON bodies. */
class OptionsFromTextTest {
    @Test
    void readsTheSameOptionsFromConfigurationAndFromABody() {
        Options text = Options.parse(OptionSource.ofText(Map.of(
                "berth.scheduler.filter-scheduler.ram-weight-multiplier", "-1.5",
                "berth.scheduler.filter-scheduler.enabled-filters", "A, B",
                "berth.scheduler.scheduler.max-attempts", "5",
                "berth.scheduler.metrics.required", "no",
                "berth.scheduler.default.service-down-time", "90")::get));

        assertThat(text).isEqualTo(Written.options("ram_weight_multiplier: -1.5, enabled_filters: ['A', 'B'],"
                + " scheduler: {max_attempts: 5}, metrics: {required: false}, DEFAULT: {service_down_time: 90}"));
    }

    @Test
    void defaultsMatchNova() {
        Options.FilterScheduler defaults = Options.DEFAULTS.filterScheduler();
        assertThat(defaults.maxIoOpsPerHost()).isEqualTo(8);
        assertThat(defaults.maxInstancesPerHost()).isEqualTo(50);
        assertThat(defaults.hostSubsetSize()).isEqualTo(1);
        assertThat(defaults.weights())
                .isEqualTo(new Options.Weights(1, 1, 1, 1, 0, -1, 0, 1, 1, 1, 1_000_000, 1_000_000));
        assertThat(defaults.enabledFilters()).hasSize(5).startsWith("ComputeFilter");
        assertThat(Options.DEFAULTS.scheduler().maxAttempts()).isEqualTo(3);
        assertThat(Options.DEFAULTS.metrics().weightOfUnavailable()).isEqualTo(-10_000);
    }

    @Test
    void newerNamesOverrideDeprecatedOnes() {
        assertThat(Written.options("DEFAULT: {scheduler_default_filters: ['A']}").filterScheduler().enabledFilters())
                .isEqualTo(List.of("A"));
        assertThat(Written.options("enabled_filters: ['B'], DEFAULT: {scheduler_default_filters: ['A']}")
                .filterScheduler()
                .enabledFilters())
                .isEqualTo(List.of("B"));
    }

    @Test
    void keepsBlanksInItemsOfAJsonList() {
        assertThat(Written.options("isolated_hosts: [' a']").filterScheduler().isolatedHosts()).containsExactly(" a");
        assertThat(Written.options("isolated_hosts: ' a, b '").filterScheduler().isolatedHosts())
                .containsExactly("a", "b");
    }

    @Test
    void namesTheOptionThatIsInvalid() {
        assertThatThrownBy(() -> Written.options("pci_weight_multiplier: -1"))
                .isInstanceOfSatisfying(OptionInvalid.class, invalid -> {
                    assertThat(invalid.group()).isEqualTo("filter_scheduler");
                    assertThat(invalid.option()).isEqualTo("pci_weight_multiplier");
                });
    }

    @Test
    void listsOptionsByGroup() {
        assertThat(OptionNames.byGroup()).containsOnlyKeys(
                "filter_scheduler", "metrics", "scheduler", "workarounds", "compute", "pci", "DEFAULT",
                "trusted_computing");
        assertThat(OptionNames.byGroup().get("DEFAULT")).contains("service_down_time", "scheduler_default_filters");
    }
}
