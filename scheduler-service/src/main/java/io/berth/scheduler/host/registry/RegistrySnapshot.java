package io.berth.scheduler.host.registry;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.RunningInstance;
import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The whole registry at one moment, immutable. A change makes a new one that shares what did not change: a
 * collection without changes is shared whole, one with changes is copied (one entry per record).
 */
public final class RegistrySnapshot {
    public static final RegistrySnapshot EMPTY =
            new RegistrySnapshot(new EnumMap<>(Collection.class), Instant.EPOCH, null);

    private final Map<Collection, Map<UUID, RegistryRecord>> records;
    private final Instant asOf;
    private final Map<String, List<ComputeNode>> nodesByHost;
    private final Map<String, ComputeService> servicesByHost;
    private final Map<String, List<HostAggregate>> aggregatesByHost;
    private final Map<Node, Map<String, RunningInstance>> instancesByNode;

    private RegistrySnapshot(
            Map<Collection, Map<UUID, RegistryRecord>> records, Instant asOf, RegistrySnapshot before) {
        this.records = records;
        this.asOf = asOf;
        nodesByHost = sameAs(before, Collection.COMPUTE_NODES) ? before.nodesByHost : indexNodes();
        servicesByHost = sameAs(before, Collection.SERVICES) ? before.servicesByHost : indexServices();
        aggregatesByHost = sameAs(before, Collection.HOST_AGGREGATES) ? before.aggregatesByHost : indexAggregates();
        instancesByNode = sameAs(before, Collection.INSTANCES) ? before.instancesByNode : indexInstances();
    }

    /** By the database's clock. */
    public Instant asOf() {
        return asOf;
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

    public List<RegisteredAggregate> listAggregates() {
        return of(Collection.HOST_AGGREGATES).values().stream().map(RegisteredAggregate.class::cast).toList();
    }

    /** By instance uuid; empty if none is registered there. Instances without a node count on each of the host's. */
    public Map<String, RunningInstance> instancesOn(String host, String nodename) {
        Map<String, RunningInstance> onNode = instancesByNode.getOrDefault(new Node(host, nodename), Map.of());
        Map<String, RunningInstance> onAnyNode = instancesByNode.getOrDefault(new Node(host, null), Map.of());
        if (onAnyNode.isEmpty() || onNode.isEmpty()) {
            return onNode.isEmpty() ? onAnyNode : onNode;
        }
        Map<String, RunningInstance> all = new LinkedHashMap<>(onNode);
        all.putAll(onAnyNode);
        return all;
    }

    /** Null if it is not registered. */
    public RegisteredInstance findInstance(UUID uuid) {
        return (RegisteredInstance) of(Collection.INSTANCES).get(uuid);
    }

    /** Null if there is none. */
    public ServerGroup findServerGroup(UUID uuid) {
        return (ServerGroup) of(Collection.SERVER_GROUPS).get(uuid);
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
    RegistrySnapshot after(Map<Collection, Map<UUID, RegistryRecord>> changes, Instant now) {
        if (changes.isEmpty()) {
            return new RegistrySnapshot(records, now, this);
        }
        Map<Collection, Map<UUID, RegistryRecord>> next = new EnumMap<>(Collection.class);
        next.putAll(records);
        changes.forEach((collection, changed) -> {
            Map<UUID, RegistryRecord> copy = new LinkedHashMap<>(of(collection));
            changed.forEach((uuid, record) -> {
                if (record == null) {
                    copy.remove(uuid);
                } else {
                    copy.put(uuid, record);
                }
            });
            next.put(collection, Collections.unmodifiableMap(copy));
        });
        return new RegistrySnapshot(next, now, this);
    }

    private Map<UUID, RegistryRecord> of(Collection collection) {
        return records.getOrDefault(collection, Map.of());
    }

    private boolean sameAs(RegistrySnapshot before, Collection collection) {
        return before != null && before.of(collection) == of(collection);
    }

    private Map<String, List<ComputeNode>> indexNodes() {
        Map<String, List<ComputeNode>> index = new HashMap<>();
        for (RegistryRecord record : of(Collection.COMPUTE_NODES).values()) {
            ComputeNode node = (ComputeNode) record;
            index.computeIfAbsent(node.host(), made -> new ArrayList<>(1)).add(node);
        }
        return index;
    }

    private Map<String, ComputeService> indexServices() {
        Map<String, ComputeService> index = new HashMap<>();
        for (RegistryRecord record : of(Collection.SERVICES).values()) {
            ComputeService service = (ComputeService) record;
            index.put(service.host(), service);
        }
        return index;
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

    private Map<Node, Map<String, RunningInstance>> indexInstances() {
        Map<Node, Map<String, RunningInstance>> index = new HashMap<>();
        for (RegistryRecord record : of(Collection.INSTANCES).values()) {
            RegisteredInstance instance = (RegisteredInstance) record;
            index.computeIfAbsent(new Node(instance.host(), instance.nodename()), made -> new LinkedHashMap<>())
                    .put(instance.uuid().toString(), instance.running());
        }
        return index;
    }

    /** @param nodename null: any node of the host */
    private record Node(String host, @Nullable String nodename) {}
}
