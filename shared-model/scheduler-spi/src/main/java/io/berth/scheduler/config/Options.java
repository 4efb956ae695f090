package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.pci.PciAliases;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.NamedNumbers;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * All options of the scheduler, in nova's groups. Built once from the configuration of the service, and for each
 * request whose body has options, such as a simulation. Filters and weighers receive the whole value.
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
     * Reads all options. An option that the source does not set has upstream's default. Throws {@link OptionInvalid}
     * for an invalid value.
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
     * @param hostSubsetSize number of best hosts from which one is picked at random; a value below 1 counts as 1
     * @param maxIoOpsPerHost number of I/O-intensive operations in progress, such as builds and resizes, at which
     *         IoOpsFilter rejects a host
     * @param maxInstancesPerHost number of instances at which NumInstancesFilter rejects a host
     * @param availableFilters paths of the filter classes that may be enabled; a path that ends in {@code all_filters}
     *         stands for all of Berth's own filters
     * @param enabledFilters class names of the enabled filters, in execution order
     * @param weightClasses class names or paths of the enabled weighers; a path that ends in {@code all_weighers}
     *         stands for all of Berth's own weighers
     * @param weights multipliers of the weighers
     * @param imagePropsWeightSetting weight of each image property for ImagePropertiesWeigher, as {@code name=number};
     *         a property without a weight does not count. If the list is empty, each property has the weight 1
     * @param shuffleBestSameWeighedHosts whether the hosts that share the highest weight are tried in random order, so
     *         that they are used evenly
     * @param imagePropertiesDefaultArchitecture architecture of images that state none; if it is not set, such images
     *         run on hosts of any architecture
     * @param isolatedImages ids of images for IsolatedHostsFilter
     * @param isolatedHosts names of hosts for IsolatedHostsFilter, compared exactly
     * @param restrictIsolatedHostsToIsolatedImages whether IsolatedHostsFilter rejects isolated hosts for images that
     *         are not isolated
     * @param isolationNamespace prefix of the aggregate metadata keys that AggregateImagePropertiesIsolation compares;
     *         if it is not set, the filter compares all keys
     * @param isolationSeparator separator between the prefix of {@code aggregate_image_properties_isolation_namespace}
     *         and the rest of a metadata key
     * @param pciInPlacement whether PCI requests that use an alias become request groups of the query to placement
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
                    reader.text("image_properties_default_architecture"),
                    reader.list("isolated_images", List.of()),
                    reader.list("isolated_hosts", List.of()),
                    reader.bool("restrict_isolated_hosts_to_isolated_images", true),
                    reader.text("aggregate_image_properties_isolation_namespace"),
                    reader.text("aggregate_image_properties_isolation_separator", "."),
                    reader.bool("pci_in_placement", false));
        }
    }

    /**
     * The multipliers of weighers: the {@code *_weight_multiplier} options of the group filter_scheduler, without unit.
     * If a host's aggregates have metadata under the name of the option, the smallest of these values takes precedence.
     *
     * @param ram multiplier of RAMWeigher: positive spreads instances, negative stacks them
     * @param cpu multiplier of CPUWeigher: positive spreads instances, negative stacks them
     * @param disk multiplier of DiskWeigher: positive spreads instances, negative stacks them
     * @param hypervisorVersion multiplier of HypervisorVersionWeigher: positive prefers the newest version
     * @param numInstances multiplier of NumInstancesWeigher: positive stacks instances, negative spreads them
     * @param ioOps multiplier of IoOpsWeigher: negative prefers hosts with few I/O-intensive operations in progress
     * @param imageProps multiplier of ImagePropertiesWeigher: positive prefers hosts whose instances have similar
     *         images; 0 disables the weigher, even if a host's aggregates have a multiplier
     * @param pci multiplier of PCIWeigher: positive prefers hosts with few free PCI devices
     * @param softAffinity multiplier of ServerGroupSoftAffinityWeigher: positive prefers hosts with many members of the
     *         server group
     * @param softAntiAffinity multiplier of ServerGroupSoftAntiAffinityWeigher: positive prefers hosts with few members
     *         of the server group
     * @param buildFailure multiplier of BuildFailureWeigher: positive avoids hosts on which builds failed, because the
     *         weigher negates it
     * @param crossCellMove multiplier of CrossCellWeigher: positive prefers hosts in the cell of the source, for a move
     *         that may cross cells
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
     * @param weightMultiplier multiplier of MetricsWeigher; metadata {@code metrics_weight_multiplier} of a host's
     *         aggregates takes precedence
     * @param weightSetting weight of each metric for MetricsWeigher, as {@code name=number}; MetricsFilter rejects
     *         hosts that lack one of the metrics
     * @param required whether the request fails if MetricsWeigher weighs a host that lacks a metric of {@code
     *         weight_setting}
     * @param weightOfUnavailable raw value of MetricsWeigher for a host that lacks a metric of {@code weight_setting}
     *         whose weight is not 0, if metrics are not required
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
     * @param driver algorithm that selects hosts: {@code filter_scheduler}, {@code chance_scheduler} or {@code
     *         caching_scheduler}
     * @param maxAttempts maximum number of hosts for an instance: the selected host and its alternates together
     * @param maxPlacementResults maximum number of allocation candidates that a decision's query to placement returns.
     *         If none of them leads to a valid host, a second query has no limit. If several compute nodes have the
     *         requested names, or a scheduler hint names other instances or a server group, the limit applies only if
     *         placement does not respond to the query without it
     * @param limitTenantsToPlacementAggregate whether a project may only use the hosts of aggregates whose metadata
     *         name the project; a project that no aggregate names may use all hosts
     * @param placementAggregateRequiredForTenants whether a project that no aggregate names is refused instead; only if
     *         {@code limit_tenants_to_placement_aggregate} is true
     * @param queryPlacementForImageTypeSupport whether hosts must support the image's disk format, unless the root disk
     *         is a volume or the format has no standard trait
     * @param enableIsolatedAggregateFiltering whether hosts of aggregates whose metadata require traits are excluded
     *         for requests that do not require these traits
     * @param imageMetadataPrefilter whether hosts must have the traits for the disk buses, device models and
     *         architectures that the image's properties name; if one of them has no standard trait, none is required
     * @param queryPlacementForRoutedNetworkAggregates whether hosts must be in the aggregates of the segments of
     *         requested routed networks
     * @param queryPlacementForAvailabilityZone whether the query to placement is restricted to the aggregates of the
     *         requested availability zone, if it has any; if false, only AvailabilityZoneFilter checks the zone
     * @param periodicTaskIntervalSeconds seconds between two refreshes of the host states that the caching scheduler
     *         and the chance scheduler use; 0 counts as 1
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
     * @param disableFallbackPcpuQuery disables the second query of a request with the CPU policy {@code dedicated}. The
     *         second query has VCPU instead of PCPU, and finds hosts that do not report PCPU
     */
    public record Workarounds(boolean disableFallbackPcpuQuery) {}

    /**
     * Group compute.
     *
     * @param packingHostNumaCellsAllocationStrategy whether the most used NUMA cells of a host are tried first, so that
     *         other cells stay empty
     */
    public record Compute(boolean packingHostNumaCellsAllocationStrategy) {}

    /**
     * Group pci.
     *
     * @param alias the aliases by which flavors request PCI devices. An invalid alias stops the start of the service;
     *         in the options of a request's body, it refuses flavors that use an alias
     * @param aliasJson the unparsed value, in each form that {@link PciAliases#parse} accepts; null if the option is
     *         not set
     */
    public record Pci(DerivedValue<PciAliases> alias, @Nullable JsonNode aliasJson) {
        static Pci read(OptionReader reader, boolean pciInPlacement) {
            JsonNode stated = reader.unparsed("alias");
            return new Pci(PciAliases.parse(stated, pciInPlacement), stated);
        }
    }

    /**
     * Group DEFAULT.
     *
     * @param defaultAvailabilityZone availability zone of hosts whose aggregates state none
     * @param serviceDownTimeSeconds age of the last heartbeat, in seconds, above which a service counts as down. A
     *         heartbeat that is further in the future counts as down, too
     * @param inventory options for inventories that compute nodes report
     * @param allowResizeToSameHost whether a resize may select the instance's present host. For a cold migration, the
     *         trait COMPUTE_SAME_HOST_COLD_MIGRATE of the source decides instead
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
     * Group trusted_computing: the attestation service whose trust levels TrustedFilter compares.
     *
     * @param attestationServer host name of the attestation service, after {@code http://} for a service without TLS;
     *         if it is not set, the trust level is part of a host's registered data
     * @param attestationServerCaFile PEM file of the certificate authorities for the attestation service's certificate;
     *         if it is not set, the system's authorities apply
     * @param attestationPort port of the attestation service
     * @param attestationApiUrl path of the attestation service's API, to which {@code /PollHosts} is appended
     * @param attestationAuthBlob credentials that are sent to the attestation service unchanged; a secret
     * @param attestationAuthTimeoutSeconds age of a node's verification, in seconds, above which the attestation
     *         service is queried again
     * @param attestationInsecureSsl disables the verification of the attestation service's certificate
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
                    reader.text("attestation_server"),
                    reader.text("attestation_server_ca_file"),
                    reader.integer("attestation_port", 8443, 1),
                    reader.text("attestation_api_url", "/OpenAttestationWebServices/V1.0"),
                    reader.text("attestation_auth_blob"),
                    reader.integer("attestation_auth_timeout", 60, 0),
                    reader.bool("attestation_insecure_ssl", false));
        }
    }
}
