package io.berth.scheduler.config.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.config.Options;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads options from properties, environment variables and a nova.conf, and reports unusable ones. */
class ConfiguredOptionsTest {
    private static SmallRyeConfig config(Map<String, String> properties, Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(new HashMap<>(properties), "test", 250))
                .withSources(new EnvConfigSource(environment, 300))
                .withSources(new NovaConfSource())
                .build();
    }

    private static ConfiguredOptions options(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new ConfiguredOptions(config(properties, Map.of()));
    }

    @Test
    void readsKebabCaseKeysOfEveryGroup() {
        var options = options(
                "berth.scheduler.filter-scheduler.ram-weight-multiplier", "-2.5",
                "berth.scheduler.filter-scheduler.enabled-filters", "ComputeFilter, RamFilter",
                "berth.scheduler.scheduler.max-attempts", "5",
                "berth.scheduler.default.service-down-time", "90")
                .options();
        assertThat(options.filterScheduler().weights().ram()).isEqualTo(-2.5);
        assertThat(options.filterScheduler().enabledFilters()).containsExactly("ComputeFilter", "RamFilter");
        assertThat(options.scheduler().maxAttempts()).isEqualTo(5);
        assertThat(options.defaults().serviceDownTimeSeconds()).isEqualTo(90);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "berth.scheduler.default.migrate-max-retries",
        "berth.scheduler.filter-scheduler.track-instance-changes",
        "berth.scheduler.scheduler.workers",
        "berth.scheduler.scheduler.discover-hosts-in-cells-interval"})
    void refusesNovaOptionsThatHaveNoEffect(String key) {
        assertThatThrownBy(() -> options(key, "1"))
                .hasRootCauseInstanceOf(PreventFurtherStepsException.class)
                .rootCause().message()
                .startsWith(key + " is not an option of the scheduler: did you mean berth.scheduler.");
        assertThat(options().effective()).extracting(EffectiveOption::key).doesNotContain(key);
    }

    /** Kubernetes sets these variables in pods beside a Service with the name berth-scheduler. */
    @ParameterizedTest
    @ValueSource(strings = {
        "BERTH_SCHEDULER_SERVICE_HOST",
        "BERTH_SCHEDULER_SERVICE_PORT",
        "BERTH_SCHEDULER_SERVICE_PORT_HTTP",
        "BERTH_SCHEDULER_PORT",
        "BERTH_SCHEDULER_PORT_8779_TCP_ADDR"})
    void ignoresVariablesThatKubernetesSetsForAService(String variable) {
        var options = new ConfiguredOptions(config(Map.of(), Map.of(variable, "10.0.0.1")));
        assertThat(options.effective()).extracting(EffectiveOption::source)
                .containsOnly(EffectiveOption.Source.DEFAULT);
    }

    @Test
    void environmentOverridesNovaConfWhichOverridesDefaults(@TempDir Path folder) throws IOException {
        Path conf = folder.resolve("nova.conf");
        Files.write(conf, List.of(
                "[filter_scheduler]", "host_subset_size = 3", "max_instances_per_host = 7", "[scheduler]",
                "max_attempts = 9", "[libvirt]", "virt_type = kvm"));
        var options = new ConfiguredOptions(
                config(
                        Map.of("berth.nova-conf", conf.toString()),
                        Map.of("BERTH_SCHEDULER_SCHEDULER_MAX_ATTEMPTS", "4")))
                .options();
        assertThat(options.filterScheduler().hostSubsetSize()).isEqualTo(3);
        assertThat(options.filterScheduler().maxInstancesPerHost()).isEqualTo(7);
        assertThat(options.scheduler().maxAttempts()).isEqualTo(4);
    }

    @Test
    void refusesToStartWithUnknownKeysOrUnusableValues() {
        assertThatThrownBy(() -> options("berth.scheduler.filter-scheduler.ram-weight", "1"))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage("berth.scheduler.filter-scheduler.ram-weight is not an option of the scheduler: did you"
                        + " mean berth.scheduler.filter-scheduler.ram-weight-multiplier?");
        assertThatThrownBy(() -> options("berth.scheduler.scheduler.max-attempts", "0"))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage("berth.scheduler.scheduler.max-attempts must be an integer from 1 to 2147483647");
        assertThatThrownBy(() -> options("berth.scheduler.scheduler.driver", "simple_scheduler"))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage("berth.scheduler.scheduler.driver must be filter_scheduler, chance_scheduler or"
                        + " caching_scheduler, or nova's class path");
        assertThatThrownBy(() -> options("berth.scheduler.pci.alias", "{\"name\": \"gpu\", \"vendor_id\": \"10de\"}"))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessage("berth.scheduler.pci.alias cannot be used: PCI alias gpu needs vendor_id and product_id");
    }

    /** oslo.config reads it the same way. */
    @Test
    void readsAnEmptyListFromNovaConfAsEmpty(@TempDir Path folder) throws IOException {
        Path conf = folder.resolve("nova.conf");
        Files.write(conf,
                List.of("[DEFAULT]", "scheduler_default_filters =", "[filter_scheduler]", "weight_classes ="));
        Options options = options("berth.nova-conf", conf.toString()).options();
        assertThat(options.filterScheduler().weightClasses()).isEmpty();
        assertThat(options.filterScheduler().enabledFilters()).isEmpty();
    }

    @Test
    void requiresTheOwnerTraitByTheVersionOfTheComputesUnlessConfigured() {
        assertThat(options().requireOwnerNova(73)).isTrue();
        assertThat(options().requireOwnerNova(72)).isFalse();
        assertThat(options("berth.scheduler.require-owner-nova", "false").requireOwnerNova(73)).isFalse();
        assertThat(options("berth.scheduler.require-owner-nova", "true").requireOwnerNova(0)).isTrue();
        assertThat(options().effective())
                .filteredOn(option -> option.name().equals("require_owner_nova"))
                .extracting(EffectiveOption::value)
                .as("unset: the computes decide")
                .containsExactly((Object) null);
    }

    @Test
    void listsTheValueAndSourceOfEveryOption(@TempDir Path folder) throws IOException {
        Path conf = folder.resolve("nova.conf");
        Files.write(conf, List.of(
                "[DEFAULT]", "scheduler_default_filters = RamFilter", "[scheduler]", "max_attempts = 9", "[pci]",
                "alias = {\"name\": \"a1\", \"product_id\": \"1563\", \"vendor_id\": \"8086\"}"));
        var configured = new ConfiguredOptions(config(
                Map.of(
                        "berth.nova-conf", conf.toString(),
                        "berth.scheduler.trusted-computing.attestation-auth-blob", "hunter2",
                        "berth.scheduler.require-owner-nova", "true",
                        "berth.scheduler.require-tpm-model", "false"),
                Map.of("BERTH_SCHEDULER_METRICS_WEIGHT_SETTING", "a=1, b=-2")));
        Map<String, EffectiveOption> byName = new HashMap<>();
        configured.effective().forEach(each -> byName.put(each.group() + "." + each.name(), each));

        assertThat(byName).hasSize(configured.effective().size()).hasSizeGreaterThan(50);
        assertThat(valueAndSource(byName, "filter_scheduler.host_subset_size")).isEqualTo("1 default");
        assertThat(valueAndSource(byName, "filter_scheduler.enabled_filters")).isEqualTo("[RamFilter] nova.conf");
        assertThat(valueAndSource(byName, "scheduler.max_attempts")).isEqualTo("9 nova.conf");
        assertThat(valueAndSource(byName, "metrics.weight_setting")).isEqualTo("[a=1, b=-2] berth");
        assertThat(valueAndSource(byName, "DEFAULT.cpu_allocation_ratio")).isEqualTo("0.0 default");
        assertThat(valueAndSource(byName, "trusted_computing.attestation_auth_blob")).isEqualTo("*** berth");
        assertThat(valueAndSource(byName, "pci.alias")).endsWith(" nova.conf").contains("8086");
        assertThat(valueAndSource(byName, "berth.require_owner_nova")).isEqualTo("true berth");
        assertThat(valueAndSource(byName, "berth.require_tpm_model")).isEqualTo("false berth");
        assertThat(valueAndSource(byName, "berth.require_tpm_secret_security")).isEqualTo("true default");
        assertThat(configured.requireTpmModel()).isFalse();
        assertThat(configured.requireTpmSecretSecurity()).isTrue();
        assertThat(valueAndSource(byName, "berth.strict_names")).isEqualTo("true default");
        assertThat(configured.strictNames()).isTrue();
        assertThat(options("berth.scheduler.strict-names", "false").strictNames()).isFalse();
        assertThat(byName.get("DEFAULT.service_down_time").key())
                .isEqualTo("berth.scheduler.default.service-down-time");
        assertThat(byName).doesNotContainKey("DEFAULT.scheduler_default_filters");
    }

    private static String valueAndSource(Map<String, EffectiveOption> byName, String name) {
        EffectiveOption option = byName.get(name);
        return option.value() + " " + option.source().wireName();
    }
}
