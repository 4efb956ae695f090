package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.pci.PciAliases;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.text.NamedNumbers;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * All options of the scheduler, grouped as nova groups them. Built once from the configuration, or per simulation from
 * its body; filters and weighers receive the whole value.
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
    /** The options with upstream's defaults. */
    public static final Options DEFAULTS = parse(OptionSource.DEFAULTS);

    /**
     * Reads the options; one that the source does not set has upstream's default. Throws {@link OptionInvalid} for an
     * invalid value.
     */
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
     * @param hostSubsetSize number of best hosts of which one is picked at random; hosts; below 1 counts as 1
     * @param maxIoOpsPerHost builds, resizes and the like in progress at which a host is full for IoOpsFilter; count
     * @param maxInstancesPerHost instances at which a host is full for NumInstancesFilter; count
     * @param availableFilters paths of classes that may be enabled; one that ends in {@code all_filters} stands for all
     *         of Berth's own
     * @param enabledFilters class names in execution order
     * @param weightClasses class names or paths; one that ends in {@code all_weighers} stands for all of Berth's own
     * @param weights multipliers of the weighers
     * @param imagePropsWeightSetting weight of each image property for ImagePropertiesWeigher, {@code name=number};
     *         none: all equal
     * @param shuffleBestSameWeighedHosts whether the best hosts of equal weight are shuffled, so that they fill evenly
     * @param imagePropertiesDefaultArchitecture architecture of images that name none
     * @param isolatedImages ids of images for IsolatedHostsFilter
     * @param isolatedHosts names of hosts for IsolatedHostsFilter, compared exactly
     * @param restrictIsolatedHostsToIsolatedImages whether other images are kept off isolated hosts
     * @param isolationNamespace prefix of the metadata keys AggregateImagePropertiesIsolation looks at
     * @param isolationSeparator between that prefix and the rest of the key
     * @param pciInPlacement whether PCI requests become groups of the query to placement
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

    /**
     * The {@code *_weight_multiplier} options of the group filter_scheduler; no units. Metadata of a host's aggregates
     * under the same name wins.
     *
     * @param ram of RAMWeigher: positive spreads, negative stacks
     * @param cpu of CPUWeigher: positive spreads, negative stacks
     * @param disk of DiskWeigher: positive spreads, negative stacks
     * @param hypervisorVersion of HypervisorVersionWeigher: positive prefers the newest
     * @param numInstances of NumInstancesWeigher: positive packs, negative spreads, 0 is off
     * @param ioOps of IoOpsWeigher: negative prefers quiet hosts
     * @param imageProps of ImagePropertiesWeigher: positive brings like images together, 0 is off
     * @param pci of PCIWeigher: positive keeps hosts with many devices free
     * @param softAffinity of ServerGroupSoftAffinityWeigher
     * @param softAntiAffinity of ServerGroupSoftAntiAffinityWeigher
     * @param buildFailure of BuildFailureWeigher, whose sign is changed: positive avoids hosts on which builds failed
     * @param crossCellMove of CrossCellWeigher: positive prefers the cell that a move comes from
     */
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
     * @param weightMultiplier of MetricsWeigher; aggregates override it as {@code metrics_weight_multiplier}
     * @param weightSetting ratio by metric, {@code name=number}; MetricsFilter wants hosts to have them all
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
     * @param driver how destinations are found: {@code filter_scheduler}, {@code chance_scheduler} or {@code
     *         caching_scheduler}
     * @param maxAttempts the selected host and its alternates together; hosts, at least 1
     * @param maxPlacementResults limit of candidates in a query, at least 1
     * @param limitTenantsToPlacementAggregate whether projects are confined to the aggregates that name them
     * @param placementAggregateRequiredForTenants whether, with the option before, a project that no aggregate names is
     *         refused
     * @param queryPlacementForImageTypeSupport whether hosts must support the image's disk format
     * @param enableIsolatedAggregateFiltering whether aggregates reserved for traits are closed to requests without
     *         them
     * @param imageMetadataPrefilter whether hosts must have the traits of the device models that the image names
     * @param queryPlacementForRoutedNetworkAggregates whether hosts must reach the segments of routed networks
     * @param queryPlacementForAvailabilityZone whether the query to placement includes the zone; false leaves it to
     *         AvailabilityZoneFilter
     * @param periodicTaskIntervalSeconds between two refreshes of the caching scheduler; seconds
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

    /**
     * Group workarounds.
     *
     * @param disableFallbackPcpuQuery whether a request for dedicated CPUs is not repeated as one for shared CPUs of
     *         hosts without dedicated ones
     */
    public record Workarounds(boolean disableFallbackPcpuQuery) {}

    /**
     * Group compute.
     *
     * @param packingHostNumaCellsAllocationStrategy whether the fullest NUMA cells of a host are tried first, so that
     *     others stay whole
     */
    public record Compute(boolean packingHostNumaCellsAllocationStrategy) {}

    /**
     * Group pci.
     *
     * @param alias of PCI devices, as flavors request them; an invalid one stops the start of the service, and in a
     *         simulation refuses a flavor that names one
     * @param aliasJson as configured, one JSON object or a list of them; null if not
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
     * @param defaultAvailabilityZone of hosts whose aggregates state none
     * @param serviceDownTimeSeconds age of a heartbeat at which a service counts as down; seconds
     * @param inventory options for inventories that compute nodes report
     * @param allowResizeToSameHost whether a resize may stay on its host; a cold migration may if its source has the
     *         trait COMPUTE_SAME_HOST_COLD_MIGRATE, whatever this option is
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
     * @param attestationServerCaFile certificates to verify it with, PEM; null: those of the system
     * @param attestationPort its port
     * @param attestationApiUrl path of its API, to which {@code /PollHosts} is added
     * @param attestationAuthBlob credentials, sent as they are; a secret
     * @param attestationAuthTimeoutSeconds how long an answer of the service is believed; seconds
     * @param attestationInsecureSsl whether its certificate is not verified
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
