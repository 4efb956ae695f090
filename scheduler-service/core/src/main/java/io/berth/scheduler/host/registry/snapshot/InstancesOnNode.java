package io.berth.scheduler.host.registry.snapshot;

import io.berth.model.text.UuidForm;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.UuidKeyed;
import io.berth.scheduler.host.UuidSet;
import jakarta.annotation.Nullable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The instances of one node, or of all nodes of a host, by uuid as text, in the order of the uuids. Immutable. Creates
 * the texts on access.
 */
final class InstancesOnNode extends AbstractMap<String, RunningInstance> implements UuidKeyed {
    private final Place place;
    private final UuidColumns<RunningInstance> columns;

    InstancesOnNode(Place place) {
        this(place, UuidColumns.empty());
    }

    private InstancesOnNode(Place place, UuidColumns<RunningInstance> columns) {
        this.place = place;
        this.columns = columns;
    }

    Place place() {
        return place;
    }

    /** Returns null if the instance is not on the node. */
    @Nullable RunningInstance find(UUID uuid) {
        return columns.find(uuid);
    }

    void forEachUuid(Consumer<UUID> each) {
        for (int i = 0; i < columns.size(); i++) {
            each.accept(columns.uuid(i));
        }
    }

    /** Returns a copy with these changes; a null value removes its instance. */
    InstancesOnNode with(Map<UUID, RunningInstance> changes) {
        return new InstancesOnNode(place, columns.with(changes));
    }

    /** Returns the union of these instances and {@code others}, whose data wins for an instance in both. */
    InstancesOnNode and(InstancesOnNode others) {
        Map<UUID, RunningInstance> added = HashMap.newHashMap(others.size());
        for (int i = 0; i < others.size(); i++) {
            added.put(others.columns.uuid(i), others.columns.value(i));
        }
        return with(added);
    }

    @Override
    public int size() {
        return columns.size();
    }

    @Override
    public @Nullable RunningInstance get(Object key) {
        return key instanceof String text ? UuidForm.findCanonical(text).map(columns::find).orElse(null) : null;
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public int countOf(UuidSet uuids) {
        return columns.countOf(uuids);
    }

    @Override
    public Set<Entry<String, RunningInstance>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, RunningInstance>> iterator() {
                return IntStream.range(0, columns.size())
                        .mapToObj(i -> Map.entry(columns.uuid(i).toString(), columns.value(i)))
                        .iterator();
            }

            @Override
            public int size() {
                return columns.size();
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InstancesOnNode node ? columns.hasEntriesOf(node.columns) : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
