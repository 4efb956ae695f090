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
 * The registered instances by host and by uuid. Immutable; the object for a host stays the same until it changes. It
 * takes about 50 bytes per instance, since each is an entry of two tables of columns, and shared data (flavor and
 * image) is stored once. If instances would take more than {@code bytesMax}, further ones are left out: it is then
 * {@link #isFull}.
 */
final class Instances {
    /** Heap bytes per instance: two entries of 20 bytes, and its part of the column objects. */
    static final int INSTANCE_BYTES = 50;

    private static final int KIND_BYTES = 400;
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
     * @param all instances of all its nodes; for a host with one node those of that node
     */
    private record OnHost(Map<Place, InstancesOnNode> nodes, InstancesOnNode all) {}

    /** @param count number of instances that share this */
    private record Kind(RunningInstance shared, int count) {}

    /** Returns an empty object with that limit. */
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

    /** Returns whether instances were left out for lack of memory. */
    boolean isFull() {
        return isFull;
    }

    /** Returns the same instances with another limit. */
    Instances withRoom(long most) {
        return most == bytesMax ? this : new Instances(hosts, places, kinds, bytes, most, isFull);
    }

    /** Returns the same instances, marked as complete. */
    Instances notFull() {
        return new Instances(hosts, places, kinds, bytes, bytesMax, false);
    }

    /** Returns whether instances were left out and a tenth of the limit is free again. */
    boolean hasRoomAgain() {
        return isFull && bytes < bytesMax - bytesMax / 10;
    }

    /** Returns null if it is not registered. */
    @Nullable RegisteredInstance find(UUID uuid) {
        Place place = places.find(uuid);
        return place == null
                ? null
                : new RegisteredInstance(
                        uuid, place.host(), place.nodename(), hosts.get(place.host()).nodes().get(place).find(uuid));
    }

    /** Returns instances by uuid. Those without a node count on each node of the host. */
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
        OnHost there = hosts.get(host);
        return there == null ? Map.of() : there.all();
    }

    private Map<Place, InstancesOnNode> nodesOf(String host) {
        OnHost there = hosts.get(host);
        return there == null ? Map.of() : there.nodes();
    }

    /** Returns whether the instances may differ; false only if they are the same object. */
    boolean differs(Instances others) {
        return hosts != others.hosts;
    }

    /** Passes each host whose instances changed to {@code changed}. */
    void forEachChangedHost(Instances before, Consumer<String> changed) {
        hosts.forEachChanged(before.hosts, changed);
    }

    /** Passes all instances of hosts whose instances changed to {@code changed}; an instance may occur twice. */
    void forEachChanged(Instances before, Consumer<UUID> changed) {
        forEachChangedHost(before, host -> {
            forEachOn(host, changed);
            before.forEachOn(host, changed);
        });
    }

    private void forEachOn(String host, Consumer<UUID> each) {
        nodesOf(host).values().forEach(node -> node.forEachUuid(each));
    }

    /** @param changed the new records by uuid, null for a deleted one */
    Instances after(Map<UUID, RegistryRecord> changed) {
        return new Change().of(changed);
    }

    /** Applies changes to these instances. Used once. */
    private final class Change {
        private final Map<String, Map<Place, Map<UUID, RunningInstance>>> onHosts = new HashMap<>();
        private final Map<UUID, Place> inPlaces = new HashMap<>();
        private final Map<Place, Place> shared = new HashMap<>();
        private final Map<RunningInstance, Kind> ofKinds = new HashMap<>();
        private long bytesThen = bytes;
        private boolean isFullThen = isFull;

        Instances of(Map<UUID, RegistryRecord> changed) {
            changed.forEach((uuid, record) -> {
                RegisteredInstance was = find(uuid);
                if (was != null) {
                    forget(was);
                }
                if (record instanceof RegisteredInstance is) {
                    put(is);
                }
            });
            Map<String, OnHost> hostsThen = new HashMap<>();
            onHosts.forEach((host, nodes) -> hostsThen.put(host, hostAfter(host, nodes)));
            return new Instances(
                    hosts.with(hostsThen), places.with(inPlaces), kinds.with(ofKinds), bytesThen, bytesMax, isFullThen);
        }

        private void forget(RegisteredInstance was) {
            at(placeOf(was)).put(was.uuid(), null);
            inPlaces.put(was.uuid(), null);
            Kind kind = kind(was.running());
            boolean last = kind.count() == 1;
            ofKinds.put(was.running(), last ? null : new Kind(kind.shared(), kind.count() - 1));
            bytesThen -= INSTANCE_BYTES + (last ? bytesOf(was.running()) : 0);
        }

        private void put(RegisteredInstance is) {
            Kind kind = kind(is.running());
            long more = INSTANCE_BYTES + (kind == null ? bytesOf(is.running()) : 0);
            if (bytesThen + more > bytesMax) {
                isFullThen = true;
                return;
            }
            bytesThen += more;
            Place place = placeOf(is);
            Kind then = kind == null ? new Kind(is.running(), 1) : new Kind(kind.shared(), kind.count() + 1);
            ofKinds.put(is.running(), then);
            inPlaces.put(is.uuid(), place);
            at(place).put(is.uuid(), then.shared());
        }

        private @Nullable Kind kind(RunningInstance running) {
            return ofKinds.containsKey(running) ? ofKinds.get(running) : kinds.get(running);
        }

        /** Returns one object for all instances of the place; the existing one if there is one. */
        private Place placeOf(RegisteredInstance instance) {
            return shared.computeIfAbsent(new Place(instance.host(), instance.nodename()), place -> {
                InstancesOnNode there = nodesOf(place.host()).get(place);
                return there == null
                        ? new Place(HostNames.shared(place.host()), HostNames.shared(place.nodename()))
                        : there.place();
            });
        }

        private Map<UUID, RunningInstance> at(Place place) {
            return onHosts.computeIfAbsent(place.host(), _ -> new HashMap<>())
                    .computeIfAbsent(place, _ -> new HashMap<>());
        }

        private @Nullable OnHost hostAfter(String host, Map<Place, Map<UUID, RunningInstance>> changes) {
            Map<Place, InstancesOnNode> nodes = new HashMap<>(nodesOf(host));
            Map<UUID, RunningInstance> ofAll = new HashMap<>();
            changes.forEach((place, ofPlace) -> {
                InstancesOnNode before = nodes.get(place);
                InstancesOnNode then = (before == null ? new InstancesOnNode(place) : before).with(ofPlace);
                if (then.isEmpty()) {
                    nodes.remove(place);
                } else {
                    nodes.put(place, then);
                }
                // An instance that left one node may now be on another.
                ofPlace.forEach((uuid, running) -> {
                    if (running != null || !ofAll.containsKey(uuid)) {
                        ofAll.put(uuid, running);
                    }
                });
            });
            if (nodes.isEmpty()) {
                return null;
            }
            // Most hosts have one node.
            if (nodes.size() == 1) {
                return new OnHost(Map.copyOf(nodes), nodes.values().iterator().next());
            }
            OnHost before = hosts.get(host);
            InstancesOnNode all = before == null ? new InstancesOnNode(new Place(host, null)) : before.all();
            return new OnHost(nodes, all.with(ofAll));
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
