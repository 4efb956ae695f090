package io.berth.scheduler.host;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.pci.PciStats;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The scheduler's picture of one compute node, as filters and weighers see it. Immutable: a filter's verdict and a
 * consumed claim make a new one. Free and used amounts count what runs on the host, reservations of placement aside.
 *
 * <p>Collections must not be changed by whoever passed them in; they are not copied, because a request may carry ten
 * thousand hosts.
 *
 * @param host name of the compute service
 * @param nodename name of the hypervisor; several nodes may share one host
 * @param uuid resource provider of the node
 * @param totalUsableRamMb MiB
 * @param freeRamMb MiB; negative when overcommitted
 * @param totalUsableDiskGb GiB
 * @param freeDiskMb MiB; negative when overcommitted
 * @param cpuAllocationRatio 1.0 where the host names none; so are the other ratios
 * @param failedBuilds since the last that succeeded
 * @param hypervisorVersion in base 1000: 2012000 is 2.12.0
 * @param cpuInfo JSON text as nova stores it, or the object itself
 * @param supportedInstances null if the host does not advertise any
 * @param stats free-form statistics by name
 * @param metrics value by name
 * @param instances by uuid
 * @param pciStats null if the host reports no PCI data at all
 * @param allocationCandidates what placement offers here, placement's order; empty: nothing
 * @param updated when the data was reported; not read by the decision
 * @param trustLevel what an attestation said of the node; null: never asked
 *     <br>Source: nova {@code scheduler/host_manager.py} (HostState).
 */
public record HostState(
        String host,
        String nodename,
        @Nullable String uuid,
        @Nullable String cellUuid,
        long totalUsableRamMb,
        long freeRamMb,
        long totalUsableDiskGb,
        long freeDiskMb,
        long diskMbUsed,
        long vcpusTotal,
        long vcpusUsed,
        double cpuAllocationRatio,
        double ramAllocationRatio,
        double diskAllocationRatio,
        long numInstances,
        long numIoOps,
        long failedBuilds,
        @Nullable String hostIp,
        @Nullable String hypervisorType,
        @Nullable String hypervisorHostname,
        @Nullable Long hypervisorVersion,
        @Nullable JsonNode cpuInfo,
        @Nullable List<SupportedInstance> supportedInstances,
        Map<String, JsonNode> stats,
        Map<String, Double> metrics,
        List<HostAggregate> aggregates,
        Map<String, RunningInstance> instances,
        HostService service,
        @Nullable HostNuma numaTopology,
        @Nullable PciStats pciStats,
        List<AllocationCandidate> allocationCandidates,
        Limits limits,
        @Nullable String updated,
        @Nullable String trustLevel) {

    public HostState {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(nodename, "nodename");
        Objects.requireNonNull(stats, "stats");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(aggregates, "aggregates");
        Objects.requireNonNull(instances, "instances");
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(allocationCandidates, "allocationCandidates");
        Objects.requireNonNull(limits, "limits");
    }

    /** A host whose every other member has its default; the node bears the host's name. */
    public static Builder named(String host) {
        return new Builder(host);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    public HostState withLimits(Limits noted) {
        return limits == noted ? this : toBuilder().limits(noted).build();
    }

    /** Sets members by name; what is not set has the default of a host that reports nothing. */
    public static final class Builder {
        private String host;
        private String nodename;
        private @Nullable String uuid;
        private @Nullable String cellUuid;
        private long totalUsableRamMb;
        private long freeRamMb;
        private long totalUsableDiskGb;
        private long freeDiskMb;
        private long diskMbUsed;
        private long vcpusTotal;
        private long vcpusUsed;
        private double cpuAllocationRatio = 1.0;
        private double ramAllocationRatio = 1.0;
        private double diskAllocationRatio = 1.0;
        private long numInstances;
        private long numIoOps;
        private long failedBuilds;
        private @Nullable String hostIp;
        private @Nullable String hypervisorType;
        private @Nullable String hypervisorHostname;
        private @Nullable Long hypervisorVersion;
        private @Nullable JsonNode cpuInfo;
        private @Nullable List<SupportedInstance> supportedInstances;
        private Map<String, JsonNode> stats = Map.of();
        private Map<String, Double> metrics = Map.of();
        private List<HostAggregate> aggregates = List.of();
        private Map<String, RunningInstance> instances = Map.of();
        private HostService service = HostService.UP;
        private @Nullable HostNuma numaTopology;
        private @Nullable PciStats pciStats;
        private List<AllocationCandidate> allocationCandidates = List.of(AllocationCandidate.NONE);
        private Limits limits = Limits.NONE;
        private @Nullable String updated;
        private @Nullable String trustLevel;

        private Builder(String host) {
            this.host = host;
            this.nodename = host;
        }

        private Builder(HostState from) {
            host = from.host;
            nodename = from.nodename;
            uuid = from.uuid;
            cellUuid = from.cellUuid;
            totalUsableRamMb = from.totalUsableRamMb;
            freeRamMb = from.freeRamMb;
            totalUsableDiskGb = from.totalUsableDiskGb;
            freeDiskMb = from.freeDiskMb;
            diskMbUsed = from.diskMbUsed;
            vcpusTotal = from.vcpusTotal;
            vcpusUsed = from.vcpusUsed;
            cpuAllocationRatio = from.cpuAllocationRatio;
            ramAllocationRatio = from.ramAllocationRatio;
            diskAllocationRatio = from.diskAllocationRatio;
            numInstances = from.numInstances;
            numIoOps = from.numIoOps;
            failedBuilds = from.failedBuilds;
            hostIp = from.hostIp;
            hypervisorType = from.hypervisorType;
            hypervisorHostname = from.hypervisorHostname;
            hypervisorVersion = from.hypervisorVersion;
            cpuInfo = from.cpuInfo;
            supportedInstances = from.supportedInstances;
            stats = from.stats;
            metrics = from.metrics;
            aggregates = from.aggregates;
            instances = from.instances;
            service = from.service;
            numaTopology = from.numaTopology;
            pciStats = from.pciStats;
            allocationCandidates = from.allocationCandidates;
            limits = from.limits;
            updated = from.updated;
            trustLevel = from.trustLevel;
        }

        public Builder nodename(String value) {
            nodename = value;
            return this;
        }

        public Builder uuid(@Nullable String value) {
            uuid = value;
            return this;
        }

        public Builder cellUuid(@Nullable String value) {
            cellUuid = value;
            return this;
        }

        public Builder totalUsableRamMb(long value) {
            totalUsableRamMb = value;
            return this;
        }

        public Builder freeRamMb(long value) {
            freeRamMb = value;
            return this;
        }

        public Builder totalUsableDiskGb(long value) {
            totalUsableDiskGb = value;
            return this;
        }

        public Builder freeDiskMb(long value) {
            freeDiskMb = value;
            return this;
        }

        public Builder diskMbUsed(long value) {
            diskMbUsed = value;
            return this;
        }

        public Builder vcpusTotal(long value) {
            vcpusTotal = value;
            return this;
        }

        public Builder vcpusUsed(long value) {
            vcpusUsed = value;
            return this;
        }

        public Builder cpuAllocationRatio(double value) {
            cpuAllocationRatio = value;
            return this;
        }

        public Builder ramAllocationRatio(double value) {
            ramAllocationRatio = value;
            return this;
        }

        public Builder diskAllocationRatio(double value) {
            diskAllocationRatio = value;
            return this;
        }

        public Builder numInstances(long value) {
            numInstances = value;
            return this;
        }

        public Builder numIoOps(long value) {
            numIoOps = value;
            return this;
        }

        public Builder failedBuilds(long value) {
            failedBuilds = value;
            return this;
        }

        public Builder hostIp(@Nullable String value) {
            hostIp = value;
            return this;
        }

        public Builder hypervisorType(@Nullable String value) {
            hypervisorType = value;
            return this;
        }

        public Builder hypervisorHostname(@Nullable String value) {
            hypervisorHostname = value;
            return this;
        }

        public Builder hypervisorVersion(@Nullable Long value) {
            hypervisorVersion = value;
            return this;
        }

        public Builder cpuInfo(@Nullable JsonNode value) {
            cpuInfo = value;
            return this;
        }

        public Builder supportedInstances(@Nullable List<SupportedInstance> value) {
            supportedInstances = value;
            return this;
        }

        public Builder stats(Map<String, JsonNode> value) {
            stats = value;
            return this;
        }

        public Builder metrics(Map<String, Double> value) {
            metrics = value;
            return this;
        }

        public Builder aggregates(List<HostAggregate> value) {
            aggregates = value;
            return this;
        }

        public Builder instances(Map<String, RunningInstance> value) {
            instances = value;
            return this;
        }

        public Builder service(HostService value) {
            service = value;
            return this;
        }

        public Builder numaTopology(@Nullable HostNuma value) {
            numaTopology = value;
            return this;
        }

        public Builder pciStats(@Nullable PciStats value) {
            pciStats = value;
            return this;
        }

        public Builder allocationCandidates(List<AllocationCandidate> value) {
            allocationCandidates = value;
            return this;
        }

        public Builder limits(Limits value) {
            limits = value;
            return this;
        }

        public Builder updated(@Nullable String value) {
            updated = value;
            return this;
        }

        public Builder trustLevel(@Nullable String value) {
            trustLevel = value;
            return this;
        }

        public HostState build() {
            return new HostState(
                    host,
                    nodename,
                    uuid,
                    cellUuid,
                    totalUsableRamMb,
                    freeRamMb,
                    totalUsableDiskGb,
                    freeDiskMb,
                    diskMbUsed,
                    vcpusTotal,
                    vcpusUsed,
                    cpuAllocationRatio,
                    ramAllocationRatio,
                    diskAllocationRatio,
                    numInstances,
                    numIoOps,
                    failedBuilds,
                    hostIp,
                    hypervisorType,
                    hypervisorHostname,
                    hypervisorVersion,
                    cpuInfo,
                    supportedInstances,
                    stats,
                    metrics,
                    aggregates,
                    instances,
                    service,
                    numaTopology,
                    pciStats,
                    allocationCandidates,
                    limits,
                    updated,
                    trustLevel);
        }
    }
}
