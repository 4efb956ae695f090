package io.berth.scheduler.explain;

import io.berth.scheduler.host.registry.ComputeNode;
import java.util.UUID;

/**
 * A host to evaluate. A host with several compute nodes has one target for each node.
 *
 * @param provider uuid of the root provider of the compute node
 */
record Target(String host, String nodename, UUID provider) {
    static Target of(ComputeNode node) {
        return new Target(node.host(), node.nodename(), node.uuid());
    }
}
