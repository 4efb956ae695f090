package io.berth.scheduler.config.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.pci.PciAlias;
import io.berth.scheduler.pci.PciAliases;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.NamedNumbers.Entry;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads blocks of nova.conf as operators write them, up to the options that decisions see. */
class NovaConfBlocksTest {
    @TempDir
    Path folder;

    private Options options(String novaConf) throws IOException {
        Path file = Files.writeString(folder.resolve("nova.conf"), novaConf);
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(Map.of("berth.nova-conf", file.toString()), "test", 250))
                .withSources(new NovaConfSource())
                .build();
        return new ConfiguredOptions(config).options();
    }

    private static Map<String, PciAlias> aliases(Options options) {
        return options.pci().alias() instanceof DerivedValue.Value<PciAliases>(PciAliases read)
                ? read.byName()
                : Map.of();
    }

    @Test
    void readsFiltersIncludingCustomOnes() throws IOException {
        var filters = options("""
                [filter_scheduler]
                available_filters = nova.scheduler.filters.all_filters
                available_filters = myfilter.MyFilter
                enabled_filters = ComputeFilter, ComputeCapabilitiesFilter, ImagePropertiesFilter, MyFilter
                """).filterScheduler();
        assertThat(filters.availableFilters())
                .containsExactly("nova.scheduler.filters.all_filters", "myfilter.MyFilter");
        assertThat(filters.enabledFilters()).containsExactly(
                "ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "MyFilter");
    }

    @Test
    void readsWeightsAndMetrics() throws IOException {
        var options = options("""
                [filter_scheduler]
                host_subset_size = 1
                weight_classes = nova.scheduler.weights.all_weighers
                ram_weight_multiplier = 1.0
                io_ops_weight_multiplier = 2.0
                soft_affinity_weight_multiplier = 1.0
                soft_anti_affinity_weight_multiplier = 1.0
                shuffle_best_same_weighed_hosts = True
                image_props_weight_setting = os_distro=2, hw_machine_type=0.5

                [metrics]
                weight_multiplier = 1.0
                weight_setting = name1=1.0, name2=-1.0
                required = false
                weight_of_unavailable = -10000.0
                """);
        assertThat(options.filterScheduler().weightClasses()).containsExactly("nova.scheduler.weights.all_weighers");
        assertThat(options.filterScheduler().weights().ioOps()).isEqualTo(2.0);
        assertThat(options.filterScheduler().shuffleBestSameWeighedHosts()).isTrue();
        assertThat(options.filterScheduler().imagePropsWeightSetting().entries())
                .containsExactly(new Entry("os_distro", 2), new Entry("hw_machine_type", 0.5));
        assertThat(options.metrics().weightSetting().entries())
                .containsExactly(new Entry("name1", 1.0), new Entry("name2", -1.0));
        assertThat(options.metrics().required()).isFalse();
        assertThat(options.metrics().weightOfUnavailable()).isEqualTo(-10000.0);
    }

    @Test
    void readsIsolatedHostsAndImages() throws IOException {
        var options = options("""
                [filter_scheduler]
                isolated_hosts = server1, server2
                isolated_images = 342b492c-128f-4a42-8d3a-c5088cf27d13, ebd267a6-ca86-4d6c-9a0e-bd132d6b7d09
                restrict_isolated_hosts_to_isolated_images = False
                """).filterScheduler();
        assertThat(options.isolatedHosts()).containsExactly("server1", "server2");
        assertThat(options.isolatedImages())
                .containsExactly("342b492c-128f-4a42-8d3a-c5088cf27d13", "ebd267a6-ca86-4d6c-9a0e-bd132d6b7d09");
        assertThat(options.restrictIsolatedHostsToIsolatedImages()).isFalse();
    }

    @Test
    void readsAggregateImagePropertiesIsolation() throws IOException {
        var options = options("""
                [filter_scheduler]
                aggregate_image_properties_isolation_namespace = trait
                aggregate_image_properties_isolation_separator = :
                """).filterScheduler();
        assertThat(options.isolationNamespace()).isEqualTo("trait");
        assertThat(options.isolationSeparator()).isEqualTo(":");
    }

    @Test
    void readsOldOptionNamesInTheDefaultGroup() throws IOException {
        var options = options("""
                [DEFAULT]
                scheduler_driver = nova.scheduler.filter_scheduler.FilterScheduler
                scheduler_available_filters = nova.scheduler.filters.all_filters
                scheduler_available_filters = myfilter.MyFilter
                scheduler_default_filters = RamFilter,ComputeFilter,AvailabilityZoneFilter
                scheduler_weight_classes = nova.scheduler.weights.all_weighers
                scheduler_host_subset_size = 4
                scheduler_max_attempts = 6
                ram_weight_multiplier = -1.0
                max_instances_per_host = 9
                isolated_hosts = server1
                pci_alias = {"name": "QuicAssist", "vendor_id": "8086", "product_id": "0443"}
                pci_alias = {"name": "nic", "vendor_id": "8086", "product_id": "1520"}
                """);
        assertThat(aliases(options)).containsOnlyKeys("QuicAssist", "nic");
        assertThat(options.filterScheduler().availableFilters())
                .containsExactly("nova.scheduler.filters.all_filters", "myfilter.MyFilter");
        assertThat(options.filterScheduler().enabledFilters())
                .containsExactly("RamFilter", "ComputeFilter", "AvailabilityZoneFilter");
        assertThat(options.filterScheduler().hostSubsetSize()).isEqualTo(4);
        assertThat(options.scheduler().maxAttempts()).isEqualTo(6);
        assertThat(options.filterScheduler().weights().ram()).isEqualTo(-1.0);
        assertThat(options.filterScheduler().maxInstancesPerHost()).isEqualTo(9);
        assertThat(options.filterScheduler().isolatedHosts()).containsExactly("server1");
    }

    @Test
    void readsPrefiltersPlacementAndPci() throws IOException {
        var options = options("""
                [scheduler]
                driver = filter_scheduler
                max_attempts = 5
                max_placement_results = 250
                workers = 4
                discover_hosts_in_cells_interval = 300
                limit_tenants_to_placement_aggregate = True
                placement_aggregate_required_for_tenants = True
                query_placement_for_image_type_support = True
                enable_isolated_aggregate_filtering = True
                image_metadata_prefilter = True
                query_placement_for_routed_network_aggregates = True
                [workarounds]
                disable_fallback_pcpu_query = True
                [compute]
                packing_host_numa_cells_allocation_strategy = True
                [pci]
                alias = { "vendor_id":"8086", "product_id":"154d", "device_type":"type-PF", "name":"a1" }
                """);
        var scheduler = options.scheduler();
        assertThat(scheduler.maxAttempts()).isEqualTo(5);
        assertThat(scheduler.maxPlacementResults()).isEqualTo(250);
        assertThat(scheduler.limitTenantsToPlacementAggregate()).isTrue();
        assertThat(scheduler.placementAggregateRequiredForTenants()).isTrue();
        assertThat(scheduler.queryPlacementForImageTypeSupport()).isTrue();
        assertThat(scheduler.enableIsolatedAggregateFiltering()).isTrue();
        assertThat(scheduler.imageMetadataPrefilter()).isTrue();
        assertThat(scheduler.queryPlacementForRoutedNetworkAggregates()).isTrue();
        assertThat(options.workarounds().disableFallbackPcpuQuery()).isTrue();
        assertThat(options.compute().packingHostNumaCellsAllocationStrategy()).isTrue();
        assertThat(aliases(options)).containsOnlyKeys("a1");
    }

    @Test
    void readsAllocationRatiosAndReservedAmounts() throws IOException {
        var defaults = options("""
                [DEFAULT]
                cpu_allocation_ratio = 8.0
                ram_allocation_ratio =
                disk_allocation_ratio = 0.0
                initial_ram_allocation_ratio = 1.5
                reserved_host_cpus = 2
                reserved_host_memory_mb = 4096
                reserved_host_disk_mb = 1025
                default_availability_zone = north
                service_down_time = 120
                """).defaults();
        assertThat(defaults.inventory().allocationRatio("VCPU")).isEqualTo(8.0);
        assertThat(defaults.inventory().allocationRatio("MEMORY_MB")).isNull();
        assertThat(defaults.inventory().allocationRatio("DISK_GB")).isNull();
        assertThat(defaults.inventory().initialAllocationRatio("VCPU")).isEqualTo(4.0);
        assertThat(defaults.inventory().initialAllocationRatio("MEMORY_MB")).isEqualTo(1.5);
        assertThat(defaults.inventory().reserved("VCPU")).isEqualTo(2);
        assertThat(defaults.inventory().reserved("MEMORY_MB")).isEqualTo(4096);
        assertThat(defaults.inventory().reserved("DISK_GB")).isEqualTo(2);
        assertThat(defaults.defaultAvailabilityZone()).isEqualTo("north");
        assertThat(defaults.serviceDownTimeSeconds()).isEqualTo(120);
    }
}
