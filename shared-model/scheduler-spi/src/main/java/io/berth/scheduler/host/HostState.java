package io.berth.scheduler.host;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.pci.PciStats;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One compute node as the filters and weighers of one request see it: {@linkplain HostFacts the facts that all requests
 * share}, and the allocation candidates of this request. Immutable. A filter that narrows candidates or sets limits
 * returns a new host state with the same facts. After a claim, the host state for the next instance of the request has
 * other facts: the resources of the placed instance are subtracted.
 * <br>Source: nova {@code scheduler/host_manager.py} (HostState).
 *
 * @param allocationCandidates placement's candidates on this host, in placement's order. The list may create its
 *         elements lazily, so filters and weighers should only read elements that they need; {@code isEmpty} is always
 *         cheap
 * @param limits the limits that filters have set so far
 */
public record HostState(HostFacts facts, List<AllocationCandidate> allocationCandidates, Limits limits) {
    public HostState {
        Objects.requireNonNull(facts, "facts");
        Objects.requireNonNull(allocationCandidates, "allocationCandidates");
        Objects.requireNonNull(limits, "limits");
    }

    /** Returns a builder for a host and a node that both have this name, with defaults for all other members. */
    public static Builder named(String host) {
        return new Builder(host);
    }

    /**
     * Returns a builder with the members of this host state. To change only candidates or limits, {@link
     * #withCandidates} and {@link #withLimits} are cheaper, because they keep the facts.
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns a host state with the same facts and limits, and these candidates. */
    public HostState withCandidates(List<AllocationCandidate> candidates) {
        return allocationCandidates == candidates ? this : new HostState(facts, candidates, limits);
    }

    /** Returns a host state with the same facts and candidates, and these limits. */
    public HostState withLimits(Limits newLimits) {
        return limits == newLimits ? this : new HostState(facts, allocationCandidates, newLimits);
    }

    public String host() {
        return facts.host();
    }

    public String nodename() {
        return facts.nodename();
    }

    public @Nullable String uuid() {
        return facts.uuid();
    }

    public @Nullable String cellUuid() {
        return facts.cellUuid();
    }

    public long totalUsableRamMb() {
        return facts.totalUsableRamMb();
    }

    public long freeRamMb() {
        return facts.freeRamMb();
    }

    public long totalUsableDiskGb() {
        return facts.totalUsableDiskGb();
    }

    public long freeDiskMb() {
        return facts.freeDiskMb();
    }

    public long diskMbUsed() {
        return facts.diskMbUsed();
    }

    public long vcpusTotal() {
        return facts.vcpusTotal();
    }

    public long vcpusUsed() {
        return facts.vcpusUsed();
    }

    public double cpuAllocationRatio() {
        return facts.cpuAllocationRatio();
    }

    public double ramAllocationRatio() {
        return facts.ramAllocationRatio();
    }

    public double diskAllocationRatio() {
        return facts.diskAllocationRatio();
    }

    public long numInstances() {
        return facts.numInstances();
    }

    public long numIoOps() {
        return facts.numIoOps();
    }

    public long failedBuilds() {
        return facts.failedBuilds();
    }

    public @Nullable String hostIp() {
        return facts.hostIp();
    }

    public @Nullable String hypervisorType() {
        return facts.hypervisorType();
    }

    public @Nullable String hypervisorHostname() {
        return facts.hypervisorHostname();
    }

    public @Nullable Long hypervisorVersion() {
        return facts.hypervisorVersion();
    }

    public @Nullable JsonNode cpuInfo() {
        return facts.cpuInfo();
    }

    public @Nullable List<SupportedInstance> supportedInstances() {
        return facts.supportedInstances();
    }

    public Map<String, JsonNode> stats() {
        return facts.stats();
    }

    public Map<String, Double> metrics() {
        return facts.metrics();
    }

    public List<HostAggregate> aggregates() {
        return facts.aggregates();
    }

    public Map<String, RunningInstance> instances() {
        return facts.instances();
    }

    public HostService service() {
        return facts.service();
    }

    public @Nullable HostNuma numaTopology() {
        return facts.numaTopology();
    }

    public @Nullable PciStats pciStats() {
        return facts.pciStats();
    }

    public @Nullable String updated() {
        return facts.updated();
    }

    public @Nullable String trustLevel() {
        return facts.trustLevel();
    }

    /**
     * Builds a host state. A member that is not set has the value of a host that reports nothing: zero, null or empty,
     * ratios of 1.0, a service that is up, and one candidate without allocations.
     */
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
            host = from.host();
            nodename = from.nodename();
            uuid = from.uuid();
            cellUuid = from.cellUuid();
            totalUsableRamMb = from.totalUsableRamMb();
            freeRamMb = from.freeRamMb();
            totalUsableDiskGb = from.totalUsableDiskGb();
            freeDiskMb = from.freeDiskMb();
            diskMbUsed = from.diskMbUsed();
            vcpusTotal = from.vcpusTotal();
            vcpusUsed = from.vcpusUsed();
            cpuAllocationRatio = from.cpuAllocationRatio();
            ramAllocationRatio = from.ramAllocationRatio();
            diskAllocationRatio = from.diskAllocationRatio();
            numInstances = from.numInstances();
            numIoOps = from.numIoOps();
            failedBuilds = from.failedBuilds();
            hostIp = from.hostIp();
            hypervisorType = from.hypervisorType();
            hypervisorHostname = from.hypervisorHostname();
            hypervisorVersion = from.hypervisorVersion();
            cpuInfo = from.cpuInfo();
            supportedInstances = from.supportedInstances();
            stats = from.stats();
            metrics = from.metrics();
            aggregates = from.aggregates();
            instances = from.instances();
            service = from.service();
            numaTopology = from.numaTopology();
            pciStats = from.pciStats();
            allocationCandidates = from.allocationCandidates;
            limits = from.limits;
            updated = from.updated();
            trustLevel = from.trustLevel();
        }

        public Builder host(String value) {
            host = value;
            return this;
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
            HostFacts facts = new HostFacts(
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
                    updated,
                    trustLevel);
            return new HostState(facts, allocationCandidates, limits);
        }
    }
}
