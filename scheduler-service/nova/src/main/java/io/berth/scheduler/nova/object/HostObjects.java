package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts a host's report from the objects that nova keeps in {@code compute_nodes} into members of the body of
 * {@code PUT /v1/compute_nodes/{uuid}}. The methods throw ApiFault (400) if the JSON is not a versioned object of nova
 * in a version 1.x. They copy only fields that Berth uses, and leave out fields that were never set.
 * <br>Source: nova {@code objects/numa.py}, {@code objects/pci_device_pool.py}.
 */
public final class HostObjects {
    private HostObjects() {}

    /**
     * Converts the NUMA topology of a host.
     *
     * @param object nova's NUMATopology
     */
    public static JsonNode numaTopology(JsonNode object) {
        return JsonNodeFactory.instance.objectNode().set(
                "cells", NovaObject.of(object, "numa_topology").objects("cells", HostObjects::cell));
    }

    private static JsonNode cell(NovaObject cell) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        cell.copy(
                body, "id", "cpuset", "pcpuset", "memory", "cpu_usage", "memory_usage", "pinned_cpus", "siblings",
                "socket");
        body.set("mempages", cell.objects("mempages", pages -> pages.copyOf("size_kb", "total", "used", "reserved")));
        NovaObject network = cell.object("network_metadata");
        if (network != null) {
            body.set("network_metadata", network.copyOf("physnets", "tunneled"));
        }
        return body;
    }

    /**
     * Converts the pools of PCI devices of a host.
     *
     * @param object nova's PciDevicePoolList
     */
    public static JsonNode pciStats(JsonNode object) {
        return JsonNodeFactory.instance.objectNode().set(
                "pools", NovaObject.of(object, "pci_stats").objects("objects", HostObjects::pool));
    }

    private static JsonNode pool(NovaObject pool) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        JsonNode tags = pool.value("tags");
        if (tags != null && tags.isObject()) {
            tags.properties().forEach(tag -> body.set(tag.getKey(), tag.getValue()));
        }
        pool.copy(body, "vendor_id", "product_id", "numa_node", "count");
        return body;
    }
}
