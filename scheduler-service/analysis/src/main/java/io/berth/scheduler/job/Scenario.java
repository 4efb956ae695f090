package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RecordCollection;
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
 * A scenario: changes of the cloud that are evaluated and not made. Contains the changed records of the registry, and
 * the changes of placement's data: those that the placement sync (the job that writes services, aggregates and nodes'
 * reports to placement) would make for these records, and those that apply to placement only. Each change applies to
 * the result of the earlier changes. Mutable.
 */
public final class Scenario {
    /** The maximum of {@link #references}, some 100 bytes each. A request with more gets the response 413. */
    private static final int REFERENCES_MAX = 200_000;
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";

    /** Records that {@link #registrySoFar} does not contain yet, by collection and uuid; null for a removed record. */
    private final Map<RecordCollection, Map<UUID, RegistryRecord>> records = new EnumMap<>(RecordCollection.class);
    /** Changes of placement's data, as {@code POST /berth/v1/what_if} accepts them. */
    private final ArrayNode fleet = JsonNodeFactory.instance.arrayNode();
    /** For each element of {@link #fleet} the path in the request's body that caused the change. */
    private final List<String> origins = new ArrayList<>();
    /** By host name, the providers of hosts whose providers are not those of their registered nodes. */
    private final Map<String, List<UUID>> providers = new HashMap<>();
    /** Names, by uuid, of roots that are not registered and do not exist in placement. */
    private final Map<String, String> names = new HashMap<>();
    /** The registry with the changes so far, except those in {@link #records}. */
    private RegistrySnapshot registrySoFar;
    /** The path in the request's body that causes the changes that follow. */
    private String origin = "";
    /** Instances that were removed or moved. */
    private final Set<UUID> removedInstances = new HashSet<>();
    /** The number of elements of all lists and maps in {@link #fleet}: uuids, names and amounts. */
    private int references;

    public Scenario(RegistrySnapshot present) {
        this.registrySoFar = present;
    }

    /** Returns the registry with the changes so far. */
    public RegistrySnapshot registry() {
        if (!records.isEmpty()) {
            registrySoFar = registrySoFar.after(records, registrySoFar.asOf());
            records.clear();
        }
        return registrySoFar;
    }

    /** Returns the changes of placement's data, as {@code POST /berth/v1/what_if} accepts them. */
    ArrayNode fleetChanges() {
        return fleet.deepCopy();
    }

    /** Returns, for each of {@link #fleetChanges}, the path in the request's body that caused the change. */
    List<String> origins() {
        return List.copyOf(origins);
    }

    /**
     * Sets the path in the request's body that causes the changes that follow. If placement refuses one of these
     * changes, the error names this path.
     */
    public Scenario setOrigin(String path) {
        origin = path;
        return this;
    }

    /**
     * Sets the providers of a host, for a host whose providers are not those of its registered nodes. Later changes of
     * the host apply to these providers.
     */
    public Scenario setProviders(String host, List<UUID> uuids) {
        providers.put(host, uuids);
        return this;
    }

    /** Returns the names, by uuid, of roots that are not registered and do not exist in placement. */
    Map<String, String> names() {
        return Map.copyOf(names);
    }

    /** Adds a host that is not registered and does not exist in placement yet. */
    public Scenario addUnregisteredHost(String host, UUID root) {
        names.put(root.toString(), host);
        return setProviders(host, List.of(root));
    }

    /**
     * Adds a change of placement. Throws ApiFault (413) if the changes so far contain more than
     * {@value #REFERENCES_MAX} uuids, names and amounts together.
     *
     * @param change one that {@code POST /berth/v1/what_if} accepts
     */
    public Scenario fleet(JsonNode change) {
        for (JsonNode members : change) {
            for (JsonNode listed : members) {
                references += listed.size();
            }
        }
        if (references > REFERENCES_MAX) {
            throw new ApiFault(ErrorCode.BODY_TOO_LARGE, origin + ": the changes so far contain more than "
                    + REFERENCES_MAX + " uuids, names and amounts together: send fewer at a time");
        }
        fleet.add(change);
        origins.add(origin);
        return this;
    }

    /**
     * Adds a change of placement for several provider trees; does nothing if there are none.
     *
     * @param kind name of the change, such as {@code traits}
     * @param trees uuids of the root providers of the trees
     * @param members further members of the change
     */
    public Scenario fleet(String kind, List<UUID> trees, ObjectNode members) {
        if (!trees.isEmpty()) {
            ObjectNode change = JsonNodeFactory.instance.objectNode();
            ObjectNode content = change.putObject(kind);
            ArrayNode list = content.putArray("trees");
            trees.forEach(uuid -> list.add(uuid.toString()));
            content.setAll(members);
            fleet(change);
        }
        return this;
    }

    /**
     * Adapts the report of a compute node to a changed inventory of its provider. Does nothing if the provider is not
     * that of a registered node, or if neither total nor reserved changes.
     *
     * @param inventory the member {@code resource_class}, and those settings of the inventory that change
     */
    public Scenario adaptReport(UUID provider, JsonNode inventory) {
        ComputeNode node = nodeSoFar(provider);
        Long total = amount(inventory.get("total"));
        Long reserved = amount(inventory.get("reserved"));
        return node == null || total == null && reserved == null
                ? this
                : put(RecordCollection.COMPUTE_NODES,
                        node.withAmounts(inventory.path("resource_class").asText(), total, reserved));
    }

    /**
     * Returns an amount; null for a value that is not an integer from 0 to 2147483647, because placement refuses such a
     * change.
     */
    private static @Nullable Long amount(@Nullable JsonNode value) {
        return value != null && value.isIntegralNumber() && value.canConvertToInt() && value.asInt() >= 0
                ? value.asLong()
                : null;
    }

    /** Adds or replaces a record. */
    public Scenario put(RecordCollection collection, RegistryRecord record) {
        of(collection).put(record.uuid(), record);
        return this;
    }

    /** Removes a record. */
    public Scenario remove(RecordCollection collection, UUID uuid) {
        of(collection).put(uuid, null);
        return this;
    }

    private Map<UUID, RegistryRecord> of(RecordCollection collection) {
        return records.computeIfAbsent(collection, key -> new HashMap<>());
    }

    /**
     * Disables or enables the host's service, and adds or removes the trait {@value #DISABLED} of its nodes in
     * placement. For a host without a service, only the trait changes.
     */
    public Scenario setDisabled(String host, boolean disabled, @Nullable String reason) {
        return setDisabled(List.of(host), disabled, reason);
    }

    /**
     * Disables or enables several hosts as {@link #setDisabled(String, boolean, String)} does, but with one change of
     * placement's data for all.
     */
    public Scenario setDisabled(List<String> hosts, boolean disabled, @Nullable String reason) {
        List<UUID> trees = hosts.stream().flatMap(host -> providersOf(host).stream()).toList();
        // One registry is enough for all hosts, because no two hosts share a service.
        RegistrySnapshot soFar = registry();
        hosts.stream().map(soFar::findService).filter(Objects::nonNull).forEach(
                service -> put(RecordCollection.SERVICES, service.disabled(disabled, reason)));
        return fleet("traits", trees, list(disabled ? "add" : "remove", DISABLED));
    }

    /**
     * Changes the metadata or the hosts of an aggregate. In placement, the providers of added hosts join the aggregate,
     * and those of removed hosts leave it.
     *
     * @param aggregate as it is before the change
     * @param metadata the metadata after the change; null: unchanged
     * @param hosts the hosts after the change; null: unchanged
     */
    public Scenario changeAggregate(
            RegisteredAggregate aggregate, @Nullable Map<String, String> metadata, @Nullable Set<String> hosts) {
        HostAggregate facts = aggregate.facts();
        put(RecordCollection.HOST_AGGREGATES, new RegisteredAggregate(
                aggregate.uuid(),
                metadata == null ? facts : new HostAggregate(facts.id(), facts.uuid(), facts.name(), metadata),
                hosts == null ? aggregate.hosts() : Set.copyOf(hosts)));
        if (hosts != null) {
            changeMembers(difference(hosts, aggregate.hosts()), aggregate.uuid(), "add");
            changeMembers(difference(aggregate.hosts(), hosts), aggregate.uuid(), "remove");
        }
        return this;
    }

    /**
     * Removes the registration of an instance, and subtracts the instance from the report of its node. Does not change
     * placement. Does nothing if the instance is not registered.
     *
     * @param held the instance's allocated amounts, by provider uuid and resource class
     */
    public Scenario removeRegistration(UUID instance, Map<String, Map<String, Long>> held) {
        RegisteredInstance registered = registrySoFar.findInstance(instance);
        if (registered == null) {
            return this;
        }
        remove(RecordCollection.INSTANCES, instance);
        ComputeNode node = registrySoFar.findNodeOf(registered);
        ComputeNode nodeBefore = node == null ? null : nodeSoFar(node.uuid());
        if (nodeBefore != null) {
            put(RecordCollection.COMPUTE_NODES, nodeBefore.without(instance, held));
        }
        return this;
    }

    /**
     * Returns a node with all changes so far, those in {@link #records} included; null if it does not exist. Does not
     * call {@link #registry()}, because to compute the registry again for each of many nodes would be too slow.
     */
    private @Nullable ComputeNode nodeSoFar(UUID uuid) {
        Map<UUID, RegistryRecord> changed = records.getOrDefault(RecordCollection.COMPUTE_NODES, Map.of());
        return changed.containsKey(uuid) ? (ComputeNode) changed.get(uuid) : registrySoFar.findComputeNode(uuid);
    }

    /**
     * Removes an instance and frees allocations. Does nothing if the instance was removed or moved before.
     *
     * @param held the allocated amounts to free, by provider and resource class
     */
    public Scenario removeInstance(UUID instance, Map<String, Map<String, Long>> held) {
        if (!removedInstances.add(instance)) {
            return this;
        }
        removeRegistration(instance, held);
        held.forEach((provider, amounts) -> {
            Map<String, Long> negative = new HashMap<>();
            amounts.forEach((resourceClass, amount) -> negative.put(resourceClass, -amount));
            fleet(new FleetUse(provider, negative).change());
        });
        return this;
    }

    /**
     * Moves an instance's allocations and removes its registration. Does nothing if the instance was removed or moved
     * before.
     *
     * @param held the allocated amounts to free, by provider and resource class
     * @param taken the amounts to allocate, by provider and resource class
     */
    public Scenario move(UUID instance, Map<String, Map<String, Long>> held, Map<String, Map<String, Long>> taken) {
        if (!removedInstances.contains(instance)) {
            removeInstance(instance, held);
            taken.forEach((provider, amounts) -> fleet(new FleetUse(provider, amounts).change()));
        }
        return this;
    }

    private static Set<String> difference(Set<String> first, Set<String> second) {
        Set<String> onlyFirst = new HashSet<>(first);
        onlyFirst.removeAll(second);
        return onlyFirst;
    }

    /**
     * Adds the providers of hosts to an aggregate in placement, or removes them.
     *
     * @param how {@code add} or {@code remove}
     */
    private void changeMembers(Set<String> hosts, UUID aggregate, String how) {
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
        List<UUID> differing = providers.get(host);
        return differing != null
                ? differing
                : registry().computeNodesOf(host).stream().map(ComputeNode::uuid).toList();
    }
}
