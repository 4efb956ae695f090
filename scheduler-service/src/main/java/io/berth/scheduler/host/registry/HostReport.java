package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.SupportedInstance;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.numa.PageInfo;
import io.berth.scheduler.pci.PciPool;
import io.berth.scheduler.pci.PciStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a compute node's report into a host state. */
public final class HostReport {
    private HostReport() {}

    public static HostState read(StrictObject body) {
        String host = body.requiredText("host");
        String nodename = body.text("nodename");
        HostState.Builder state = HostState.named(host)
                .nodename(nodename == null ? host : nodename)
                .cellUuid(body.text("cell_uuid"))
                .totalUsableRamMb(body.longInteger("total_usable_ram_mb", 0))
                .freeRamMb(body.longInteger("free_ram_mb", 0))
                .totalUsableDiskGb(body.longInteger("total_usable_disk_gb", 0))
                .freeDiskMb(body.longInteger("free_disk_mb", 0))
                .diskMbUsed(body.longInteger("disk_mb_used", 0))
                .vcpusTotal(body.longInteger("vcpus_total", 0))
                .vcpusUsed(body.longInteger("vcpus_used", 0))
                .cpuAllocationRatio(body.number("cpu_allocation_ratio", 1.0))
                .ramAllocationRatio(body.number("ram_allocation_ratio", 1.0))
                .diskAllocationRatio(body.number("disk_allocation_ratio", 1.0))
                .numInstances(body.longInteger("num_instances", 0))
                .numIoOps(body.longInteger("num_io_ops", 0))
                .failedBuilds(body.longInteger("failed_builds", 0))
                .hostIp(body.text("host_ip"))
                .hypervisorType(body.text("hypervisor_type"))
                .hypervisorHostname(body.text("hypervisor_hostname"))
                .hypervisorVersion(body.longOrNull("hypervisor_version"))
                .cpuInfo(body.any("cpu_info"))
                .supportedInstances(supportedInstances(body))
                .stats(stats(body.freeObject("stats")))
                .metrics(metrics(body))
                .service(service(body.object("service")))
                .updated(body.text("updated"))
                .trustLevel(body.text("trust_level"))
                .aggregates(aggregates(body))
                .instances(instances(body.freeObject("instances")))
                .numaTopology(numa(body.object("numa_topology")))
                .pciStats(pci(body.object("pci_stats")));
        // Part of a host state, but said by placement here, or a filter's note.
        body.any("uuid");
        body.any("allocation_candidates");
        body.any("limits");
        return state.build();
    }

    private static List<SupportedInstance> supportedInstances(StrictObject body) {
        List<List<String>> lists = body.textLists("supported_instances");
        return lists == null ? null : lists.stream().map(SupportedInstance::new).toList();
    }

    private static Map<String, JsonNode> stats(JsonNode object) {
        Map<String, JsonNode> stats = new LinkedHashMap<>();
        object.properties().forEach(member -> stats.put(member.getKey(), member.getValue()));
        return stats;
    }

    private static Map<String, Double> metrics(StrictObject body) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        for (StrictObject metric : body.objects("metrics")) {
            metrics.put(metric.requiredText("name"), metric.number("value", 0));
            metric.nothingElse();
        }
        return metrics;
    }

    private static HostService service(StrictObject service) {
        if (service == null) {
            return HostService.UP;
        }
        HostService read = new HostService(
                service.flag("disabled", false),
                service.text("disabled_reason"),
                service.flag("up", true),
                service.flag("forced_down", false));
        service.nothingElse();
        return read;
    }

    private static List<HostAggregate> aggregates(StrictObject body) {
        List<HostAggregate> aggregates = new ArrayList<>();
        for (StrictObject aggregate : body.objects("aggregates")) {
            aggregates.add(new HostAggregate(
                    aggregate.longOrNull("id"),
                    aggregate.text("uuid"),
                    aggregate.text("name"),
                    aggregate.textMap("metadata")));
            aggregate.nothingElse();
        }
        return aggregates;
    }

    private static Map<String, RunningInstance> instances(JsonNode object) {
        Map<String, RunningInstance> instances = new LinkedHashMap<>();
        for (var member : object.properties()) {
            StrictObject instance = new StrictObject(member.getValue(), "$.instances." + member.getKey());
            instances.put(member.getKey(), RegisteredInstance.running(instance));
            instance.nothingElse();
        }
        return instances;
    }

    private static HostNuma numa(StrictObject topology) {
        if (topology == null) {
            return null;
        }
        List<HostNumaCell> cells = new ArrayList<>();
        for (StrictObject cell : topology.objects("cells")) {
            cells.add(new HostNumaCell(
                    cell.integer("id", 0),
                    cell.cpus("cpuset"),
                    cell.cpus("pcpuset"),
                    cell.longInteger("memory", 0),
                    cell.integer("cpu_usage", 0),
                    cell.longInteger("memory_usage", 0),
                    cell.cpus("pinned_cpus"),
                    cell.cpuSets("siblings"),
                    pages(cell),
                    network(cell.object("network_metadata")),
                    cell.integerOrNull("socket")));
            cell.nothingElse();
        }
        topology.nothingElse();
        return new HostNuma(cells);
    }

    private static List<PageInfo> pages(StrictObject cell) {
        List<PageInfo> pages = new ArrayList<>();
        for (StrictObject page : cell.objects("mempages")) {
            Integer sizeKb = page.positive("size_kb");
            if (sizeKb == null) {
                throw ApiFault.invalid("$.numa_topology: every entry of mempages needs a size_kb");
            }
            pages.add(new PageInfo(
                    sizeKb, page.longInteger("total", 0), page.longInteger("used", 0), page.longInteger("reserved", 0)));
            page.nothingElse();
        }
        return pages;
    }

    private static NetworkMetadata network(StrictObject network) {
        if (network == null) {
            return null;
        }
        NetworkMetadata read =
                new NetworkMetadata(Set.copyOf(network.texts("physnets")), network.flag("tunneled", false));
        network.nothingElse();
        return read;
    }

    /** Pools take any tag beside the members that every pool has. */
    private static PciStats pci(StrictObject stats) {
        if (stats == null) {
            return null;
        }
        List<PciPool> pools = new ArrayList<>();
        for (StrictObject pool : stats.objects("pools")) {
            Map<String, Object> tags = new LinkedHashMap<>(JsonValues.plainMembers(pool.node()));
            List.of("vendor_id", "product_id", "numa_node", "count").forEach(tags::remove);
            pools.add(new PciPool(
                    pool.text("vendor_id"),
                    pool.text("product_id"),
                    pool.integerOrNull("numa_node"),
                    pool.integer("count", 0),
                    tags));
        }
        stats.nothingElse();
        return new PciStats(pools);
    }
}
