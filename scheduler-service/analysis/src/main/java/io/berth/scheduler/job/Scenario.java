package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * A scenario: records of the registry as they would be, and the changes that their synchronization would make in
 * placement. Mutable while it is built, each change on the result of the earlier ones; nothing of it is ever written.
 */
public final class Scenario {
    /** Limits the providers, roots and names in all changes of an analysis together; some 100 bytes each. */
    private static final int NAMED_MAX = 200_000;
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";

    private final Map<Collection, Map<UUID, RegistryRecord>> records = new EnumMap<>(Collection.class);
    private final ArrayNode fleet = JsonNodeFactory.instance.arrayNode();
    private final List<String> origins = new ArrayList<>();
    private final Map<String, List<UUID>> providers = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private RegistrySnapshot now;
    private String origin = "";
    private final Set<UUID> gone = new HashSet<>();
    private int named;

    public Scenario(RegistrySnapshot present) {
        this.now = present;
    }

    /** Returns the registry with the changes so far. */
    public RegistrySnapshot registry() {
        if (!records.isEmpty()) {
            now = now.after(records, now.asOf());
            records.clear();
        }
        return now;
    }

    /** Returns the changes in placement's format. */
    ArrayNode fleetChanges() {
        return fleet.deepCopy();
    }

    /** Returns, for each of {@link #fleetChanges}, the path in the body that requested it. */
    List<String> origins() {
        return List.copyOf(origins);
    }

    /** Sets the path in the body for the changes that follow: placement's errors are reported there. */
    public Scenario from(String path) {
        origin = path;
        return this;
    }

    /** Sets the providers of a host that differ from its registered nodes: changes of the host apply to them. */
    public Scenario knowing(String host, List<UUID> its) {
        providers.put(host, its);
        return this;
    }

    /** Returns the names, by uuid, of roots that are not registered and do not exist in placement. */
    Map<String, String> names() {
        return Map.copyOf(names);
    }

    /** Adds a host that would not be registered, and does not exist in placement yet. */
    public Scenario unregistered(String host, UUID root) {
        names.put(root.toString(), host);
        return knowing(host, List.of(root));
    }

    /**
     * Throws ApiFault, 413, if the changes so far name too much.
     *
     * @param change one of those that {@code POST /berth/v1/what_if} accepts
     */
    public Scenario fleet(JsonNode change) {
        for (JsonNode what : change) {
            for (JsonNode listed : what) {
                named += listed.size();
            }
        }
        if (named > NAMED_MAX) {
            throw new ApiFault(ErrorCode.BODY_TOO_LARGE, origin + ": the changes so far name more than " + NAMED_MAX
                    + " providers and hosts together: ask about fewer at a time");
        }
        fleet.add(change);
        origins.add(origin);
        return this;
    }

    /** Adds a change of placement that concerns several providers; does nothing if there are none. */
    public Scenario fleet(String kind, List<UUID> trees, ObjectNode more) {
        if (!trees.isEmpty()) {
            ObjectNode change = JsonNodeFactory.instance.objectNode();
            ObjectNode what = change.putObject(kind);
            ArrayNode named = what.putArray("trees");
            trees.forEach(uuid -> named.add(uuid.toString()));
            what.setAll(more);
            fleet(change);
        }
        return this;
    }

    /**
     * Makes a node report its changed inventory, because its present report would be outdated. Does nothing if the
     * provider is not a node's, or neither total nor reserved changes.
     *
     * @param inventory with resource_class, and those of its settings that change
     */
    public Scenario reports(UUID provider, JsonNode inventory) {
        ComputeNode node = nodeSoFar(provider);
        Long total = amount(inventory.get("total"));
        Long reserved = amount(inventory.get("reserved"));
        return node == null || total == null && reserved == null
                ? this
                : put(Collection.COMPUTE_NODES, node.reporting(inventory.path("resource_class").asText(), total, reserved));
    }

    /** Returns null if it is not an amount, which placement refuses. */
    private static @Nullable Long amount(@Nullable JsonNode value) {
        return value != null && value.isIntegralNumber() && value.canConvertToInt() && value.asInt() >= 0 ? value.asLong() : null;
    }

    /** Adds or replaces a record. */
    public Scenario put(Collection collection, RegistryRecord record) {
        of(collection).put(record.uuid(), record);
        return this;
    }

    public Scenario remove(Collection collection, UUID uuid) {
        of(collection).put(uuid, null);
        return this;
    }

    private Map<UUID, RegistryRecord> of(Collection collection) {
        return records.computeIfAbsent(collection, made -> new HashMap<>());
    }

    /** Changes the host's service, and its nodes in placement. A host without a service has nothing to disable. */
    public Scenario disable(String host, boolean disabled, @Nullable String reason) {
        return disable(List.of(host), disabled, reason);
    }

    /** Changes several hosts at once. */
    public Scenario disable(List<String> hosts, boolean disabled, @Nullable String reason) {
        List<UUID> trees = hosts.stream().flatMap(host -> providersOf(host).stream()).toList();
        // One registry suffices for all: no host shares a service with another.
        RegistrySnapshot soFar = registry();
        hosts.stream().map(soFar::findService).filter(Objects::nonNull).forEach(
                service -> put(Collection.SERVICES, service.disabled(disabled, reason)));
        return fleet("traits", trees, list(disabled ? "add" : "remove", DISABLED));
    }

    /**
     * Changes an aggregate's metadata or hosts; the nodes of its hosts join and leave it in placement.
     *
     * @param metadata null: as it is
     * @param hosts null: as they are
     */
    public Scenario aggregate(
            RegisteredAggregate aggregate, @Nullable Map<String, String> metadata, @Nullable Set<String> hosts) {
        HostAggregate facts = aggregate.facts();
        put(Collection.HOST_AGGREGATES, new RegisteredAggregate(
                aggregate.uuid(),
                metadata == null ? facts : new HostAggregate(facts.id(), facts.uuid(), facts.name(), metadata),
                hosts == null ? aggregate.hosts() : Set.copyOf(hosts)));
        if (hosts != null) {
            members(difference(hosts, aggregate.hosts()), aggregate.uuid(), "add");
            members(difference(aggregate.hosts(), hosts), aggregate.uuid(), "remove");
        }
        return this;
    }

    /**
     * Removes the registration of an instance, and the instance from its node. Does not change placement.
     *
     * @param held by provider and resource class
     */
    public Scenario depart(UUID instance, Map<String, Map<String, Long>> held) {
        RegisteredInstance there = now.findInstance(instance);
        if (there == null) {
            return this;
        }
        remove(Collection.INSTANCES, instance);
        ComputeNode node = now.findNodeOf(there);
        ComputeNode left = node == null ? null : nodeSoFar(node.uuid());
        if (left != null) {
            put(Collection.COMPUTE_NODES, left.without(instance, held));
        }
        return this;
    }

    /**
     * Returns the node with changes that are not in the registry yet: a registry for each of many nodes is too costly.
     */
    private @Nullable ComputeNode nodeSoFar(UUID uuid) {
        Map<UUID, RegistryRecord> changed = records.getOrDefault(Collection.COMPUTE_NODES, Map.of());
        return changed.containsKey(uuid) ? (ComputeNode) changed.get(uuid) : now.findComputeNode(uuid);
    }

    /**
     * Removes an instance; repeated removals have no effect.
     *
     * @param held by provider and resource class, as far as it counts
     */
    public Scenario leave(UUID instance, Map<String, Map<String, Long>> held) {
        if (!gone.add(instance)) {
            return this;
        }
        depart(instance, held);
        held.forEach((provider, amounts) -> {
            Map<String, Long> less = new HashMap<>();
            amounts.forEach((resourceClass, amount) -> less.put(resourceClass, -amount));
            fleet(new FleetUse(provider, less).change());
        });
        return this;
    }

    /**
     * Moves an instance; repeated moves have no effect.
     *
     * @param held by provider and resource class, where it is
     * @param taken the same, where it would be
     */
    public Scenario move(UUID instance, Map<String, Map<String, Long>> held, Map<String, Map<String, Long>> taken) {
        if (!gone.contains(instance)) {
            leave(instance, held);
            taken.forEach((provider, amounts) -> fleet(new FleetUse(provider, amounts).change()));
        }
        return this;
    }

    private static Set<String> difference(Set<String> some, Set<String> others) {
        Set<String> left = new HashSet<>(some);
        left.removeAll(others);
        return left;
    }

    private void members(Set<String> hosts, UUID aggregate, String how) {
        fleet(
                "aggregates", hosts.stream().sorted().flatMap(host -> providersOf(host).stream()).toList(),
                list(how, aggregate.toString()));
    }

    private static ObjectNode list(String member, String only) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.putArray(member).add(only);
        return list;
    }

    private List<UUID> providersOf(String host) {
        List<UUID> known = providers.get(host);
        return known != null
                ? known
                : registry().computeNodesOf(host).stream().map(ComputeNode::uuid).toList();
    }
}
