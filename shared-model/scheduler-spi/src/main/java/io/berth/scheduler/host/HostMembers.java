package io.berth.scheduler.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the members of a host state by the names that they have in JSON, such as {@code free_ram_mb}, for filters whose
 * conditions come from flavors and scheduler hints. The NUMA topology, the PCI devices, the metrics, the aggregates (if
 * there are any), the candidates and each instance are opaque values, which can only be compared with null.
 */
public final class HostMembers {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final Map<String, Function<HostState, JsonNode>> MEMBERS = Map.ofEntries(
            Map.entry("host", host -> text(host.host())),
            Map.entry("nodename", host -> text(host.nodename())),
            Map.entry("uuid", host -> text(host.uuid())),
            Map.entry("cell_uuid", host -> text(host.cellUuid())),
            Map.entry("total_usable_ram_mb", host -> JSON.numberNode(host.totalUsableRamMb())),
            Map.entry("free_ram_mb", host -> JSON.numberNode(host.freeRamMb())),
            Map.entry("total_usable_disk_gb", host -> JSON.numberNode(host.totalUsableDiskGb())),
            Map.entry("free_disk_mb", host -> JSON.numberNode(host.freeDiskMb())),
            Map.entry("disk_mb_used", host -> JSON.numberNode(host.diskMbUsed())),
            Map.entry("vcpus_total", host -> JSON.numberNode(host.vcpusTotal())),
            Map.entry("vcpus_used", host -> JSON.numberNode(host.vcpusUsed())),
            Map.entry("cpu_allocation_ratio", host -> JSON.numberNode(host.cpuAllocationRatio())),
            Map.entry("ram_allocation_ratio", host -> JSON.numberNode(host.ramAllocationRatio())),
            Map.entry("disk_allocation_ratio", host -> JSON.numberNode(host.diskAllocationRatio())),
            Map.entry("num_instances", host -> JSON.numberNode(host.numInstances())),
            Map.entry("num_io_ops", host -> JSON.numberNode(host.numIoOps())),
            Map.entry("failed_builds", host -> JSON.numberNode(host.failedBuilds())),
            Map.entry("host_ip", host -> text(host.hostIp())),
            Map.entry("hypervisor_type", host -> text(host.hypervisorType())),
            Map.entry("hypervisor_hostname", host -> text(host.hypervisorHostname())),
            Map.entry("hypervisor_version", host -> host.hypervisorVersion() == null
                    ? null
                    : JSON.numberNode(host.hypervisorVersion().longValue())),
            Map.entry("cpu_info", HostState::cpuInfo),
            Map.entry("supported_instances", HostMembers::supportedInstances),
            Map.entry("stats", host -> JSON.objectNode().setAll(host.stats())),
            Map.entry("metrics", host -> opaque(host.metrics())),
            Map.entry("aggregates", host -> host.aggregates().isEmpty() ? JSON.arrayNode() : opaque(host.aggregates())),
            Map.entry("instances", HostMembers::instances),
            Map.entry("service", HostMembers::service),
            Map.entry("numa_topology", host -> opaque(host.numaTopology())),
            Map.entry("pci_stats", host -> opaque(host.pciStats())),
            Map.entry("allocation_candidates", host -> opaque(host.allocationCandidates())),
            Map.entry("limits", host -> limits(host.limits())),
            Map.entry("updated", host -> text(host.updated())));

    private HostMembers() {}

    /** Returns whether a host state has a member of this name; the value of the member may be null. */
    public static boolean isMember(String name) {
        return MEMBERS.containsKey(name);
    }

    /** Returns the value of a member; null if the value is null, or if no member has this name. */
    public static @Nullable JsonNode find(HostState host, String name) {
        Function<HostState, JsonNode> member = MEMBERS.get(name);
        JsonNode value = member == null ? null : member.apply(host);
        return value == null || value.isNull() ? null : value;
    }

    private static @Nullable JsonNode text(@Nullable String value) {
        return value == null ? null : JSON.textNode(value);
    }

    private static @Nullable JsonNode opaque(@Nullable Object structure) {
        return structure == null ? null : JSON.pojoNode(structure);
    }

    private static @Nullable JsonNode supportedInstances(HostState host) {
        if (host.supportedInstances() == null) {
            return null;
        }
        var list = JSON.arrayNode();
        for (SupportedInstance kind : host.supportedInstances()) {
            var words = list.addArray();
            kind.words().forEach(words::add);
        }
        return list;
    }

    private static JsonNode instances(HostState host) {
        var byUuid = JSON.objectNode();
        host.instances().forEach((uuid, instance) -> byUuid.set(uuid, JSON.pojoNode(instance)));
        return byUuid;
    }

    private static JsonNode service(HostState host) {
        HostService service = host.service();
        return JSON.objectNode()
                .put("disabled", service.disabled())
                .put("disabled_reason", service.disabledReason())
                .put("up", service.up())
                .put("forced_down", service.forcedDown());
    }

    private static JsonNode limits(Limits limits) {
        var members = JSON.objectNode();
        put(members, "vcpu", limits.vcpu());
        put(members, "memory_mb", limits.memoryMb());
        put(members, "disk_gb", limits.diskGb());
        return members;
    }

    private static void put(ObjectNode members, String name, @Nullable Double value) {
        if (value != null) {
            members.put(name, value);
        }
    }
}
