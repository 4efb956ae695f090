package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.HostNames;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.request.ImageReading;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The registered instances by host and by uuid. Immutable; changed copies share the data of unchanged hosts. An
 * instance takes about 50 bytes: an entry in the columns of its host, and an entry in the table by uuid. Instances with
 * equal data ({@link RunningInstance}) share one object for the data. Instances that would exceed the limit in heap
 * bytes are omitted; {@link #isFull} then returns true, until {@link #withoutFullMark} removes the mark.
 */
final class Instances {
    /** Heap bytes per instance: two entries of 20 bytes, and its share of the objects that contain the columns. */
    static final int INSTANCE_BYTES = 50;

    /** Heap bytes of a {@link Kind} without image properties. */
    private static final int KIND_BYTES = 400;
    /** Heap bytes of an image property without the characters of its value. */
    private static final int PROPERTY_BYTES = 160;

    private final ShardedMap<String, OnHost> hosts;
    private final UuidTable<Place> places;
    private final ShardedMap<RunningInstance, Kind> kinds;
    private final long bytes;
    private final long bytesMax;
    private final boolean isFull;

    private Instances(
            ShardedMap<String, OnHost> hosts,
            UuidTable<Place> places,
            ShardedMap<RunningInstance, Kind> kinds,
            long bytes,
            long bytesMax,
            boolean isFull) {
        this.hosts = hosts;
        this.places = places;
        this.kinds = kinds;
        this.bytes = bytes;
        this.bytesMax = bytesMax;
        this.isFull = isFull;
    }

    /**
     * The instances of one host.
     *
     * @param nodes instances by node
     * @param all instances of all nodes; for a host with one node, the same object as that node's
     */
    private record OnHost(Map<Place, InstancesOnNode> nodes, InstancesOnNode all) {}

    /**
     * A kind of instances: the data that all instances of this kind share.
     *
     * @param count number of these instances
     */
    private record Kind(RunningInstance shared, int count) {}

    /** Returns an empty object with this limit in estimated heap bytes. */
    static Instances upTo(long bytesMax) {
        return new Instances(ShardedMap.empty(), UuidTable.empty(), ShardedMap.empty(), 0, bytesMax, false);
    }

    int size() {
        return places.size();
    }

    /** Returns the estimated heap bytes. */
    long bytes() {
        return bytes;
    }

    /** Returns whether instances were omitted because of the limit. */
    boolean isFull() {
        return isFull;
    }

    /** Returns the same instances with another limit in bytes. */
    Instances withBytesMax(long newBytesMax) {
        return newBytesMax == bytesMax ? this : new Instances(hosts, places, kinds, bytes, newBytesMax, isFull);
    }

    /** Returns the same instances, marked as complete. */
    Instances withoutFullMark() {
        return new Instances(hosts, places, kinds, bytes, bytesMax, false);
    }

    /** Returns whether instances were omitted and more than a tenth of the limit is free now. */
    boolean hasRoomForOmitted() {
        return isFull && bytes < bytesMax - bytesMax / 10;
    }

    /** Returns null if the instance is not registered, or was omitted. */
    @Nullable RegisteredInstance find(UUID uuid) {
        Place place = places.find(uuid);
        InstancesOnNode onNode = place == null ? null : nodesOf(place.host()).get(place);
        RunningInstance running = onNode == null ? null : onNode.find(uuid);
        return place == null || running == null
                ? null
                : new RegisteredInstance(uuid, place.host(), place.nodename(), running);
    }

    /** Returns the instances on a node by uuid. An instance whose node is unknown counts on each node of its host. */
    Map<String, RunningInstance> on(String host, String nodename) {
        Map<Place, InstancesOnNode> nodes = nodesOf(host);
        InstancesOnNode onNode = nodes.get(new Place(host, nodename));
        InstancesOnNode onAnyNode = nodes.get(new Place(host, null));
        if (onNode == null || onAnyNode == null) {
            return onNode != null ? onNode : onAnyNode != null ? onAnyNode : Map.of();
        }
        return onNode.and(onAnyNode);
    }

    /** Returns the instances of all nodes of a host, by uuid. */
    Map<String, RunningInstance> on(String host) {
        OnHost onHost = hosts.get(host);
        return onHost == null ? Map.of() : onHost.all();
    }

    private Map<Place, InstancesOnNode> nodesOf(String host) {
        OnHost onHost = hosts.get(host);
        return onHost == null ? Map.of() : onHost.nodes();
    }

    /** Returns false if both objects have the same instances; true if the instances may differ. */
    boolean mayDiffer(Instances others) {
        return hosts != others.hosts;
    }

    /** Calls {@code changed} with each host whose instances changed since {@code before}. */
    void forEachChangedHost(Instances before, Consumer<String> changed) {
        hosts.forEachChanged(before.hosts, changed);
    }

    /**
     * Calls {@code changed} with all instances, present and former, of hosts whose instances changed since
     * {@code before}; an instance may occur twice.
     */
    void forEachChanged(Instances before, Consumer<UUID> changed) {
        forEachChangedHost(before, host -> {
            forEachOn(host, changed);
            before.forEachOn(host, changed);
        });
    }

    private void forEachOn(String host, Consumer<UUID> each) {
        nodesOf(host).values().forEach(node -> node.forEachUuid(each));
    }

    /**
     * Returns a changed copy. Instances for which the limit leaves no room are omitted.
     *
     * @param changed new record by uuid; null to delete the instance
     */
    Instances after(Map<UUID, RegistryRecord> changed) {
        return new Change().of(changed);
    }

    /** Collects changes, then applies them to a copy. Each object is used for one copy. */
    private final class Change {
        private final Map<String, Map<Place, Map<UUID, RunningInstance>>> changesByHost = new HashMap<>();
        private final Map<UUID, Place> newPlaces = new HashMap<>();
        private final Map<Place, Place> sharedPlaces = new HashMap<>();
        private final Map<RunningInstance, Kind> newKinds = new HashMap<>();
        private long newBytes = bytes;
        private boolean isFullNow = isFull;

        Instances of(Map<UUID, RegistryRecord> changed) {
            changed.forEach((uuid, record) -> {
                RegisteredInstance before = find(uuid);
                if (before != null) {
                    remove(before);
                }
                if (record instanceof RegisteredInstance instance) {
                    put(instance);
                }
            });
            Map<String, OnHost> newHosts = new HashMap<>();
            changesByHost.forEach((host, nodes) -> newHosts.put(host, applyToHost(host, nodes)));
            return new Instances(
                    hosts.with(newHosts), places.with(newPlaces), kinds.with(newKinds), newBytes, bytesMax, isFullNow);
        }

        private void remove(RegisteredInstance before) {
            changesAt(placeOf(before)).put(before.uuid(), null);
            newPlaces.put(before.uuid(), null);
            Kind kind = kind(before.running());
            boolean isLast = kind == null || kind.count() == 1;
            newKinds.put(before.running(), kind == null || isLast ? null : new Kind(kind.shared(), kind.count() - 1));
            newBytes -= INSTANCE_BYTES + (isLast ? bytesOf(before.running()) : 0);
        }

        private void put(RegisteredInstance instance) {
            Kind kind = kind(instance.running());
            long addedBytes = INSTANCE_BYTES + (kind == null ? bytesOf(instance.running()) : 0);
            if (newBytes + addedBytes > bytesMax) {
                isFullNow = true;
                return;
            }
            newBytes += addedBytes;
            Place place = placeOf(instance);
            Kind newKind = kind == null ? new Kind(instance.running(), 1) : new Kind(kind.shared(), kind.count() + 1);
            newKinds.put(instance.running(), newKind);
            newPlaces.put(instance.uuid(), place);
            changesAt(place).put(instance.uuid(), newKind.shared());
        }

        private @Nullable Kind kind(RunningInstance running) {
            return newKinds.containsKey(running) ? newKinds.get(running) : kinds.get(running);
        }

        /** Returns the object that all instances of this host and node share. */
        private Place placeOf(RegisteredInstance instance) {
            return sharedPlaces.computeIfAbsent(new Place(instance.host(), instance.nodename()), place -> {
                InstancesOnNode known = nodesOf(place.host()).get(place);
                return known == null
                        ? new Place(HostNames.interned(place.host()), HostNames.internedOrNull(place.nodename()))
                        : known.place();
            });
        }

        private Map<UUID, RunningInstance> changesAt(Place place) {
            return changesByHost.computeIfAbsent(place.host(), _ -> new HashMap<>())
                    .computeIfAbsent(place, _ -> new HashMap<>());
        }

        private @Nullable OnHost applyToHost(String host, Map<Place, Map<UUID, RunningInstance>> changes) {
            Map<Place, InstancesOnNode> nodes = new HashMap<>(nodesOf(host));
            Map<UUID, RunningInstance> hostChanges = new HashMap<>();
            changes.forEach((place, nodeChanges) -> {
                InstancesOnNode before = nodes.get(place);
                InstancesOnNode after = (before == null ? new InstancesOnNode(place) : before).with(nodeChanges);
                if (after.isEmpty()) {
                    nodes.remove(place);
                } else {
                    nodes.put(place, after);
                }
                // For an instance that moved between nodes of the host, the addition counts, not the removal (null).
                nodeChanges.forEach((uuid, running) -> {
                    if (running != null || !hostChanges.containsKey(uuid)) {
                        hostChanges.put(uuid, running);
                    }
                });
            });
            if (nodes.isEmpty()) {
                return null;
            }
            // A host with one node needs no separate union.
            if (nodes.size() == 1) {
                return new OnHost(Map.copyOf(nodes), nodes.values().iterator().next());
            }
            OnHost before = hosts.get(host);
            InstancesOnNode all = before == null ? new InstancesOnNode(new Place(host, null)) : before.all();
            return new OnHost(nodes, all.with(hostChanges));
        }
    }

    private static long bytesOf(RunningInstance running) {
        if (!(running.image() instanceof ImageReading.Read(var properties))) {
            return KIND_BYTES;
        }
        long bytes = KIND_BYTES;
        for (Map.Entry<String, Object> property : properties.values().entrySet()) {
            bytes += PROPERTY_BYTES + property.getValue().toString().length();
        }
        return bytes;
    }
}
