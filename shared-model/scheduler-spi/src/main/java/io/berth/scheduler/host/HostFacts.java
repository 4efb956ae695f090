package io.berth.scheduler.host;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.pci.PciStats;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The facts about one compute node that do not depend on the request: the part of a {@link HostState} that all requests
 * share. Immutable. Free and used amounts count the instances on the host.
 *
 * <p>A caller must not change collections that it has passed in; they are not copied, because a request may carry ten
 * thousand hosts.
 *
 * @param host name of the compute service
 * @param nodename name of the hypervisor; several nodes may share one host
 * @param uuid uuid of the node's resource provider
 * @param totalUsableRamMb MiB
 * @param freeRamMb MiB; negative when overcommitted
 * @param totalUsableDiskGb GiB
 * @param freeDiskMb MiB; negative when overcommitted
 * @param cpuAllocationRatio 1.0 if the host reports none, like the other two ratios
 * @param failedBuilds number of failed builds since the last one that succeeded
 * @param hypervisorVersion in base 1000: 2012000 is 2.12.0
 * @param cpuInfo as JSON text in nova's form, or as a JSON object
 * @param supportedInstances null if the host does not advertise any
 * @param stats free-form statistics by name
 * @param metrics value by name
 * @param instances the instances on the host, by uuid
 * @param pciStats null if the host reports no PCI data at all
 * @param updated when the data was reported; no decision depends on it
 * @param trustLevel the result of the node's attestation; null if it was not attested
 * <br>Source: nova {@code scheduler/host_manager.py} (HostState).
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
