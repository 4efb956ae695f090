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
 * The whole registry at one moment, immutable but for {@linkplain ComputeService heartbeats}. A change makes a new one that
 * shares what did not change: collections, records, and what is known of a host. Each claim changes it, so a change costs
 * no more with many records.
 *
 * <p>In the heap that is shipped a host takes 650 bytes: its compute node with a report like those of others, its service
 * and its place in aggregates. What only this host reports comes on top ({@link RegistryRecord#ownBytes}), and so do its
 * {@linkplain Instances instances}.
 */
public final class RegistrySnapshot {
    private static final AtomicLong NUMBERS = new AtomicLong();

    public static final RegistrySnapshot EMPTY =
            new RegistrySnapshot(Instances.upTo(Long.MAX_VALUE), false);

    /** A compute node with its service and its aggregates, and the tables in which they are found. */
    private static final int HOST_BYTES = 650;
    /** A member of a server group. */
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
    /** True if what this was made of had left instances out. */
    private final boolean lacksInstances;
    private final SourceFacts source;
    private final OwnBuilds ownBuilds;

    /** In which most are heard again: an outage that begins earlier goes on with those before. */
    private static final Duration HEARD_AGAIN = Duration.ofMinutes(1);

    /**
     * In which no heartbeat could be kept.
     *
     * @param end by the database's clock
     * @param heard time between its parts, in which heartbeats were kept
     */
    private record Outage(Instant end, Duration length, Duration heard) {
        static final Outage NONE = new Outage(Instant.EPOCH, Duration.ZERO, Duration.ZERO);
    }

    /** Nothing is registered. */
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

    /** @param records null for one that is not there */
    private static long ownBytes(java.util.Collection<RegistryRecord> records) {
        return records.stream().filter(Objects::nonNull).mapToLong(RegistryRecord::ownBytes).sum();
    }

    /** Nothing is registered, and no more instances are held than in so many bytes. */
    public static RegistrySnapshot emptyUpTo(long instanceBytesMax) {
        return new RegistrySnapshot(Instances.upTo(instanceBytesMax), false);
    }

    /** The same, and whatever is registered later: {@link #listsAllHosts}. */
    static RegistrySnapshot ofAllHosts(long instanceBytesMax) {
        return new RegistrySnapshot(Instances.upTo(instanceBytesMax), true);
    }

    /** Returns whether a provider without a registered compute node and service is no host, as in nova. */
    public boolean listsAllHosts() {
        return listsAllHosts;
    }

    /** By the database's clock. */
    public Instant asOf() {
        return asOf;
    }

    /** The same, just read, after the database was away for so long. */
    RegistrySnapshot afterOutage(Duration length) {
        Duration heard = lastOutage.heard.plus(Duration.between(lastOutage.end, asOf.minus(length)));
        Duration whole = lastOutage.length.plus(Duration.between(lastOutage.end, asOf));
        // Less than nothing by the clock of another server.
        boolean goesOn = !heard.isNegative() && heard.compareTo(HEARD_AGAIN) < 0;
        return new RegistrySnapshot(this, instances, lacksInstances, goesOn
                ? new Outage(asOf, whole, heard)
                : new Outage(asOf, length, Duration.ZERO), source, ownBuilds);
    }

    /**
     * Age of a heartbeat at which a service counts as down at this moment. No service could be heard during an outage of the
     * database: until each had the configured time to be heard again, the outage is added to it.
     */
    public Duration downTime(Duration configured) {
        return asOf.isBefore(lastOutage.end.plus(configured)) ? configured.plus(lastOutage.length) : configured;
    }

    /** Higher than that of every snapshot which was made before in this process. */
    public long number() {
        return number;
    }

    /** Providers whose compute node is another record than before, or none any more. */
    public void forEachChangedNode(RegistrySnapshot before, Consumer<UUID> changed) {
        of(Collection.COMPUTE_NODES).forEachChanged(before.of(Collection.COMPUTE_NODES), changed);
    }

    /** Hosts whose service is another record than before, or that have other instances or builds; perhaps twice. */
    public void forEachChangedHost(RegistrySnapshot before, Consumer<String> changed) {
        servicesByHost.forEachChanged(before.servicesByHost, changed);
        instances.forEachChangedHost(before.instances, changed);
        ownBuilds.forEachChangedHost(before.ownBuilds, changed);
    }

    /** Uuids of all records; of instances perhaps twice. */
    public void forEach(Collection collection, Consumer<UUID> each) {
        forEachChanged(collection, EMPTY, each);
    }

    /** Those of the records that are not as they are held; heartbeats of the others are heard. */
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

    /** The same: instances that were left out are to be given to it again, and perhaps find room. */
    public RegistrySnapshot withRoomTried() {
        return instances.isFull()
                ? new RegistrySnapshot(this, instances.notFull(), lacksInstances, lastOutage, source, ownBuilds)
                : this;
    }

    /** The same, which holds no more instances than in so many bytes from now on. */
    public RegistrySnapshot withRoom(long instanceBytesMax) {
        return new RegistrySnapshot(this, instances.withRoom(instanceBytesMax), lacksInstances, lastOutage, source, ownBuilds);
    }

    /** The same, made of others that know of all instances, or do not. */
    RegistrySnapshot lackingInstances(boolean lacks) {
        return lacks == lacksInstances
                ? this
                : new RegistrySnapshot(this, instances, lacks, lastOutage, source, ownBuilds);
    }

    /** The same where the source says this. */
    public RegistrySnapshot withSource(SourceFacts facts) {
        return facts.equals(source)
                ? this
                : new RegistrySnapshot(this, instances, lacksInstances, lastOutage, facts, ownBuilds);
    }

    /** What the source says beside its records. */
    public SourceFacts source() {
        return source;
    }

    /** The same with other builds. */
    RegistrySnapshot withOwnBuilds(OwnBuilds builds) {
        return builds == ownBuilds
                ? this
                : new RegistrySnapshot(this, instances, lacksInstances, lastOutage, source, builds);
    }

    /** Builds that Berth placed and that no report shows yet. */
    public OwnBuilds ownBuilds() {
        return ownBuilds;
    }

    /** By instance, source and destination of each move that is under way, or may still be reverted. */
    public Map<UUID, Set<String>> moves() {
        return source.moves();
    }

    /** False if no record of the collection differs from the other snapshot's. */
    public boolean differs(RegistrySnapshot other, Collection collection) {
        return collection == Collection.INSTANCES
                ? instances.differs(other.instances)
                : of(collection) != other.of(collection);
    }

    /** Uuids of records that are others than before, or gone; of instances perhaps more. */
    void forEachChanged(Collection collection, RegistrySnapshot before, Consumer<UUID> changed) {
        if (collection == Collection.INSTANCES) {
            instances.forEachChanged(before.instances, changed);
        } else {
            of(collection).forEachChanged(before.of(collection), changed);
        }
    }

    /** Returns null if nobody registered it. */
    @Nullable RegistryRecord find(Collection collection, UUID uuid) {
        return collection == Collection.INSTANCES ? instances.find(uuid) : of(collection).get(uuid);
    }

    /** Returns null if nobody registered it. */
    public ComputeNode findComputeNode(UUID uuid) {
        return (ComputeNode) of(Collection.COMPUTE_NODES).get(uuid);
    }

    public List<ComputeNode> listComputeNodes() {
        return of(Collection.COMPUTE_NODES).values().stream().map(ComputeNode.class::cast).toList();
    }

    public int computeNodeCount() {
        return of(Collection.COMPUTE_NODES).size();
    }

    /** Empty if none is registered. */
    public List<ComputeNode> computeNodesOf(String host) {
        return nodesByHost.getOrDefault(host, List.of());
    }

    /** Where the instance is: of a host's nodes the first, if it names none. Null if that is not registered. */
    public @Nullable ComputeNode findNodeOf(RegisteredInstance instance) {
        for (ComputeNode node : computeNodesOf(instance.host())) {
            if (instance.nodename() == null || instance.nodename().equals(node.nodename())) {
                return node;
            }
        }
        return null;
    }

    /** Of several, as a host has that was moved between cells of nova, the one heard last. Null if the host has none. */
    public ComputeService findService(String host) {
        List<ComputeService> services = servicesByHost.get(host);
        if (services == null || services.size() == 1) {
            return services == null ? null : services.getFirst();
        }
        return services.stream()
                .reduce((one, next) -> next.lastHeartbeat().isBefore(one.lastHeartbeat()) ? one : next)
                .orElseThrow();
    }

    /** Returns null if nobody registered it. */
    public ComputeService findService(UUID uuid) {
        return (ComputeService) of(Collection.SERVICES).get(uuid);
    }

    public List<ComputeService> listServices() {
        return of(Collection.SERVICES).values().stream().map(ComputeService.class::cast).toList();
    }

    /** What makes the collection these records and no others: a null value is a deletion. */
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

    /** Returns null if nobody registered it. */
    public RegisteredAggregate findAggregate(UUID uuid) {
        return (RegisteredAggregate) of(Collection.HOST_AGGREGATES).get(uuid);
    }

    public List<RegisteredAggregate> listAggregates() {
        return of(Collection.HOST_AGGREGATES).values().stream().map(RegisteredAggregate.class::cast).toList();
    }

    /** By instance uuid; empty if none is registered there. Instances without a node count on each of the host's. */
    public Map<String, RunningInstance> instancesOn(String host, String nodename) {
        return instances.on(host, nodename);
    }

    /** By instance uuid, on whichever of the host's nodes; empty if none is registered there. */
    public Map<String, RunningInstance> instancesOn(String host) {
        return instances.on(host);
    }

    /** Returns null if it is not registered. */
    public RegisteredInstance findInstance(UUID uuid) {
        return instances.find(uuid);
    }

    /** Those held: fewer than are registered where they {@linkplain #instancesAreFull take too much memory}. */
    public int instanceCount() {
        return instances.size();
    }

    /** Of heap, reckoned: all of it. */
    long bytes() {
        return (long) HOST_BYTES * Math.max(computeNodeCount(), of(Collection.SERVICES).size())
                + ownBytes
                + (long) MEMBER_BYTES * groupsByMember.size()
                + instances.bytes();
    }

    /** Of heap, reckoned. */
    public long instanceBytes() {
        return instances.bytes();
    }

    /** Instances that were registered are not known here, since they would take more than their part of the heap. */
    public boolean instancesAreFull() {
        return lacksInstances || instances.isFull();
    }

    /** Some were left out, and would find room now. */
    boolean instancesHaveRoomAgain() {
        return instances.hasRoomAgain();
    }

    /** Returns null if there is none; one that nobody registered may be known by its members and seats. */
    public ServerGroup findServerGroup(UUID uuid) {
        return (ServerGroup) of(Collection.SERVER_GROUPS).get(uuid);
    }

    /** Those that are registered. */
    public List<ServerGroup> listServerGroups() {
        return of(Collection.SERVER_GROUPS).values().stream()
                .map(ServerGroup.class::cast)
                .filter(ServerGroup::isRegistered)
                .toList();
    }

    /** The group an instance is a member of, a registered one before others; null if it is in none. */
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
     * The snapshot after some changes.
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
     * An index brought up to date: each of its lists that a change concerns is made anew.
     *
     * @param before all records before the changes
     * @param changed the new record by uuid, null for one that is gone
     * @param keys under which a record is found
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

    /** Hosts in the same aggregates have the same list, so that what it states is read once for all of them. */
    private Map<String, List<HostAggregate>> indexAggregates() {
        Map<String, List<HostAggregate>> index = new HashMap<>();
        for (RegistryRecord record : of(Collection.HOST_AGGREGATES).values()) {
            RegisteredAggregate aggregate = (RegisteredAggregate) record;
            for (String host : aggregate.hosts()) {
                index.computeIfAbsent(host, made -> new ArrayList<>()).add(aggregate.facts());
            }
        }
        Map<List<HostAggregate>, List<HostAggregate>> shared = new HashMap<>();
        index.replaceAll((host, list) -> shared.computeIfAbsent(list, _ -> list));
        return index;
    }
}
