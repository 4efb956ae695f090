package io.berth.scheduler.nova.database;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.HostReport;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.nova.object.HostObjects;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.pgclient.data.Inet;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads a row of nova's {@code compute_nodes}. Converts it to the body of {@code PUT /v1/compute_nodes/{uuid}}, so that
 * the same parser and checks apply.
 * <br>Source: nova {@code scheduler/host_manager.py} (_update_from_compute_node).
 */
final class NodeRow {
    static final String COLUMNS = """
            id, uuid, host, hypervisor_hostname, memory_mb, free_ram_mb, local_gb, local_gb_used, free_disk_gb,
            disk_available_least, vcpus, vcpus_used, cpu_allocation_ratio, ram_allocation_ratio, disk_allocation_ratio,
            host_ip, hypervisor_type, hypervisor_version, cpu_info, supported_instances, stats, metrics, numa_topology,
            pci_stats, updated_at, deleted
            """;

    private static final int MB_PER_GB = 1024;
    /** Names of metrics that nova stores as fractions from 0 to 1. */
    private static final Set<String> PERCENTAGES = Set.of(
            "cpu.percent", "cpu.user.percent", "cpu.kernel.percent", "cpu.idle.percent", "cpu.iowait.percent");

    private NodeRow() {}

    /**
     * Converts a row.
     *
     * @param options allocation ratios for nodes that have none of their own
     * @throws ApiFault (400) if the values are invalid in the body of {@code PUT /v1/compute_nodes/{uuid}}
     */
    static ComputeNode read(Row row, UUID uuid, UUID cell, InventoryOptions options) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("host", row.getString("host")).put("cell_uuid", cell.toString());
        text(body, "nodename", row.getString("hypervisor_hostname"));
        text(body, "hypervisor_hostname", row.getString("hypervisor_hostname"));
        text(body, "hypervisor_type", row.getString("hypervisor_type"));
        text(body, "host_ip", address(row.getValue("host_ip")));
        text(body, "cpu_info", row.getString("cpu_info"));
        number(body, "hypervisor_version", row.getLong("hypervisor_version"));
        if (row.getValue("updated_at") != null) {
            body.put("updated", row.getLocalDateTime("updated_at").toString());
        }
        body.put("cpu_allocation_ratio", ratio(row.getValue("cpu_allocation_ratio"), "VCPU", options));
        body.put("ram_allocation_ratio", ratio(row.getValue("ram_allocation_ratio"), "MEMORY_MB", options));
        body.put("disk_allocation_ratio", ratio(row.getValue("disk_allocation_ratio"), "DISK_GB", options));
        json(body, "supported_instances", row.getString("supported_instances"), list -> list);
        json(body, "metrics", row.getString("metrics"), NodeRow::metrics);
        json(body, "numa_topology", row.getString("numa_topology"), HostObjects::numaTopology);
        json(body, "pci_stats", row.getString("pci_stats"), HostObjects::pciStats);
        json(body, "stats", row.getString("stats"), stats -> {
            count(body, "num_instances", stats.path("num_instances"));
            count(body, "num_io_ops", stats.path("io_workload"));
            count(body, "failed_builds", stats.path("failed_builds"));
            return stats;
        });
        // Until the node's first report, free_disk_gb is null, and the values below are ignored, as in nova.
        Long freeDiskGb = row.getLong("free_disk_gb");
        if (freeDiskGb != null) {
            Long leastGb = row.getLong("disk_available_least");
            body.put("free_disk_mb", MB_PER_GB * (leastGb == null ? freeDiskGb : Math.min(freeDiskGb, leastGb)));
            number(body, "free_ram_mb", row.getLong("free_ram_mb"));
            number(body, "total_usable_ram_mb", row.getLong("memory_mb"));
            number(body, "total_usable_disk_gb", row.getLong("local_gb"));
            body.put("disk_mb_used", MB_PER_GB * row.getLong("local_gb_used"));
            number(body, "vcpus_total", row.getLong("vcpus"));
            number(body, "vcpus_used", row.getLong("vcpus_used"));
        }
        return new ComputeNode(uuid, HostReport.read(new StrictObject(body, "compute_nodes." + uuid)), null);
    }

    private static void text(ObjectNode body, String name, @Nullable String text) {
        if (text != null) {
            body.put(name, text);
        }
    }

    /** Converts an address, whose column has the type {@code inet} in PostgreSQL. */
    private static @Nullable String address(@Nullable Object address) {
        return switch (address) {
            case null -> null;
            case Inet inet -> inet.getAddress().getHostAddress();
            default -> address.toString();
        };
    }

    private static void number(ObjectNode body, String name, @Nullable Long number) {
        if (number != null) {
            body.put(name, number);
        }
    }

    /**
     * Returns the allocation ratio. If the column is null or 0.0, returns the configured ratio, or the initial ratio if
     * none is configured, as nova does. Parses the column as text, because MariaDB's FLOAT of 1.3 is the double
     * 1.2999999523.
     */
    private static double ratio(@Nullable Object ratio, String resourceClass, InventoryOptions options) {
        double ofNode = ratio == null ? 0 : Double.parseDouble(ratio.toString());
        return options.nodeRatio(resourceClass, ofNode > 0 ? ofNode : null);
    }

    /** Adds a count, which nova stores as text; adds nothing if it is absent. */
    private static void count(ObjectNode body, String name, JsonNode count) {
        if (!count.isMissingNode() && !count.isNull()) {
            body.put(name, count.asLong());
        }
    }

    /** Parses JSON text and adds it in a converted form; adds nothing for null, blank text or the JSON null. */
    private static void json(
            ObjectNode body, String name, @Nullable String text, Function<JsonNode, JsonNode> convert) {
        if (text != null && !text.isBlank()) {
            JsonNode read = JsonBody.parse(text.getBytes(StandardCharsets.UTF_8));
            if (!read.isNull()) {
                body.set(name, convert.apply(read));
            }
        }
    }

    private static ArrayNode metrics(JsonNode all) {
        ArrayNode metrics = JsonNodeFactory.instance.arrayNode();
        all.forEach(metric -> metrics.addObject()
                .<ObjectNode>set("name", metric.get("name"))
                .set("value", value(metric)));
        return metrics;
    }

    /**
     * Returns the value of a metric. A fraction becomes a percentage, rounded down to a whole number.
     * <br>Source: nova {@code objects/monitor_metric.py} (from_json).
     */
    private static JsonNode value(JsonNode metric) {
        return PERCENTAGES.contains(metric.path("name").asText()) && metric.path("value").isNumber()
                ? LongNode.valueOf((long) (metric.get("value").asDouble() * 100))
                : metric.get("value");
    }
}
