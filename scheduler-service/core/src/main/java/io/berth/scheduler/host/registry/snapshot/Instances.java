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
 * The registered instances: by host, and by uuid. Immutable; what is known of a host stays the same object until it
 * changes. About 50 bytes per instance, as each is an entry of two tables of columns, and what many have in common
 * (flavor and image) is held once. More bytes than {@code bytesMax} it does not hold: it is then {@link #isFull}.
 */
final class Instances {
    /** Two entries of 20 bytes, and the instance's part of what holds the columns. */
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
     * Those of one host.
     *
     * @param all of a host with one node what is on that
     */
    private record OnHost(Map<Place, InstancesOnNode> nodes, InstancesOnNode all) {}

    /** @param count of instances that share this */
    private record Kind(RunningInstance shared, int count) {}

    /** None. */
    static Instances upTo(long bytesMax) {
        return new Instances(ShardedMap.empty(), UuidTable.empty(), ShardedMap.empty(), 0, bytesMax, false);
    }

    int size() {
        return places.size();
    }

    /** Of heap, reckoned. */
    long bytes() {
        return bytes;
    }

    /** Instances were left out since it was empty, for want of room. */
    boolean isFull() {
        return isFull;
    }

    /** The same, with room for so many bytes from now on. */
    Instances withRoom(long most) {
        return most == bytesMax ? this : new Instances(hosts, places, kinds, bytes, most, isFull);
    }

    /** The same, as if none had been left out. */
    Instances notFull() {
        return new Instances(hosts, places, kinds, bytes, bytesMax, false);
    }

    /** Some were left out, and there is room again for a tenth of all. */
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

    /** By instance uuid. Instances without a node count on each of the host's. */
    Map<String, RunningInstance> on(String host, String nodename) {
        Map<Place, InstancesOnNode> nodes = nodesOf(host);
        InstancesOnNode onNode = nodes.get(new Place(host, nodename));
        InstancesOnNode onAnyNode = nodes.get(new Place(host, null));
        if (onNode == null || onAnyNode == null) {
            return onNode != null ? onNode : onAnyNode != null ? onAnyNode : Map.of();
        }
        return onNode.and(onAnyNode);
    }

    /** By instance uuid: those of all its nodes. */
    Map<String, RunningInstance> on(String host) {
        OnHost there = hosts.get(host);
        return there == null ? Map.of() : there.all();
    }

    private Map<Place, InstancesOnNode> nodesOf(String host) {
        OnHost there = hosts.get(host);
        return there == null ? Map.of() : there.nodes();
    }

    /** False if no instance differs from the others. */
    boolean differs(Instances others) {
        return hosts != others.hosts;
    }

    /** Hosts on which other instances are than before. */
    void forEachChangedHost(Instances before, Consumer<String> changed) {
        hosts.forEachChanged(before.hosts, changed);
    }

    /** Those of every host on which other instances are than before; perhaps twice. */
    void forEachChanged(Instances before, Consumer<UUID> changed) {
        forEachChangedHost(before, host -> {
            forEachOn(host, changed);
            before.forEachOn(host, changed);
        });
    }

    private void forEachOn(String host, Consumer<UUID> each) {
        nodesOf(host).values().forEach(node -> node.forEachUuid(each));
    }

    /** @param changed the new records by uuid, null for one that is gone */
    Instances after(Map<UUID, RegistryRecord> changed) {
        return new Change().of(changed);
    }

    /** What a change makes of these. Used once. */
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

        /** One object for all instances of the place, and the one that is held already if it is known. */
        private Place placeOf(RegisteredInstance instance) {
            return shared.computeIfAbsent(new Place(instance.host(), instance.nodename()), place -> {
                InstancesOnNode there = nodesOf(place.host()).get(place);
                return there == null
                        ? new Place(HostNames.shared(place.host()), HostNames.shared(place.nodename()))
                        : there.place();
            });
        }

        private Map<UUID, RunningInstance> at(Place place) {
            return onHosts.computeIfAbsent(place.host(), made -> new HashMap<>())
                    .computeIfAbsent(place, made -> new HashMap<>());
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
                // One that left another of the nodes may be here now.
                ofPlace.forEach((uuid, running) -> {
                    if (running != null || !ofAll.containsKey(uuid)) {
                        ofAll.put(uuid, running);
                    }
                });
            });
            if (nodes.isEmpty()) {
                return null;
            }
            // Most hosts are one node.
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
