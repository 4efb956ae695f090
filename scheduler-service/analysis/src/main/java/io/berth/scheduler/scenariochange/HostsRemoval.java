package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Removes hosts, with their instances, compute nodes, services and provider trees.
 *
 * @param path path of this change in the body
 */
record HostsRemoval(Selector hosts, String path) implements ScenarioChange {
    @Override
    public void make(ScenarioCloud cloud) {
        List<SelectedHost> chosen = cloud.findForChange(hosts);
        Set<UUID> instances = new LinkedHashSet<>();
        chosen.forEach(host -> instancesOn(cloud, host.host(), instances));
        instances.removeIf(instance -> !cloud.noteRemovedInstance(instance));
        if (!instances.isEmpty()) {
            // The instances may hold allocations outside the removed trees: on sharing providers, or on a host from
            // which they were evacuated.
            Set<UUID> removedRoots =
                    chosen.stream().flatMap(host -> host.providers().stream()).collect(Collectors.toSet());
            new InstancesRemoval(List.copyOf(instances), path).freeAllocations(cloud, removedRoots);
        }
        instances.forEach(instance -> cloud.changes.remove(RecordCollection.INSTANCES, instance));
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        ArrayNode roots = change.putObject("remove").putArray("roots");
        for (SelectedHost host : chosen) {
            for (ComputeNode node : cloud.registry().computeNodesOf(host.host())) {
                cloud.changes.remove(RecordCollection.COMPUTE_NODES, node.uuid());
            }
            ComputeService service = cloud.registry().findService(host.host());
            if (service != null) {
                cloud.changes.remove(RecordCollection.SERVICES, service.uuid());
            }
            host.providers().forEach(root -> roots.add(root.toString()));
            cloud.noteRemovedHost(host, path);
        }
        if (!roots.isEmpty()) {
            cloud.changes.setOrigin(path).fleet(change);
        }
    }

    /**
     * Adds the uuids of the instances that are registered on any node of a host. Includes a node with the host's name,
     * which need not be registered.
     */
    private static void instancesOn(ScenarioCloud cloud, String host, Set<UUID> uuids) {
        List<String> nodes = new ArrayList<>(
                cloud.registry().computeNodesOf(host).stream().map(ComputeNode::nodename).toList());
        nodes.add(host);
        nodes.forEach(node -> cloud.registry().instancesOn(host, node).keySet()
                .forEach(uuid -> uuids.add(UUID.fromString(uuid))));
    }
}
