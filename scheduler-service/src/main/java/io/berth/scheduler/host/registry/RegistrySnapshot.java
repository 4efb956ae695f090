package io.berth.scheduler.host.registry;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.RunningInstance;
import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The whole registry at one moment, immutable. A change makes a new one that shares what did not change: collections,
 * records, and what is known of a host. Each claim changes it, so a change costs no more with many records.
 */
public final class RegistrySnapshot {
    public static final RegistrySnapshot EMPTY =
            new RegistrySnapshot(new EnumMap<>(Collection.class), Instant.EPOCH);

    private final Map<Collection, ShardedMap<UUID, RegistryRecord>> records;
    private final Instant asOf;
    private final boolean mayHavePendingReleases;
    private final ShardedMap<String, List<ComputeNode>> nodesByHost;
    private final ShardedMap<String, ComputeService> servicesByHost;
    private final Map<String, List<HostAggregate>> aggregatesByHost;
    private final InstancesByHost instancesByHost;

    /** Nothing is registered. */
    private RegistrySnapshot(Map<Collection, ShardedMap<UUID, RegistryRecord>> none, Instant asOf) {
        this.records = none;
        this.asOf = asOf;
        mayHavePendingReleases = true;
        nodesByHost = ShardedMap.empty();
        servicesByHost = ShardedMap.empty();
        aggregatesByHost = Map.of();
        instancesByHost = InstancesByHost.NONE;
    }

    private RegistrySnapshot(
            RegistrySnapshot before,
            Map<Collection, Map<UUID, RegistryRecord>> changes,
            Instant asOf,
            boolean mayHavePendingReleases) {
        this.mayHavePendingReleases = mayHavePendingReleases;
        records = new EnumMap<>(Collection.class);
        records.putAll(before.records);
        changes.forEach((collection, changed) -> records.put(collection, before.of(collection).with(changed)));
        this.asOf = asOf;
        nodesByHost = before.nodesByHost.with(before.nodesAfter(changes.getOrDefault(Collection.COMPUTE_NODES, Map.of())));
        servicesByHost = before.servicesByHost.with(servicesAfter(
                changes.getOrDefault(Collection.SERVICES, Map.of()), before.of(Collection.SERVICES)));
        aggregatesByHost = differs(before, Collection.HOST_AGGREGATES) ? indexAggregates() : before.aggregatesByHost;
        Map<UUID, RegistryRecord> instances = changes.getOrDefault(Collection.INSTANCES, Map.of());
        instancesByHost = instances.isEmpty()
                ? before.instancesByHost
                : before.instancesByHost.after(instances, before.of(Collection.INSTANCES));
    }

    /** By the database's clock. */
    public Instant asOf() {
        return asOf;
    }

    /** False: of what was recorded before this moment, no claim is left that must be taken back. */
    public boolean mayHavePendingReleases() {
        return mayHavePendingReleases;
    }

    /** False if no record of the collection differs from the other snapshot's. */
    public boolean differs(RegistrySnapshot other, Collection collection) {
        return of(collection) != other.of(collection);
    }

    /** Null if nobody registered it. */
    public ComputeNode findComputeNode(UUID uuid) {
        return (ComputeNode) of(Collection.COMPUTE_NODES).get(uuid);
    }

    public List<ComputeNode> listComputeNodes() {
        return of(Collection.COMPUTE_NODES).values().stream().map(ComputeNode.class::cast).toList();
    }

    /** Empty if none is registered. */
    public List<ComputeNode> computeNodesOf(String host) {
        return nodesByHost.getOrDefault(host, List.of());
    }

    /** Null if the host has none. */
    public ComputeService findService(String host) {
        return servicesByHost.get(host);
    }

    /** Empty if the host is in none. */
    public List<HostAggregate> aggregatesOf(String host) {
        return aggregatesByHost.getOrDefault(host, List.of());
    }

    /** Null if nobody registered it. */
    public RegisteredAggregate findAggregate(UUID uuid) {
        return (RegisteredAggregate) of(Collection.HOST_AGGREGATES).get(uuid);
    }

    public List<RegisteredAggregate> listAggregates() {
        return of(Collection.HOST_AGGREGATES).values().stream().map(RegisteredAggregate.class::cast).toList();
    }

    /** By instance uuid; empty if none is registered there. Instances without a node count on each of the host's. */
    public Map<String, RunningInstance> instancesOn(String host, String nodename) {
        return instancesByHost.on(host, nodename);
    }

    /** True if nothing changed on that host between the two; false says nothing. Costs less than to compare. */
    public boolean hasInstancesOf(RegistrySnapshot other, String host) {
        return instancesByHost.hosts().sharesWith(other.instancesByHost.hosts(), host);
    }

    /** Null if it is not registered. */
    public RegisteredInstance findInstance(UUID uuid) {
        return (RegisteredInstance) of(Collection.INSTANCES).get(uuid);
    }

    /** Null if there is none. */
    public ServerGroup findServerGroup(UUID uuid) {
        return (ServerGroup) of(Collection.SERVER_GROUPS).get(uuid);
    }

    public List<ServerGroup> listServerGroups() {
        return of(Collection.SERVER_GROUPS).values().stream().map(ServerGroup.class::cast).toList();
    }

    /** The group an instance is a member of; null if it is in none. Cost: groups. */
    public @Nullable ServerGroup findServerGroupOf(String instance) {
        for (RegistryRecord record : of(Collection.SERVER_GROUPS).values()) {
            ServerGroup group = (ServerGroup) record;
            if (group.members().contains(instance)) {
                return group;
            }
        }
        return null;
    }

    /** Null if there is none. */
    public Cell findCell(UUID uuid) {
        return (Cell) of(Collection.CELLS).get(uuid);
    }

    /**
     * The snapshot after some changes.
     *
     * @param changes the new record per collection and uuid; a null value is a deletion
     */
    RegistrySnapshot after(
            Map<Collection, Map<UUID, RegistryRecord>> changes, Instant now, boolean mayHavePendingReleases) {
        return new RegistrySnapshot(this, changes, now, mayHavePendingReleases);
    }

    /** The same, with releases that may be pending: nobody looked. */
    RegistrySnapshot after(Map<Collection, Map<UUID, RegistryRecord>> changes, Instant now) {
        return after(changes, now, true);
    }

    private ShardedMap<UUID, RegistryRecord> of(Collection collection) {
        return records.getOrDefault(collection, ShardedMap.empty());
    }

    /** By host: all nodes of every host of which one changed, null for a host that has none left. */
    private Map<String, List<ComputeNode>> nodesAfter(Map<UUID, RegistryRecord> changed) {
        Map<String, List<ComputeNode>> nodes = new HashMap<>();
        changed.forEach((uuid, record) -> {
            if (of(Collection.COMPUTE_NODES).get(uuid) instanceof ComputeNode was) {
                nodes.computeIfAbsent(was.host(), host -> new ArrayList<>(computeNodesOf(host)))
                        .removeIf(node -> node.uuid().equals(uuid));
            }
            if (record instanceof ComputeNode is) {
                nodes.computeIfAbsent(is.host(), host -> new ArrayList<>(computeNodesOf(host))).add(is);
            }
        });
        nodes.replaceAll((host, left) -> left.isEmpty() ? null : left);
        return nodes;
    }

    /** By host: the services that changed, null for one that is gone. There is one per host. */
    private static Map<String, ComputeService> servicesAfter(
            Map<UUID, RegistryRecord> changed, Map<UUID, RegistryRecord> before) {
        Map<String, ComputeService> services = new HashMap<>();
        changed.keySet().forEach(uuid -> {
            if (before.get(uuid) instanceof ComputeService was) {
                services.put(was.host(), null);
            }
        });
        changed.values().forEach(record -> {
            if (record instanceof ComputeService is) {
                services.put(is.host(), is);
            }
        });
        return services;
    }

    private Map<String, List<HostAggregate>> indexAggregates() {
        Map<String, List<HostAggregate>> index = new HashMap<>();
        for (RegistryRecord record : of(Collection.HOST_AGGREGATES).values()) {
            RegisteredAggregate aggregate = (RegisteredAggregate) record;
            for (String host : aggregate.hosts()) {
                index.computeIfAbsent(host, made -> new ArrayList<>()).add(aggregate.facts());
            }
        }
        return index;
    }
}
