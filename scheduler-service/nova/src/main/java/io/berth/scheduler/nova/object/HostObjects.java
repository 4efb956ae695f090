package io.berth.scheduler.nova.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts a host's report from the objects that nova keeps in {@code compute_nodes} into the members of a compute node
 * of Berth. Throws ApiFault (400) for anything else.
 * <br>Source: nova {@code objects/numa.py}, {@code objects/pci_device_pool.py}.
 */
public final class HostObjects {
    private HostObjects() {}

    /** @param object NUMATopology */
    public static JsonNode numaTopology(JsonNode object) {
        return JsonNodeFactory.instance.objectNode().set(
                "cells", NovaObject.of(object, "numa_topology").objects("cells", HostObjects::cell));
    }

    private static JsonNode cell(NovaObject cell) {
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        cell.copy(
                made, "id", "cpuset", "pcpuset", "memory", "cpu_usage", "memory_usage", "pinned_cpus", "siblings", "socket");
        made.set("mempages", cell.objects("mempages", pages -> copied(pages, "size_kb", "total", "used", "reserved")));
        NovaObject network = cell.object("network_metadata");
        if (network != null) {
            made.set("network_metadata", copied(network, "physnets", "tunneled"));
        }
        return made;
    }

    /** @param object PciDevicePoolList */
    public static JsonNode pciStats(JsonNode object) {
        return JsonNodeFactory.instance.objectNode().set(
                "pools", NovaObject.of(object, "pci_stats").objects("objects", HostObjects::pool));
    }

    private static JsonNode pool(NovaObject pool) {
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        JsonNode tags = pool.value("tags");
        if (tags != null && tags.isObject()) {
            tags.properties().forEach(tag -> made.set(tag.getKey(), tag.getValue()));
        }
        pool.copy(made, "vendor_id", "product_id", "numa_node", "count");
        return made;
    }

    private static ObjectNode copied(NovaObject object, String... fields) {
        ObjectNode made = JsonNodeFactory.instance.objectNode();
        object.copy(made, fields);
        return made;
    }
}
