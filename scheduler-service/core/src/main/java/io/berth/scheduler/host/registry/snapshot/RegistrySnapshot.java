package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
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
 * The whole registry at one moment. Immutable except for {@linkplain ComputeService heartbeats}. A changed copy shares
 * unchanged collections, records and host data with its original. Every claim changes the registry, so the cost of a
 * change must not grow with the number of records.
 *
 * <p>With the shipped heap settings a host takes 650 bytes: its service, its entries in aggregates, and its compute
 * node without the data that only this host reports. That data ({@link RegistryRecord#ownBytes}) and the
 * {@linkplain Instances instances} take additional memory.
 */
public final class RegistrySnapshot {
    private static final AtomicLong NUMBERS = new AtomicLong();

    public static final RegistrySnapshot EMPTY =
            new RegistrySnapshot(Instances.upTo(Long.MAX_VALUE), false);

    /** Heap bytes of a host: compute node, service and aggregates, and their entries in the indexes. */
    private static final int HOST_BYTES = 650;
    /** Heap bytes of a member of a server group. */
    private static final int MEMBER_BYTES = 200;

    private final long number = NUMBERS.incrementAndGet();
    private final Map<RecordCollection, ShardedMap<UUID, RegistryRecord>> records;
    private final Instant asOf;
    private final Outage lastOutage;
    private final ShardedMap<String, List<ComputeNode>> nodesByHost;
    private final ShardedMap<String, List<ComputeService>> servicesByHost;
    private final Map<String, List<HostAggregate>> aggregatesByHost;
    private final Instances instances;
    private final ShardedMap<String, List<ServerGroup>> groupsByMember;
    private final boolean listsAllHosts;
    private final long ownBytes;
    /** True if a registry from which this one was merged omits instances for lack of memory. */
    private final boolean lacksInstances;
    private final SourceFacts source;
    private final OwnBuilds ownBuilds;

    /**
     * The time in which most services send a heartbeat after an outage. An outage continues the previous one while the
     * intervals between the outages, in which heartbeats could be stored, are shorter than this time in all.
     */
    private static final Duration HEARTBEATS_RESUMED_WITHIN = Duration.ofMinutes(1);

    /**
     * A period in which no heartbeat could be stored, except in short intervals between several outages.
     *
     * @param end end of the last outage, by the database's clock
     * @param length from the start of the first outage to the end of the last
     * @param interruptions sum of the intervals between these outages, in which heartbeats could be stored
     */
    private record Outage(Instant end, Duration length, Duration interruptions) {
        static final Outage NONE = new Outage(Instant.EPOCH, Duration.ZERO, Duration.ZERO);
    }

    /** Creates an empty snapshot. */
    private RegistrySnapshot(Instances none, boolean listsAllHosts) {
        this.listsAllHosts = listsAllHosts;
        records = new EnumMap<>(RecordCollection.class);
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

    /** Creates a copy with changed records; see {@link #after}. */
    private RegistrySnapshot(
            RegistrySnapshot before,
            Map<RecordCollection, Map<UUID, RegistryRecord>> changes,
            Instant asOf) {
        listsAllHosts = before.listsAllHosts;
        lacksInstances = before.lacksInstances;
        source = before.source;
        ownBuilds = before.ownBuilds;
        records = new EnumMap<>(RecordCollection.class);
        records.putAll(before.records);
        long bytes = before.ownBytes;
        for (Map.Entry<RecordCollection, Map<UUID, RegistryRecord>> change : changes.entrySet()) {
            if (change.getKey() != RecordCollection.INSTANCES) {
                ShardedMap<UUID, RegistryRecord> recordsBefore = before.of(change.getKey());
                bytes += ownBytes(change.getValue().values())
                        - ownBytes(change.getValue().keySet().stream().map(recordsBefore::get).toList());
                records.put(change.getKey(), recordsBefore.with(change.getValue()));
            }
        }
        ownBytes = bytes;
        this.asOf = asOf;
        lastOutage = before.lastOutage;
        nodesByHost = updateIndex(
                before.nodesByHost, before.of(RecordCollection.COMPUTE_NODES),
                changes.getOrDefault(RecordCollection.COMPUTE_NODES, Map.of()), ComputeNode.class,
                node -> Set.of(node.host()));
        groupsByMember = updateIndex(
                before.groupsByMember, before.of(RecordCollection.SERVER_GROUPS),
                changes.getOrDefault(RecordCollection.SERVER_GROUPS, Map.of()), ServerGroup.class,
                ServerGroup::members);
        servicesByHost = updateIndex(
                before.servicesByHost, before.of(RecordCollection.SERVICES),
                changes.getOrDefault(RecordCollection.SERVICES, Map.of()), ComputeService.class,
                service -> Set.of(service.host()));
        aggregatesByHost = mayDiffer(before, RecordCollection.HOST_AGGREGATES) ? indexAggregates()
                : before.aggregatesByHost;
        Map<UUID, RegistryRecord> changedInstances = changes.getOrDefault(RecordCollection.INSTANCES, Map.of());
        instances = changedInstances.isEmpty() ? before.instances : before.instances.after(changedInstances);
    }

    /** Creates a copy with the same records, except that the instances and the other data are those given. */
    private RegistrySnapshot(
            RegistrySnapshot original, Instances instances, boolean lacksInstances, Outage lastOutage,
            SourceFacts source, OwnBuilds ownBuilds) {
        listsAllHosts = original.listsAllHosts;
        this.source = source;
        this.ownBuilds = ownBuilds;
        this.lacksInstances = lacksInstances;
        records = original.records;
        asOf = original.asOf;
        this.lastOutage = lastOutage;
        nodesByHost = original.nodesByHost;
        servicesByHost = original.servicesByHost;
        aggregatesByHost = original.aggregatesByHost;
        groupsByMember = original.groupsByMember;
        ownBytes = original.ownBytes;
        this.instances = instances;
    }

    /** @param records may contain null, which counts as 0 bytes */
    private static long ownBytes(java.util.Collection<RegistryRecord> records) {
        return records.stream().filter(Objects::nonNull).mapToLong(RegistryRecord::ownBytes).sum();
    }

    /** Returns an empty snapshot with a limit in heap bytes for instances. */
    public static RegistrySnapshot emptyUpTo(long instanceBytesMax) {
        return new RegistrySnapshot(Instances.upTo(instanceBytesMax), false);
    }

    /**
     * Returns an empty snapshot with a limit in heap bytes for instances, of a registry that
     * {@linkplain #listsAllHosts lists all hosts}.
     */
    static RegistrySnapshot ofAllHosts(long instanceBytesMax) {
        return new RegistrySnapshot(Instances.upTo(instanceBytesMax), true);
    }

    /**
     * Returns whether only registered compute nodes with a service are hosts, as in nova. If false, root providers in
     * placement that are not registered are hosts, too.
     */
    public boolean listsAllHosts() {
        return listsAllHosts;
    }

    /** Returns the moment of the snapshot by the database's clock. */
    public Instant asOf() {
        return asOf;
    }

    /** Returns a copy which says that the database did not respond for this long until {@link #asOf}. */
    RegistrySnapshot afterOutage(Duration length) {
        Duration interruptions = lastOutage.interruptions.plus(Duration.between(lastOutage.end, asOf.minus(length)));
        Duration wholeLength = lastOutage.length.plus(Duration.between(lastOutage.end, asOf));
        // After a failover, the clock of the new server may be behind, which makes the interval negative.
        boolean isContinuation = !interruptions.isNegative() && interruptions.compareTo(HEARTBEATS_RESUMED_WITHIN) < 0;
        return new RegistrySnapshot(this, instances, lacksInstances, isContinuation
                ? new Outage(asOf, wholeLength, interruptions)
                : new Outage(asOf, length, Duration.ZERO), source, ownBuilds);
    }

    /**
     * Returns the maximum age of the last heartbeat of a service that is up. Normally this is the configured age. After
     * an outage of the database, the length of the outage is added until the configured age has passed, because no
     * heartbeat could be stored during the outage.
     */
    public Duration downTime(Duration configured) {
        return asOf.isBefore(lastOutage.end.plus(configured)) ? configured.plus(lastOutage.length) : configured;
    }

    /** Returns the sequence number: higher than that of every snapshot that this process created earlier. */
    public long number() {
        return number;
    }

    /** Calls {@code changed} with the uuid of each compute node that was changed, added or removed. */
    public void forEachChangedNode(RegistrySnapshot before, Consumer<UUID> changed) {
        of(RecordCollection.COMPUTE_NODES).forEachChanged(before.of(RecordCollection.COMPUTE_NODES), changed);
    }

    /** Calls {@code changed} with each host whose service, instances or builds changed, perhaps more than once. */
    public void forEachChangedHost(RegistrySnapshot before, Consumer<String> changed) {
        servicesByHost.forEachChanged(before.servicesByHost, changed);
        instances.forEachChangedHost(before.instances, changed);
        ownBuilds.forEachChangedHost(before.ownBuilds, changed);
    }

    /** Calls {@code each} with the uuids of all records of the collection; an instance may occur twice. */
    public void forEach(RecordCollection collection, Consumer<UUID> each) {
        forEachChanged(collection, EMPTY, each);
    }

    /**
     * Returns the records of {@code others} that differ from those in this snapshot. A service that differs in its last
     * heartbeat only is not returned; the heartbeat is applied to this snapshot instead.
     */
    Map<UUID, RegistryRecord> differing(RecordCollection collection, Map<UUID, RegistryRecord> others) {
        Map<UUID, RegistryRecord> differing = new HashMap<>();
        others.forEach((uuid, record) -> {
            RegistryRecord known = find(collection, uuid);
            if (record instanceof ComputeService service && known instanceof ComputeService knownService
                    && knownService.equalsExceptHeartbeat(service)) {
                knownService.setLastHeartbeat(service.lastHeartbeat());
            } else if (!record.equals(known)) {
                differing.put(uuid, record);
            }
        });
        return differing;
    }

    /**
     * Returns a copy without the mark that instances were omitted. The caller must then add all instances again,
     * because some of the omitted instances may fit now.
     */
    public RegistrySnapshot withoutFullMark() {
        return instances.isFull()
                ? new RegistrySnapshot(this, instances.withoutFullMark(), lacksInstances, lastOutage, source, ownBuilds)
                : this;
    }

    /** Returns the snapshot with another limit in heap bytes for instances. */
    public RegistrySnapshot withInstanceBytesMax(long instanceBytesMax) {
        return new RegistrySnapshot(this, instances.withBytesMax(instanceBytesMax), lacksInstances, lastOutage, source,
                ownBuilds);
    }

    /**
     * Returns the snapshot, marked as lacking instances or not ({@link #hasOmittedInstances}).
     *
     * @param lacks whether a registry from which this snapshot was merged omits instances for lack of memory
     */
    RegistrySnapshot withLacksInstances(boolean lacks) {
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

    /** Returns the facts that the source provides in addition to its records. */
    public SourceFacts source() {
        return source;
    }

    /** Returns the snapshot with other builds. */
    RegistrySnapshot withOwnBuilds(OwnBuilds builds) {
        return builds == ownBuilds
                ? this
                : new RegistrySnapshot(this, instances, lacksInstances, lastOutage, source, builds);
    }

    /** Returns the builds that Berth placed and that the reports of their hosts do not include yet. */
    public OwnBuilds ownBuilds() {
        return ownBuilds;
    }

    /** Returns the source and destination hosts of each move of nova that is open or may be reverted, by instance. */
    public Map<UUID, Set<String>> moves() {
        return source.moves();
    }

    /** Returns false if both snapshots have the same records in the collection; true if the records may differ. */
    public boolean mayDiffer(RegistrySnapshot other, RecordCollection collection) {
        return collection == RecordCollection.INSTANCES
                ? instances.mayDiffer(other.instances)
                : of(collection) != other.of(collection);
    }

    /**
     * Calls {@code changed} with the uuids of records that were changed, added or deleted, and with those of unchanged
     * instances on the same hosts as changed ones.
     */
    void forEachChanged(RecordCollection collection, RegistrySnapshot before, Consumer<UUID> changed) {
        if (collection == RecordCollection.INSTANCES) {
            instances.forEachChanged(before.instances, changed);
        } else {
            of(collection).forEachChanged(before.of(collection), changed);
        }
    }

    /** Returns null if the record does not exist. */
    @Nullable RegistryRecord find(RecordCollection collection, UUID uuid) {
        return collection == RecordCollection.INSTANCES ? instances.find(uuid) : of(collection).get(uuid);
    }

    /** Returns null if the node is not registered. */
    public @Nullable ComputeNode findComputeNode(UUID uuid) {
        return (ComputeNode) of(RecordCollection.COMPUTE_NODES).get(uuid);
    }

    public List<ComputeNode> listComputeNodes() {
        return of(RecordCollection.COMPUTE_NODES).values().stream().map(ComputeNode.class::cast).toList();
    }

    public int computeNodeCount() {
        return of(RecordCollection.COMPUTE_NODES).size();
    }

    /** Returns the compute nodes among these provider uuids, in the order of the set; other uuids are ignored. */
    public List<ComputeNode> computeNodesAmong(Set<String> providers) {
        return providers.stream().map(Uuids::find)
                .filter(Objects::nonNull)
                .map(this::findComputeNode)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the compute nodes of a host; empty if none is registered. */
    public List<ComputeNode> computeNodesOf(String host) {
        return nodesByHost.getOrDefault(host, List.of());
    }

    /**
     * Returns the instance's compute node, or the first node of its host if the instance has no node name. Null if the
     * node is not registered.
     */
    public @Nullable ComputeNode findNodeOf(RegisteredInstance instance) {
        for (ComputeNode node : computeNodesOf(instance.host())) {
            if (instance.nodename() == null || instance.nodename().equals(node.nodename())) {
                return node;
            }
        }
        return null;
    }

    /**
     * Returns the service of a host; null if the host has none. If several services have the host, as after a move
     * between nova's cells, returns the service with the latest heartbeat.
     */
    public @Nullable ComputeService findService(String host) {
        List<ComputeService> services = servicesByHost.get(host);
        if (services == null || services.size() == 1) {
            return services == null ? null : services.getFirst();
        }
        return services.stream()
                .reduce((one, next) -> next.lastHeartbeat().isBefore(one.lastHeartbeat()) ? one : next)
                .orElseThrow();
    }

    /** Returns null if the service is not registered. */
    public @Nullable ComputeService findService(UUID uuid) {
        return (ComputeService) of(RecordCollection.SERVICES).get(uuid);
    }

    public List<ComputeService> listServices() {
        return of(RecordCollection.SERVICES).values().stream().map(ComputeService.class::cast).toList();
    }

    /**
     * Returns the changes that make the collection equal to these records; a null value deletes the record. Not for
     * instances, which this class stores in another form ({@link Instances}).
     */
    public Map<UUID, RegistryRecord> changesTo(RecordCollection collection, Map<UUID, RegistryRecord> target) {
        Map<UUID, RegistryRecord> changes = new HashMap<>();
        of(collection).keySet().stream().filter(uuid -> !target.containsKey(uuid))
                .forEach(gone -> changes.put(gone, null));
        target.forEach((uuid, record) -> {
            if (!record.equals(of(collection).get(uuid))) {
                changes.put(uuid, record);
            }
        });
        return changes;
    }

    /** Returns the aggregates of a host; empty if the host is in no aggregate. */
    public List<HostAggregate> aggregatesOf(String host) {
        return aggregatesByHost.getOrDefault(host, List.of());
    }

    /** Returns null if the aggregate is not registered. */
    public @Nullable RegisteredAggregate findAggregate(UUID uuid) {
        return (RegisteredAggregate) of(RecordCollection.HOST_AGGREGATES).get(uuid);
    }

    public List<RegisteredAggregate> listAggregates() {
        return of(RecordCollection.HOST_AGGREGATES).values().stream().map(RegisteredAggregate.class::cast).toList();
    }

    /**
     * Returns the instances on a compute node by uuid; empty if none is registered. An instance whose node is unknown
     * counts on each node of its host.
     */
    public Map<String, RunningInstance> instancesOn(String host, String nodename) {
        return instances.on(host, nodename);
    }

    /** Returns the instances on all nodes of a host by uuid; empty if none is registered. */
    public Map<String, RunningInstance> instancesOn(String host) {
        return instances.on(host);
    }

    /** Returns null if the instance is not registered, or was {@linkplain #hasOmittedInstances omitted}. */
    public @Nullable RegisteredInstance findInstance(UUID uuid) {
        return instances.find(uuid);
    }

    /**
     * Returns the number of instances in memory. More are registered if {@link #hasOmittedInstances} returns true.
     */
    public int instanceCount() {
        return instances.size();
    }

    /** Returns the estimated heap bytes of the whole snapshot. */
    long bytes() {
        return (long) HOST_BYTES * Math.max(computeNodeCount(), of(RecordCollection.SERVICES).size())
                + ownBytes
                + (long) MEMBER_BYTES * groupsByMember.size()
                + instances.bytes();
    }

    /** Returns the estimated heap bytes of instances. */
    public long instanceBytes() {
        return instances.bytes();
    }

    /**
     * Returns whether this snapshot omits registered instances because all would exceed their part of the heap.
     */
    public boolean hasOmittedInstances() {
        return lacksInstances || instances.isFull();
    }

    /** Returns whether this snapshot omits instances, and more than a tenth of their part of the heap is free now. */
    boolean hasRoomForOmittedInstances() {
        return instances.hasRoomForOmitted();
    }

    /**
     * Returns a group; null if it is unknown. A group that is not registered is known while it has members or
     * reservations.
     */
    public @Nullable ServerGroup findServerGroup(UUID uuid) {
        return (ServerGroup) of(RecordCollection.SERVER_GROUPS).get(uuid);
    }

    /** Returns the registered groups. */
    public List<ServerGroup> listServerGroups() {
        return of(RecordCollection.SERVER_GROUPS).values().stream()
                .map(ServerGroup.class::cast)
                .filter(ServerGroup::isRegistered)
                .toList();
    }

    /** Returns the group of an instance, a registered group if there is one; null if the instance is in no group. */
    public @Nullable ServerGroup findServerGroupOf(String instance) {
        List<ServerGroup> groups = groupsByMember.get(instance);
        return groups == null
                ? null
                : groups.stream().filter(ServerGroup::isRegistered).findFirst().orElse(groups.getFirst());
    }

    /** Returns null if the cell is not registered. */
    public @Nullable Cell findCell(UUID uuid) {
        return (Cell) of(RecordCollection.CELLS).get(uuid);
    }

    /**
     * Returns a changed copy.
     *
     * @param changes new record by uuid by collection; null deletes the record
     * @param now time of the copy by the database's clock
     */
    public RegistrySnapshot after(Map<RecordCollection, Map<UUID, RegistryRecord>> changes, Instant now) {
        return new RegistrySnapshot(this, changes, now);
    }

    private ShardedMap<UUID, RegistryRecord> of(RecordCollection collection) {
        return records.getOrDefault(collection, ShardedMap.empty());
    }

    /**
     * Returns the index after the changes; unchanged lists stay the same objects.
     *
     * @param index records by key before the changes
     * @param before all records before the changes
     * @param changed new record by uuid; null for a deleted record
     * @param keys returns the keys of a record in the index
     */
    private static <R extends RegistryRecord> ShardedMap<String, List<R>> updateIndex(
            ShardedMap<String, List<R>> index,
            Map<UUID, RegistryRecord> before,
            Map<UUID, RegistryRecord> changed,
            Class<R> type,
            Function<R, Set<String>> keys) {
        Map<String, List<R>> lists = new HashMap<>();
        Function<String, List<R>> copyList = key -> new ArrayList<>(index.getOrDefault(key, List.of()));
        changed.forEach((uuid, record) -> {
            if (before.get(uuid) != null) {
                keys.apply(type.cast(before.get(uuid))).forEach(
                        key -> lists.computeIfAbsent(key, copyList).removeIf(other -> other.uuid().equals(uuid)));
            }
            if (record != null) {
                keys.apply(type.cast(record)).forEach(
                        key -> lists.computeIfAbsent(key, copyList).add(type.cast(record)));
            }
        });
        lists.replaceAll((key, list) -> list.isEmpty() ? null : List.copyOf(list));
        return index.with(lists);
    }

    /**
     * Returns the aggregates by host. Hosts in the same aggregates share one list object, so that values that filters
     * derive from a list are cached once for all these hosts.
     */
    private Map<String, List<HostAggregate>> indexAggregates() {
        Map<String, List<HostAggregate>> index = new HashMap<>();
        for (RegistryRecord record : of(RecordCollection.HOST_AGGREGATES).values()) {
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
