package io.berth.scheduler.host.registry;

import io.berth.scheduler.host.RunningInstance;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Where the registered instances run. Immutable; what is known of a host stays the same object until it changes. */
record InstancesByHost(ShardedMap<String, Map<Node, Map<String, RunningInstance>>> hosts) {
    static final InstancesByHost NONE = new InstancesByHost(ShardedMap.empty());

    /** @param name null: any node of the host */
    private record Node(@Nullable String name) {}

    private static final Node ANY = new Node(null);

    /** By instance uuid. Instances without a node count on each of the host's. */
    Map<String, RunningInstance> on(String host, String nodename) {
        Map<Node, Map<String, RunningInstance>> nodes = hosts.get(host);
        if (nodes == null) {
            return Map.of();
        }
        Map<String, RunningInstance> onNode = nodes.getOrDefault(new Node(nodename), Map.of());
        Map<String, RunningInstance> onAnyNode = nodes.getOrDefault(ANY, Map.of());
        if (onAnyNode.isEmpty() || onNode.isEmpty()) {
            return onNode.isEmpty() ? onAnyNode : onNode;
        }
        Map<String, RunningInstance> all = new LinkedHashMap<>(onNode);
        all.putAll(onAnyNode);
        return all;
    }

    /**
     * The same after some changes.
     *
     * @param changed the new records by uuid, null for one that is gone
     * @param before all records before the changes
     */
    InstancesByHost after(Map<UUID, RegistryRecord> changed, Map<UUID, RegistryRecord> before) {
        Map<String, Map<Node, Map<String, RunningInstance>>> touched = new HashMap<>();
        changed.forEach((uuid, record) -> {
            if (before.get(uuid) instanceof RegisteredInstance was) {
                placeOf(was, touched).remove(uuid.toString());
            }
            if (record instanceof RegisteredInstance is) {
                placeOf(is, touched).put(uuid.toString(), is.running());
            }
        });
        touched.values().forEach(nodes -> nodes.values().removeIf(Map::isEmpty));
        touched.replaceAll((host, nodes) -> nodes.isEmpty() ? null : nodes);
        return new InstancesByHost(hosts.with(touched));
    }

    private Map<String, RunningInstance> placeOf(
            RegisteredInstance instance, Map<String, Map<Node, Map<String, RunningInstance>>> touched) {
        return touched.computeIfAbsent(instance.host(), this::copyOf)
                .computeIfAbsent(new Node(instance.nodename()), made -> new LinkedHashMap<>());
    }

    private Map<Node, Map<String, RunningInstance>> copyOf(String host) {
        Map<Node, Map<String, RunningInstance>> copy = new HashMap<>();
        Map<Node, Map<String, RunningInstance>> known = hosts.get(host);
        if (known != null) {
            known.forEach((node, instances) -> copy.put(node, new LinkedHashMap<>(instances)));
        }
        return copy;
    }
}
