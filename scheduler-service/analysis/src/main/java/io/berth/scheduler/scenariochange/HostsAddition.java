package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.PageInfo;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Adds unused copies of an existing host: its provider trees, nodes, service (enabled and up) and aggregates. Leaves
 * out a node whose provider placement does not have. A new host has the name of the existing one with a suffix, such as
 * {@code HOST-like-1}.
 *
 * @param like name of the existing host
 * @param count number of new hosts
 * @param zone availability zone of the new hosts; null: the zone of the existing host
 * @param path path of this change in the body
 */
record HostsAddition(String like, int count, @Nullable String zone, String path) implements ScenarioChange {
    private static final String ZONE = "availability_zone";

    @Override
    public void make(ScenarioCloud cloud) {
        SelectedHost original = cloud.findForChange(like, path + ".like");
        if (original.providers().isEmpty()) {
            throw ApiFault.invalid("%s.like: host %s has no resource provider to be copied".formatted(path, like));
        }
        List<String> names = names(cloud);
        cloud.changes.setOrigin(path);
        List<ComputeNode> nodes = cloud.registry().computeNodesOf(like);
        if (nodes.isEmpty()) {
            List<UUID> roots = copyTree(cloud, original.providers().getFirst(), names);
            for (int i = 0; i < names.size(); i++) {
                cloud.noteAddedHost(names.get(i), roots.get(i));
            }
        }
        for (ComputeNode node : nodes) {
            if (!original.providers().contains(node.uuid())) {
                continue;
            }
            List<String> nodenames = node.nodename().equals(like)
                    ? names
                    : names.stream().map(name -> node.nodename() + name.substring(like.length())).toList();
            List<UUID> roots = copyTree(cloud, node.uuid(), nodenames);
            for (int i = 0; i < names.size(); i++) {
                cloud.changes.put(
                        RecordCollection.COMPUTE_NODES,
                        new ComputeNode(roots.get(i), withoutInstances(node.state(), names.get(i), nodenames.get(i)),
                                node.provider()));
            }
        }
        addServices(cloud, names);
        join(cloud, names);
    }

    /** Returns names for the new hosts that no host, removed host or root provider has. */
    private List<String> names(ScenarioCloud cloud) {
        List<String> names = new ArrayList<>();
        for (int i = 1; names.size() < count; i++) {
            String name = like + "-like-" + i;
            if (!cloud.isTaken(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /** Copies a provider tree once for each name. Returns the uuids of the new roots, in the order of the names. */
    private static List<UUID> copyTree(ScenarioCloud cloud, UUID original, List<String> names) {
        List<UUID> uuids = names.stream()
                .map(name -> UUID.nameUUIDFromBytes((original + "/" + name).getBytes(StandardCharsets.UTF_8)))
                .toList();
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        ObjectNode add = change.putObject("add").put("like", original.toString());
        ArrayNode roots = add.putArray("roots");
        uuids.forEach(uuid -> roots.add(uuid.toString()));
        names.forEach(add.putArray("names")::add);
        cloud.changes.fleet(change);
        cloud.noteAddedRoots(uuids);
        return uuids;
    }

    /**
     * Returns the state of a host without instances. Its PCI pools keep the numbers of free devices of the existing
     * host, because a host does not report the total numbers.
     */
    private static HostState withoutInstances(HostState state, String host, String nodename) {
        HostNuma numa = state.numaTopology();
        return state.toBuilder()
                .host(host)
                .nodename(nodename)
                .freeRamMb(Math.max(state.totalUsableRamMb(), state.freeRamMb()))
                .freeDiskMb(Math.max(state.totalUsableDiskGb() * 1024, state.freeDiskMb()))
                .diskMbUsed(0)
                .vcpusUsed(0)
                .numInstances(0)
                .numIoOps(0)
                .failedBuilds(0)
                .instances(Map.of())
                .numaTopology(numa == null ? null : new HostNuma(numa.cells().stream()
                        .map(cell -> cell.withUsage(0, 0, CpuSet.EMPTY, cell.pages().stream()
                                .map(page -> new PageInfo(page.sizeKb(), page.total(), 0, page.reserved()))
                                .toList()))
                        .toList()))
                .build();
    }

    /** Adds services for the new hosts, if the existing host has one. */
    private void addServices(ScenarioCloud cloud, List<String> names) {
        ComputeService service = cloud.registry().findService(like);
        if (service == null) {
            return;
        }
        for (String name : names) {
            UUID uuid = UUID.nameUUIDFromBytes((service.uuid() + "/" + name).getBytes(StandardCharsets.UTF_8));
            ComputeService newService = (ComputeService) RecordCollection.SERVICES.read(
                    uuid, new StrictObject(JsonNodeFactory.instance.objectNode().put("host", name), path));
            cloud.changes.put(RecordCollection.SERVICES, newService.up(cloud.present.registry().asOf()));
        }
        if (service.disabled()) {
            // The copied trees have the trait of disabled hosts, which enabling the services removes.
            cloud.changes.setDisabled(names, false, null);
        }
    }

    /**
     * Adds the new hosts to the aggregates of the existing host, except to those of another zone than {@link #zone}. If
     * this does not put the new hosts into the zone, also adds them to an aggregate of the zone, which is created if
     * there is none.
     */
    private void join(ScenarioCloud cloud, List<String> names) {
        List<RegisteredAggregate> aggregatesOfOriginal = cloud.registry().listAggregates().stream()
                .filter(aggregate -> aggregate.hosts().contains(like))
                .toList();
        for (RegisteredAggregate aggregate : aggregatesOfOriginal) {
            String zones = aggregate.metadata().get(ZONE);
            if (zone == null || zones == null || AggregateMetadata.split(zones).contains(zone)) {
                join(cloud, aggregate, names);
            } else {
                // In placement, the copied trees are in this aggregate of another zone, and have to leave it.
                cloud.changes.changeAggregate(with(aggregate, names), null, aggregate.hosts());
            }
        }
        if (zone != null && !cloud.isInZone(names.getFirst(), zone)) {
            RegisteredAggregate aggregateOfZone = cloud.findAggregateOfZone(zone);
            join(cloud, aggregateOfZone == null ? newZone() : aggregateOfZone, names);
        }
    }

    private static void join(ScenarioCloud cloud, RegisteredAggregate aggregate, List<String> names) {
        cloud.changes.changeAggregate(aggregate, null, with(aggregate, names).hosts());
    }

    private static RegisteredAggregate with(RegisteredAggregate aggregate, List<String> names) {
        Set<String> hosts = new HashSet<>(aggregate.hosts());
        hosts.addAll(names);
        return new RegisteredAggregate(aggregate.uuid(), aggregate.facts(), hosts);
    }

    /** Creates an aggregate for a zone that no aggregate has in its metadata. */
    private RegisteredAggregate newZone() {
        UUID uuid = UUID.nameUUIDFromBytes(("zone/" + zone).getBytes(StandardCharsets.UTF_8));
        return new RegisteredAggregate(
                uuid, new HostAggregate(null, uuid.toString(), zone, Map.of(ZONE, zone)), Set.of());
    }
}
