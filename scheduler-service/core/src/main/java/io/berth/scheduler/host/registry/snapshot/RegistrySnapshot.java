package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The whole registry at one moment, immutable except for {@linkplain ComputeService heartbeats}. A change makes a new
 * snapshot that shares everything unchanged: collections, records, and the data of a host. Each claim changes the
 * registry, so the cost of a change does not grow with the number of records.
 *
 * <p>With the shipped heap settings a host takes 650 bytes: its compute node with a report like those of others, its
 * service and its entries in aggregates. Data that only this host reports comes on top
 * ({@link RegistryRecord#ownBytes}), as do its {@linkplain Instances instances}.
 */
public final class RegistrySnapshot {
    private static final AtomicLong NUMBERS = new AtomicLong();

    public static final RegistrySnapshot EMPTY =
            new RegistrySnapshot(Instances.upTo(Long.MAX_VALUE), false);

    /** Heap bytes of a compute node with its service and its aggregates, and the tables that index them. */
    private static final int HOST_BYTES = 650;
    /** Heap bytes of a member of a server group. */
    private static final int MEMBER_BYTES = 200;

    private final long number = NUMBERS.incrementAndGet();
    private final Map<Collection, ShardedMap<UUID, RegistryRecord>> records;
    private final Instant asOf;
    private final Outage lastOutage;
    private final ShardedMap<String, List<ComputeNode>> nodesByHost;
    private final ShardedMap<String, List<ComputeService>> servicesByHost;
    private final Map<String, List<HostAggregate>> aggregatesByHost;
    private final Instances instances;
    private final ShardedMap<String, List<ServerGroup>> groupsByMember;
    private final boolean listsAllHosts;
    private final long ownBytes;
    /** True if a registry that this one was merged from had left instances out. */
    private final boolean lacksInstances;
    private final SourceFacts source;
    private final OwnBuilds ownBuilds;

    /**
     * The time in which most services send a heartbeat again: an outage that begins sooner after another continues it.
     */
    private static final Duration HEARD_AGAIN = Duration.ofMinutes(1);

    /**
     * A time in which no heartbeat could be stored.
     *
     * @param end by the database's clock
     * @param heard sum of the times within it in which heartbeats were stored
     */
    private record Outage(Instant end, Duration length, Duration heard) {
        static final Outage NONE = new Outage(Instant.EPOCH, Duration.ZERO, Duration.ZERO);
    }

    /** Creates an empty snapshot. */
    private RegistrySnapshot(Instances none, boolean listsAllHosts) {
        this.listsAllHosts = listsAllHosts;
        records = new EnumMap<>(Collection.class);
        asOf = Instant.EPOCH;
        lastOutage = Outage.NONE;
        nodesByHost = ShardedMap.empty();
        servicesByHost = ShardedMap.empty();
        aggregatesByHost = Map.of();
        instances = none;
        lacksInstances = false;
        source = SourceFacts.NONE;
        ownBuilds = OwnBuilds.NOT_COUNTED;
        groupsByMember = ShardedMap.empty();
        ownBytes = 0;
    }

    private RegistrySnapshot(
            RegistrySnapshot before,
            Map<Collection, Map<UUID, RegistryRecord>> changes,
            Instant asOf) {
        listsAllHosts = before.listsAllHosts;
        lacksInstances = before.lacksInstances;
        source = before.source;
        ownBuilds = before.ownBuilds;
        records = new EnumMap<>(Collection.class);
        records.putAll(before.records);
        long bytes = before.ownBytes;
        for (Map.Entry<Collection, Map<UUID, RegistryRecord>> change : changes.entrySet()) {
            if (change.getKey() != Collection.INSTANCES) {
                ShardedMap<UUID, RegistryRecord> were = before.of(change.getKey());
                bytes += ownBytes(change.getValue().values())
                        - ownBytes(change.getValue().keySet().stream().map(were::get).toList());
                records.put(change.getKey(), were.with(change.getValue()));
            }
        }
        ownBytes = bytes;
        this.asOf = asOf;
        lastOutage = before.lastOutage;
        nodesByHost = indexed(
                before.nodesByHost, before.of(Collection.COMPUTE_NODES),
                changes.getOrDefault(Collection.COMPUTE_NODES, Map.of()), ComputeNode.class, node -> Set.of(node.host()));
        groupsByMember = indexed(
                before.groupsByMember, before.of(Collection.SERVER_GROUPS),
                changes.getOrDefault(Collection.SERVER_GROUPS, Map.of()), ServerGroup.class, ServerGroup::members);
        servicesByHost = indexed(
                before.servicesByHost, before.of(Collection.SERVICES),
                changes.getOrDefault(Collection.SERVICES, Map.of()), ComputeService.class, service -> Set.of(service.host()));
        aggregatesByHost = differs(before, Collection.HOST_AGGREGATES) ? indexAggregates() : before.aggregatesByHost;
        Map<UUID, RegistryRecord> changedInstances = changes.getOrDefault(Collection.INSTANCES, Map.of());
        instances = changedInstances.isEmpty() ? before.instances : before.instances.after(changedInstances);
    }

    private RegistrySnapshot(
            RegistrySnapshot same, Instances instances, boolean lacksInstances, Outage lastOutage,
            SourceFacts source, OwnBuilds ownBuilds) {
        listsAllHosts = same.listsAllHosts;
        this.source = source;
        this.ownBuilds = ownBuilds;
        this.lacksInstances = lacksInstances;
        records = same.records;
        asOf = same.asOf;
        this.lastOutage = lastOutage;
        nodesByHost = same.nodesByHost;
        servicesByHost = same.servicesByHost;
        aggregatesByHost = same.aggregatesByHost;
        groupsByMember = same.groupsByMember;
        ownBytes = same.ownBytes;
        this.instances = instances;
    }

    /** @param records null for a record that does not exist */
    private static long ownBytes(java.util.Collection<RegistryRecord> records) {
        return records.stream().filter(Objects::nonNull).mapToLong(RegistryRecord::ownBytes).sum();
    }

    /** Returns an empty snapshot with a memory limit for instances. */
    public static RegistrySnapshot emptyUpTo(long instanceBytesMax) {
        return new RegistrySnapshot(Instances.upTo(instanceBytesMax), false);
    }

    /**
     * Returns an empty snapshot, with a memory limit for instances, of a registry that
     * {@linkplain #listsAllHosts lists all hosts}.
     */
    static RegistrySnapshot ofAllHosts(long instanceBytesMax) {
        return new RegistrySnapshot(Instances.upTo(instanceBytesMax), true);
    }

    /**
     * Returns whether only registered compute nodes with a service count as hosts, as in nova. Otherwise root providers
     * that are not registered are hosts too.
     */
    public boolean listsAllHosts() {
        return listsAllHosts;
    }

    /** Returns the moment of the snapshot by the database's clock. */
    public Instant asOf() {
        return asOf;
    }

    /** Returns this snapshot, just read, after an outage of the database of that length. */
    RegistrySnapshot afterOutage(Duration length) {
        Duration heard = lastOutage.heard.plus(Duration.between(lastOutage.end, asOf.minus(length)));
        Duration whole = lastOutage.length.plus(Duration.between(lastOutage.end, asOf));
        // The interval is negative if another server has another clock.
        boolean goesOn = !heard.isNegative() && heard.compareTo(HEARD_AGAIN) < 0;
        return new RegistrySnapshot(this, instances, lacksInstances, goesOn
                ? new Outage(asOf, whole, heard)
                : new Outage(asOf, length, Duration.ZERO), source, ownBuilds);
    }

    /**
     * Returns the age of a heartbeat at which a service counts as down at this moment. No heartbeat could be stored
     * during an outage of the database, so the outage is added until each service has had the configured time to send
     * one again.
     */
    public Duration downTime(Duration configured) {
        return asOf.isBefore(lastOutage.end.plus(configured)) ? configured.plus(lastOutage.length) : configured;
    }

    /** Returns a number that is higher than that of every earlier snapshot in this process. */
    public long number() {
        return number;
    }

    /** Passes each provider whose compute node was changed, added or removed to {@code changed}. */
    public void forEachChangedNode(RegistrySnapshot before, Consumer<UUID> changed) {
        of(Collection.COMPUTE_NODES).forEachChanged(before.of(Collection.COMPUTE_NODES), changed);
    }

    /** Passes each host whose service, instances or builds changed to {@code changed}; a host may occur twice. */
    public void forEachChangedHost(RegistrySnapshot before, Consumer<String> changed) {
        servicesByHost.forEachChanged(before.servicesByHost, changed);
        instances.forEachChangedHost(before.instances, changed);
        ownBuilds.forEachChangedHost(before.ownBuilds, changed);
    }

    /** Passes the uuids of all records to {@code each}; an instance may occur twice. */
    public void forEach(Collection collection, Consumer<UUID> each) {
        forEachChanged(collection, EMPTY, each);
    }

    /** Returns the records that differ from this snapshot's; heartbeats of the others are applied. */
    Map<UUID, RegistryRecord> differing(Collection collection, Map<UUID, RegistryRecord> read) {
        Map<UUID, RegistryRecord> differing = new HashMap<>();
        read.forEach((uuid, record) -> {
            RegistryRecord held = find(collection, uuid);
            if (record instanceof ComputeService service && held instanceof ComputeService same && same.isLike(service)) {
                same.hear(service.lastHeartbeat());
            } else if (!record.equals(held)) {
                differing.put(uuid, record);
            }
        });
        return differing;
    }

    /**
     * Returns the snapshot marked as complete, before the instances that were left out are added again: some may fit
     * now.
     */
    public RegistrySnapshot withRoomTried() {
        return instances.isFull()
                ? new RegistrySnapshot(this, instances.notFull(), lacksInstances, lastOutage, source, ownBuilds)
                : this;
    }

    /** Returns the snapshot with another memory limit for instances. */
    public RegistrySnapshot withRoom(long instanceBytesMax) {
        return new RegistrySnapshot(this, instances.withRoom(instanceBytesMax), lacksInstances, lastOutage, source, ownBuilds);
    }

    /** Returns the snapshot, marked as lacking instances if a registry that it was merged from lacks some. */
    RegistrySnapshot lackingInstances(boolean lacks) {
        return lacks == lacksInstances
                ? this
                : new RegistrySnapshot(this, instances, lacks, lastOutage, source, ownBuilds);
    }

    /** Returns the snapshot with other facts of the source. */
    public RegistrySnapshot withSource(SourceFacts facts) {
        return facts.equals(source)
                ? this
                : new RegistrySnapshot(this, instances, lacksInstances, lastOutage, facts, ownBuilds);
    }

    /** Returns the source's facts that are not records. */
    public SourceFacts source() {
        return source;
    }

    /** Returns the snapshot with other builds. */
    RegistrySnapshot withOwnBuilds(OwnBuilds builds) {
        return builds == ownBuilds
                ? this
                : new RegistrySnapshot(this, instances, lacksInstances, lastOutage, source, builds);
    }

    /** Returns the builds that Berth placed and that no report includes yet. */
    public OwnBuilds ownBuilds() {
        return ownBuilds;
    }

    /** Returns by instance the source and destination of each move that is in progress, or may still be reverted. */
    public Map<UUID, Set<String>> moves() {
        return source.moves();
    }

    /** Returns whether the collection may have changed between the snapshots. */
    public boolean differs(RegistrySnapshot other, Collection collection) {
        return collection == Collection.INSTANCES
                ? instances.differs(other.instances)
                : of(collection) != other.of(collection);
    }

    /**
     * Passes the uuids of records that were changed, added or deleted to {@code changed}; for instances, it may include
     * others.
     */
    void forEachChanged(Collection collection, RegistrySnapshot before, Consumer<UUID> changed) {
        if (collection == Collection.INSTANCES) {
            instances.forEachChanged(before.instances, changed);
        } else {
            of(collection).forEachChanged(before.of(collection), changed);
        }
    }

    /** Returns null if it is not registered. */
    @Nullable RegistryRecord find(Collection collection, UUID uuid) {
        return collection == Collection.INSTANCES ? instances.find(uuid) : of(collection).get(uuid);
    }

    /** Returns null if it is not registered. */
    public ComputeNode findComputeNode(UUID uuid) {
        return (ComputeNode) of(Collection.COMPUTE_NODES).get(uuid);
    }

    public List<ComputeNode> listComputeNodes() {
        return of(Collection.COMPUTE_NODES).values().stream().map(ComputeNode.class::cast).toList();
    }

    public int computeNodeCount() {
        return of(Collection.COMPUTE_NODES).size();
    }

    /** Returns the compute nodes among these providers, in their order. */
    public List<ComputeNode> computeNodesAmong(Set<String> providers) {
        return providers.stream().map(Uuids::find)
                .filter(Objects::nonNull)
                .map(this::findComputeNode)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Empty if none is registered. */
    public List<ComputeNode> computeNodesOf(String host) {
        return nodesByHost.getOrDefault(host, List.of());
    }

    /** Returns the instance's node: the first node of its host if it names none. Null if that is not registered. */
    public @Nullable ComputeNode findNodeOf(RegisteredInstance instance) {
        for (ComputeNode node : computeNodesOf(instance.host())) {
            if (instance.nodename() == null || instance.nodename().equals(node.nodename())) {
                return node;
            }
        }
        return null;
    }

    /**
     * Returns the service of a host; if there are several, as for a host that moved between nova cells, the one with
     * the latest heartbeat. Null if the host has none.
     */
    public ComputeService findService(String host) {
        List<ComputeService> services = servicesByHost.get(host);
        if (services == null || services.size() == 1) {
            return services == null ? null : services.getFirst();
        }
        return services.stream()
                .reduce((one, next) -> next.lastHeartbeat().isBefore(one.lastHeartbeat()) ? one : next)
                .orElseThrow();
    }

    /** Returns null if it is not registered. */
    public ComputeService findService(UUID uuid) {
        return (ComputeService) of(Collection.SERVICES).get(uuid);
    }

    public List<ComputeService> listServices() {
        return of(Collection.SERVICES).values().stream().map(ComputeService.class::cast).toList();
    }

    /** Returns the changes that make the collection equal to these records: a null value is a deletion. */
    public Map<UUID, RegistryRecord> changesTo(Collection collection, Map<UUID, RegistryRecord> wanted) {
        Map<UUID, RegistryRecord> changes = new HashMap<>();
        of(collection).keySet().stream().filter(uuid -> !wanted.containsKey(uuid)).forEach(gone -> changes.put(gone, null));
        wanted.forEach((uuid, record) -> {
            if (!record.equals(of(collection).get(uuid))) {
                changes.put(uuid, record);
            }
        });
        return changes;
    }

    /** Empty if the host is in none. */
    public List<HostAggregate> aggregatesOf(String host) {
        return aggregatesByHost.getOrDefault(host, List.of());
    }

    /** Returns null if it is not registered. */
    public RegisteredAggregate findAggregate(UUID uuid) {
        return (RegisteredAggregate) of(Collection.HOST_AGGREGATES).get(uuid);
    }

    public List<RegisteredAggregate> listAggregates() {
        return of(Collection.HOST_AGGREGATES).values().stream().map(RegisteredAggregate.class::cast).toList();
    }

    /**
     * Returns instances by uuid; empty if none is registered there. Those without a node count on each node of the
     * host.
     */
    public Map<String, RunningInstance> instancesOn(String host, String nodename) {
        return instances.on(host, nodename);
    }

    /** Returns the instances on all nodes of a host, by uuid; empty if none is registered there. */
    public Map<String, RunningInstance> instancesOn(String host) {
        return instances.on(host);
    }

    /** Returns null if it is not registered. */
    public RegisteredInstance findInstance(UUID uuid) {
        return instances.find(uuid);
    }

    /**
     * Returns the number of instances in memory, which is smaller than that of registered ones if they
     * {@linkplain #instancesAreFull take too much memory}.
     */
    public int instanceCount() {
        return instances.size();
    }

    /** Returns the estimated heap bytes of the whole snapshot. */
    long bytes() {
        return (long) HOST_BYTES * Math.max(computeNodeCount(), of(Collection.SERVICES).size())
                + ownBytes
                + (long) MEMBER_BYTES * groupsByMember.size()
                + instances.bytes();
    }

    /** Returns the estimated heap bytes of instances. */
    public long instanceBytes() {
        return instances.bytes();
    }

    /**
     * Returns whether registered instances are missing here, since they would take more than their part of the heap.
     */
    public boolean instancesAreFull() {
        return lacksInstances || instances.isFull();
    }

    /** Returns whether instances were left out that would fit now. */
    boolean instancesHaveRoomAgain() {
        return instances.hasRoomAgain();
    }

    /** Returns null if there is none; a group that is not registered may be known by its members and reservations. */
    public ServerGroup findServerGroup(UUID uuid) {
        return (ServerGroup) of(Collection.SERVER_GROUPS).get(uuid);
    }

    /** Returns the registered groups. */
    public List<ServerGroup> listServerGroups() {
        return of(Collection.SERVER_GROUPS).values().stream()
                .map(ServerGroup.class::cast)
                .filter(ServerGroup::isRegistered)
                .toList();
    }

    /** Returns the group that an instance is a member of, a registered one first; null if it is in none. */
    public @Nullable ServerGroup findServerGroupOf(String instance) {
        List<ServerGroup> groups = groupsByMember.get(instance);
        return groups == null
                ? null
                : groups.stream().filter(ServerGroup::isRegistered).findFirst().orElse(groups.getFirst());
    }

    /** Returns null if there is none. */
    public Cell findCell(UUID uuid) {
        return (Cell) of(Collection.CELLS).get(uuid);
    }

    /**
     * Returns the snapshot after some changes.
     *
     * @param changes the new record per collection and uuid; a null value is a deletion
     */
    public RegistrySnapshot after(Map<Collection, Map<UUID, RegistryRecord>> changes, Instant now) {
        return new RegistrySnapshot(this, changes, now);
    }

    private ShardedMap<UUID, RegistryRecord> of(Collection collection) {
        return records.getOrDefault(collection, ShardedMap.empty());
    }

    /**
     * Updates an index: each list that a change concerns is created again.
     *
     * @param before all records before the changes
     * @param changed the new record by uuid, null for a deleted one
     * @param keys the keys of a record in the index
     */
    private static <R extends RegistryRecord> ShardedMap<String, List<R>> indexed(
            ShardedMap<String, List<R>> index,
            Map<UUID, RegistryRecord> before,
            Map<UUID, RegistryRecord> changed,
            Class<R> type,
            Function<R, Set<String>> keys) {
        Map<String, List<R>> lists = new HashMap<>();
        Function<String, List<R>> copy = key -> new ArrayList<>(index.getOrDefault(key, List.of()));
        changed.forEach((uuid, record) -> {
            if (before.get(uuid) != null) {
                keys.apply(type.cast(before.get(uuid))).forEach(
                        key -> lists.computeIfAbsent(key, copy).removeIf(other -> other.uuid().equals(uuid)));
            }
            if (record != null) {
                keys.apply(type.cast(record)).forEach(key -> lists.computeIfAbsent(key, copy).add(type.cast(record)));
            }
        });
        lists.replaceAll((key, left) -> left.isEmpty() ? null : List.copyOf(left));
        return index.with(lists);
    }

    /**
     * Indexes aggregates by host. Hosts in the same aggregates share a list, so that data read from it is cached once
     * for all of them.
     */
    private Map<String, List<HostAggregate>> indexAggregates() {
        Map<String, List<HostAggregate>> index = new HashMap<>();
        for (RegistryRecord record : of(Collection.HOST_AGGREGATES).values()) {
            RegisteredAggregate aggregate = (RegisteredAggregate) record;
            for (String host : aggregate.hosts()) {
                index.computeIfAbsent(host, _ -> new ArrayList<>()).add(aggregate.facts());
            }
        }
        Map<List<HostAggregate>, List<HostAggregate>> shared = new HashMap<>();
        index.replaceAll((host, list) -> shared.computeIfAbsent(list, _ -> list));
        return index;
    }
}
