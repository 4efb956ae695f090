package io.berth.scheduler.host;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.pci.PciStats;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The data about one compute node that do not depend on a request: the part of a {@link HostState} that all requests
 * share. Immutable. The instances on the host are included in used amounts, and subtracted from free amounts.
 *
 * <p>The constructor does not copy collections, because a request may have ten thousand hosts; the caller must not
 * change them afterwards.
 *
 * <p>A nullable component is null if the host does not report it, unless its description says otherwise.
 * <br>Source: nova {@code scheduler/host_manager.py} (HostState).
 *
 * @param host name of the compute service
 * @param nodename name of the node's hypervisor; a compute service may manage several nodes
 * @param uuid uuid of the node's resource provider; null if unknown
 * @param cellUuid uuid of the node's cell; null if unknown
 * @param totalUsableRamMb total memory in MiB
 * @param freeRamMb free memory in MiB; negative if the memory is overcommitted
 * @param totalUsableDiskGb total disk in GiB
 * @param freeDiskMb free disk in MiB; negative if the disk is overcommitted
 * @param diskMbUsed used disk in MiB
 * @param cpuAllocationRatio allocation ratio of virtual CPUs; this and the other two ratios are 1.0 if unknown
 * @param failedBuilds number of failed builds since the last successful build
 * @param numIoOps number of I/O-intensive operations in progress, such as builds and resizes
 * @param hypervisorVersion three numbers in base 1000: 2012000 is version 2.12.0
 * @param cpuInfo a JSON object, or the text of one, in nova's form
 * @param supportedInstances guests that the hypervisor can run
 * @param stats free-form statistics by name
 * @param metrics values of the metrics that the host reports, by name
 * @param instances the instances on the host, by uuid
 * @param pciStats the free PCI devices
 * @param updated time of the report, as text; no decision depends on it, unless a flavor or scheduler hint names it
 * @param trustLevel trust level of the node, from the host's report or, if the flavor requires a level, from the
 *         configured attestation service; null if the host reports none and no service was queried
 */
public record HostFacts(
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
        @Nullable String updated,
        @Nullable String trustLevel) {

    public HostFacts {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(nodename, "nodename");
        Objects.requireNonNull(stats, "stats");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(aggregates, "aggregates");
        Objects.requireNonNull(instances, "instances");
        Objects.requireNonNull(service, "service");
    }
}
