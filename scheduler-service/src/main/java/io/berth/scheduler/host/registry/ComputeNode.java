package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;

/**
 * A compute node and its report.
 *
 * @param nodename the hypervisor's host name, the host's name if the report has none
 * @param cellUuid null when the node is in no cell
 * @param report the members of a host state, as reported
 */
public record ComputeNode(UUID uuid, String host, String nodename, String cellUuid, JsonNode report)
        implements RegistryRecord {
    static ComputeNode read(UUID uuid, StrictObject body) {
        String host = body.requiredText("host");
        String nodename = body.text("nodename");
        String cell = body.text("cell_uuid");
        return new ComputeNode(uuid, host, nodename == null ? host : nodename, cell, body.node());
    }
}
