package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.pci.PciAliases;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.text.NamedNumbers;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * All options of the scheduler, grouped as nova groups them. Built once from the configuration, or per simulation from
 * its body; filters and weighers are handed the whole value.
 * <br>Source: nova {@code conf/scheduler.py} and the option files of the other groups.
 */
public record Options(
        FilterScheduler filterScheduler,
        Metrics metrics,
        Scheduler scheduler,
        Workarounds workarounds,
        Compute compute,
        Pci pci,
        Defaults defaults,
        TrustedComputing trustedComputing) {
    /** Upstream's defaults throughout. */
    public static final Options DEFAULTS = parse(OptionSource.DEFAULTS);

    /** Stated values over upstream's defaults. Throws {@link OptionInvalid} for a value an option cannot have. */
    public static Options parse(OptionSource source) {
        FilterScheduler filterScheduler = FilterScheduler.read(new OptionReader(source, "filter_scheduler"));
        return new Options(
                filterScheduler,
                Metrics.read(new OptionReader(source, "metrics")),
                Scheduler.read(new OptionReader(source, "scheduler")),
                new Workarounds(
                        new OptionReader(source, "workarounds").bool("disable_fallback_pcpu_query", false)),
                new Compute(new OptionReader(source, "compute")
                        .bool("packing_host_numa_cells_allocation_strategy", false)),
                Pci.read(new OptionReader(source, "pci"), filterScheduler.pciInPlacement()),
                Defaults.read(new OptionReader(source, "DEFAULT")),
                TrustedComputing.read(new OptionReader(source, "trusted_computing")));
    }

    /**
     * Group filter_scheduler.
     *
     * @param hostSubsetSize of the best hosts, one is picked at random; hosts; below 1 counts as 1
     * @param enabledFilters class names in execution order
     * @param weightClasses class names or paths; all of upstream's weighers by one name
     * @param weights multipliers of the weighers
     * @param imagePropertiesDefaultArchitecture architecture of images that name none
     * @param isolationNamespace prefix of the metadata keys AggregateImagePropertiesIsolation looks at
     * @param isolationSeparator between that prefix and the rest of the key
     */
    public record FilterScheduler(
            int hostSubsetSize,
            int maxIoOpsPerHost,
            int maxInstancesPerHost,
            List<String> availableFilters,
            List<String> enabledFilters,
            List<String> weightClasses,
            Weights weights,
            NamedNumbers imagePropsWeightSetting,
            boolean shuffleBestSameWeighedHosts,
            @Nullable String imagePropertiesDefaultArchitecture,
            List<String> isolatedImages,
            List<String> isolatedHosts,
            boolean restrictIsolatedHostsToIsolatedImages,
            @Nullable String isolationNamespace,
            String isolationSeparator,
            boolean pciInPlacement) {

        private static final List<String> ENABLED = List.of(
                "ComputeFilter",
                "ComputeCapabilitiesFilter",
                "ImagePropertiesFilter",
                "ServerGroupAntiAffinityFilter",
                "ServerGroupAffinityFilter");

        static FilterScheduler read(OptionReader reader) {
            return new FilterScheduler(
                    Math.max(1, reader.integer("host_subset_size", 1, Integer.MIN_VALUE)),
                    reader.integer("max_io_ops_per_host", 8, 0),
                    reader.integer("max_instances_per_host", 50, 1),
                    reader.list("available_filters", List.of("nova.scheduler.filters.all_filters")),
                    reader.list("enabled_filters", ENABLED),
                    reader.list("weight_classes", List.of("nova.scheduler.weights.all_weighers")),
                    Weights.read(reader),
                    NamedNumbers.parse(reader.list("image_props_weight_setting", List.of())),
                    reader.bool("shuffle_best_same_weighed_hosts", false),
                    reader.text("image_properties_default_architecture", null),
                    reader.list("isolated_images", List.of()),
                    reader.list("isolated_hosts", List.of()),
                    reader.bool("restrict_isolated_hosts_to_isolated_images", true),
                    reader.text("aggregate_image_properties_isolation_namespace", null),
                    reader.text("aggregate_image_properties_isolation_separator", "."),
                    reader.bool("pci_in_placement", false));
        }
    }

    /** The {@code *_weight_multiplier} options of the group filter_scheduler; no units. */
    public record Weights(
            double ram,
            double cpu,
            double disk,
            double hypervisorVersion,
            double numInstances,
            double ioOps,
            double imageProps,
            double pci,
            double softAffinity,
            double softAntiAffinity,
            double buildFailure,
            double crossCellMove) {
        static Weights read(OptionReader reader) {
            return new Weights(
                    reader.decimal("ram_weight_multiplier", 1.0),
                    reader.decimal("cpu_weight_multiplier", 1.0),
                    reader.decimal("disk_weight_multiplier", 1.0),
                    reader.decimal("hypervisor_version_weight_multiplier", 1.0),
                    reader.decimal("num_instances_weight_multiplier", 0.0),
                    reader.decimal("io_ops_weight_multiplier", -1.0),
                    reader.decimal("image_props_weight_multiplier", 0.0),
                    reader.decimal("pci_weight_multiplier", 1.0, 0.0),
                    reader.decimal("soft_affinity_weight_multiplier", 1.0, 0.0),
                    reader.decimal("soft_anti_affinity_weight_multiplier", 1.0, 0.0),
                    reader.decimal("build_failure_weight_multiplier", 1_000_000.0),
                    reader.decimal("cross_cell_move_weight_multiplier", 1_000_000.0));
        }
    }

    /**
     * Group metrics.
     *
     * @param weightSetting ratio by metric
     * @param required whether a host must have every metric named
     * @param weightOfUnavailable raw weight of a host without one, where they are not required
     */
    public record Metrics(
            double weightMultiplier, NamedNumbers weightSetting, boolean required, double weightOfUnavailable) {
        static Metrics read(OptionReader reader) {
            return new Metrics(
                    reader.decimal("weight_multiplier", 1.0),
                    NamedNumbers.parse(reader.list("weight_setting", List.of())),
                    reader.bool("required", true),
                    reader.decimal("weight_of_unavailable", -10_000.0));
        }
    }

    /**
     * Group scheduler.
     *
     * @param driver how destinations are found
     * @param maxAttempts the selected host and its alternates together; hosts, at least 1
     * @param maxPlacementResults candidates asked for, at least 1
     * @param periodicTaskIntervalSeconds refresh of the caching scheduler
     */
    public record Scheduler(
            Driver driver,
            int maxAttempts,
            int maxPlacementResults,
            boolean limitTenantsToPlacementAggregate,
            boolean placementAggregateRequiredForTenants,
            boolean queryPlacementForImageTypeSupport,
            boolean enableIsolatedAggregateFiltering,
            boolean imageMetadataPrefilter,
            boolean queryPlacementForRoutedNetworkAggregates,
            boolean queryPlacementForAvailabilityZone,
            int periodicTaskIntervalSeconds) {
        static Scheduler read(OptionReader reader) {
            return new Scheduler(
                    driver(reader),
                    reader.integer("max_attempts", 3, 1),
                    reader.integer("max_placement_results", 1000, 1),
                    reader.bool("limit_tenants_to_placement_aggregate", false),
                    reader.bool("placement_aggregate_required_for_tenants", false),
                    reader.bool("query_placement_for_image_type_support", false),
                    reader.bool("enable_isolated_aggregate_filtering", false),
                    reader.bool("image_metadata_prefilter", false),
                    reader.bool("query_placement_for_routed_network_aggregates", false),
                    reader.bool("query_placement_for_availability_zone", true),
                    reader.integer("periodic_task_interval", 60, 0));
        }

        private static Driver driver(OptionReader reader) {
            Driver driver = Driver.find(reader.text("driver", Driver.FILTER_SCHEDULER.optionName()));
            if (driver == null) {
                throw reader.invalid(
                        "driver",
                        "must be filter_scheduler, chance_scheduler or caching_scheduler, or nova's class path");
            }
            return driver;
        }
    }

    /** Group workarounds. */
    public record Workarounds(boolean disableFallbackPcpuQuery) {}

    /** Group compute. */
    public record Compute(boolean packingHostNumaCellsAllocationStrategy) {}

    /**
     * Group pci.
     *
     * @param alias the aliases, or why they cannot be used: stops the start of the service; in a simulation only a
     *     flavor that names one is refused for that
     * @param aliasJson as stated; null if not
     */
    public record Pci(Derived<PciAliases> alias, @Nullable JsonNode aliasJson) {
        static Pci read(OptionReader reader, boolean pciInPlacement) {
            JsonNode stated = reader.any("alias");
            return new Pci(PciAliases.parse(stated, pciInPlacement), stated);
        }
    }

    /**
     * Group DEFAULT.
     *
     * @param serviceDownTimeSeconds age of a heartbeat at which a service counts as down
     * @param inventory what inventories become that compute nodes report
     */
    public record Defaults(
            String defaultAvailabilityZone,
            int serviceDownTimeSeconds,
            InventoryOptions inventory,
            boolean allowResizeToSameHost) {
        static Defaults read(OptionReader reader) {
            return new Defaults(
                    reader.text("default_availability_zone", "nova"),
                    reader.integer("service_down_time", 60, 0),
                    InventoryOptions.read(reader),
                    reader.bool("allow_resize_to_same_host", false));
        }
    }

    /**
     * Group trusted_computing, for the attestation service that TrustedFilter relies on.
     *
     * @param attestationServer host name; null: trust levels come with the host data
     * @param attestationAuthTimeoutSeconds how long an answer of the service is believed
     */
    public record TrustedComputing(
            @Nullable String attestationServer,
            @Nullable String attestationServerCaFile,
            int attestationPort,
            String attestationApiUrl,
            @Nullable String attestationAuthBlob,
            int attestationAuthTimeoutSeconds,
            boolean attestationInsecureSsl) {
        static TrustedComputing read(OptionReader reader) {
            return new TrustedComputing(
                    reader.text("attestation_server", null),
                    reader.text("attestation_server_ca_file", null),
                    reader.integer("attestation_port", 8443, 1),
                    reader.text("attestation_api_url", "/OpenAttestationWebServices/V1.0"),
                    reader.text("attestation_auth_blob", null),
                    reader.integer("attestation_auth_timeout", 60, 0),
                    reader.bool("attestation_insecure_ssl", false));
        }
    }
}
