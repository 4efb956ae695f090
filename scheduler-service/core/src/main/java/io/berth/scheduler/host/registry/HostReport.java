package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.SupportedInstance;
import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.numa.PageInfo;
import io.berth.scheduler.pci.PciPool;
import io.berth.scheduler.pci.PciStats;
import jakarta.annotation.Nullable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a compute node's report into a host state. */
public final class HostReport {
    private HostReport() {}

    /** Returns the reported host state. Throws ApiFault (400) with the path of an invalid member. */
    public static HostState read(StrictObject body) {
        // The length of host is not checked here: ComputeNode does that for hosts that clients register.
        String host = HostNames.interned(body.requiredText("host"));
        String nodename = HostNames.internedOrNull(body.find("nodename", HostNames::checked));
        HostService service = body.object("service", HostReport::service);
        HostState.Builder state = HostState.named(host)
                .nodename(nodename == null ? host : nodename)
                .cellUuid(ValueInterner.ofNullable(body.text("cell_uuid")))
                .totalUsableRamMb(body.longInteger("total_usable_ram_mb"))
                .freeRamMb(body.longInteger("free_ram_mb"))
                .totalUsableDiskGb(body.longInteger("total_usable_disk_gb"))
                .freeDiskMb(body.longInteger("free_disk_mb"))
                .diskMbUsed(body.longInteger("disk_mb_used"))
                .vcpusTotal(body.longInteger("vcpus_total"))
                .vcpusUsed(body.longInteger("vcpus_used"))
                .cpuAllocationRatio(body.number("cpu_allocation_ratio", 1.0))
                .ramAllocationRatio(body.number("ram_allocation_ratio", 1.0))
                .diskAllocationRatio(body.number("disk_allocation_ratio", 1.0))
                .numInstances(body.longInteger("num_instances"))
                .numIoOps(body.longInteger("num_io_ops"))
                .failedBuilds(body.longInteger("failed_builds"))
                .hostIp(body.text("host_ip"))
                .hypervisorType(ValueInterner.ofNullable(body.text("hypervisor_type")))
                .hypervisorHostname(body.text("hypervisor_hostname"))
                .hypervisorVersion(ValueInterner.ofNullable(body.longOrNull("hypervisor_version")))
                .cpuInfo(cpuInfo(body))
                .supportedInstances(supportedInstances(body))
                .stats(body.map("stats", (value, path) -> value))
                .metrics(metrics(body))
                .service(service == null ? HostService.UP : service)
                .updated(body.text("updated"))
                .trustLevel(ValueInterner.ofNullable(body.text("trust_level")))
                .aggregates(body.objects("aggregates", HostReport::aggregate))
                .instances(body.map("instances", StrictObject.objectOf(RegisteredInstance::running)))
                .numaTopology(ValueInterner.ofNullable(body.object("numa_topology", HostReport::numa)))
                .pciStats(body.object("pci_stats", HostReport::pci));
        // A host state also has these members, which placement and filters set. They are accepted and ignored.
        body.anyValue("uuid");
        body.anyValue("allocation_candidates");
        body.anyValue("limits");
        return state.build();
    }

    /** Returns null if the node does not report its supported instances. */
    private static @Nullable List<SupportedInstance> supportedInstances(StrictObject body) {
        return body.anyValue("supported_instances") == null
                ? null
                : SupportedInstance.interned(
                        body.textLists("supported_instances").stream().map(SupportedInstance::new).toList());
    }

    /**
     * Interns {@code cpu_info} if it is a string, as nova stores it, because thousands of hosts report the same string.
     * An object is not interned.
     */
    private static @Nullable JsonNode cpuInfo(StrictObject body) {
        JsonNode info = body.anyValue("cpu_info");
        return info != null && info.isTextual() ? ValueInterner.of(info) : info;
    }

    private static Map<String, Double> metrics(StrictObject body) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        body.objects("metrics", metric -> metrics.put(metric.requiredText("name"), metric.number("value", 0)));
        return metrics.isEmpty() ? Map.of() : metrics;
    }

    private static HostService service(StrictObject service) {
        return new HostService(
                service.flag("disabled", false),
                service.text("disabled_reason"),
                service.flag("up", true),
                service.flag("forced_down", false));
    }

    private static HostAggregate aggregate(StrictObject aggregate) {
        return new HostAggregate(
                aggregate.longOrNull("id"),
                aggregate.text("uuid"),
                aggregate.text("name"),
                aggregate.map("metadata", StrictObject.TEXT));
    }

    private static HostNuma numa(StrictObject topology) {
        return new HostNuma(topology.objects("cells", cell -> ValueInterner.of(new HostNumaCell(
                cell.integer("id", 0),
                ValueInterner.of(cell.cpus("cpuset")),
                ValueInterner.of(cell.cpus("pcpuset")),
                cell.longInteger("memory"),
                cell.integer("cpu_usage", 0),
                cell.longInteger("memory_usage"),
                cell.cpus("pinned_cpus"),
                ValueInterner.of(List.copyOf(cell.cpuSets("siblings"))),
                ValueInterner.of(List.copyOf(cell.objects("mempages", HostReport::pages))),
                ValueInterner.ofNullable(cell.object("network_metadata", HostReport::network)),
                cell.integerOrNull("socket")))));
    }

    private static PageInfo pages(StrictObject page) {
        Integer sizeKb = page.positive("size_kb");
        if (sizeKb == null) {
            throw page.invalid("size_kb", "is required");
        }
        return new PageInfo(
                sizeKb, page.longInteger("total"), page.longInteger("used"), page.longInteger("reserved"));
    }

    /** Reads network metadata, which reports and RequestSpecs contain in the same form. */
    public static NetworkMetadata network(StrictObject network) {
        return new NetworkMetadata(Set.copyOf(network.texts("physnets")), network.flag("tunneled", false));
    }

    /** Reads PCI pools. Members other than vendor_id, product_id, numa_node and count are a pool's tags. */
    private static PciStats pci(StrictObject stats) {
        return new PciStats(stats.objects("pools", pool -> {
            Map<String, Object> tags = JsonValues.plainMembers(pool.readWhole());
            List.of("vendor_id", "product_id", "numa_node", "count").forEach(tags::remove);
            return new PciPool(
                    ValueInterner.ofNullable(pool.text("vendor_id")),
                    ValueInterner.ofNullable(pool.text("product_id")),
                    pool.integerOrNull("numa_node"),
                    pool.integer("count", 0),
                    tags);
        }));
    }
}
