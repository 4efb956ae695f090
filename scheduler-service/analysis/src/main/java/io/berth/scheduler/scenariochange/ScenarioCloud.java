package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Scenario;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The cloud with the changes so far. {@link ScenarioChange} objects apply themselves to this cloud, one after the
 * other, and {@link Selector} finds hosts in it. Mutable. Blocks while it queries placement; for the analysis worker
 * only.
 */
final class ScenarioCloud {
    private static final String ZONE = "availability_zone";
    /** The number of consumers whose allocations are read between two checks of the deadline. */
    private static final int READ_BATCH = 64;

    final Snapshot present;
    final Scenario changes;
    /** Statements of the changes so far, by the subject of the statement. */
    private final Map<List<String>, Statement> statements = new HashMap<>();
    /** For each removed host the path of the change that removed it. */
    private final Map<String, String> removedHosts = new HashMap<>();
    /** Root providers of added hosts that are not registered, by host. */
    private final Map<String, UUID> addedHosts = new HashMap<>();
    /** All root providers that changes add to placement, of registered and of unregistered hosts. */
    private final Set<UUID> addedRoots = new HashSet<>();
    /** Instances that changes removed. */
    private final Set<UUID> removedInstances = new HashSet<>();
    private @Nullable Roots roots;

    /**
     * A statement of a change about a subject, such as that the service of a host is disabled.
     *
     * @param what the statement
     * @param path path of the change in the body
     */
    private record Statement(Object what, String path) {}

    /**
     * The root providers that placement has without the changes.
     *
     * @param names names by uuid, in placement's order
     * @param byName uuids by name
     * @param sharing uuids of the roots whose trees only share resources with other trees, and so are no hosts
     */
    private record Roots(Map<UUID, String> names, Map<String, UUID> byName, Set<UUID> sharing) {}

    ScenarioCloud(Snapshot present) {
        this.present = present;
        this.changes = new Scenario(present.registry());
    }

    /** Returns the registry with the changes so far. */
    RegistrySnapshot registry() {
        return changes.registry();
    }

    /** Returns the cloud with the changes so far. */
    Snapshot now() {
        return present.with(changes);
    }

    /**
     * Notes what a change states about a subject. Throws ApiFault (400) if an earlier change states something else
     * about it.
     *
     * @param path path of the change
     * @param what the statement, compared with {@code equals}
     * @param about the words of the subject, such as {@code the service of} and the name of a host
     */
    void refuseContradiction(String path, Object what, String... about) {
        Statement earlier = statements.putIfAbsent(List.of(about), new Statement(what, path));
        if (earlier != null && !earlier.what().equals(what)) {
            throw ApiFault.invalid("%s: contradicts %s: %s".formatted(path, earlier.path(), String.join(" ", about)));
        }
    }

    /**
     * Notes that a change removed a host.
     *
     * @param path path of the change in the body
     */
    void noteRemovedHost(SelectedHost host, String path) {
        removedHosts.put(host.host(), path);
        addedHosts.remove(host.host());
        changes.setProviders(host.host(), List.of());
    }

    /** Notes that a change removes an instance. Returns false if an earlier change removed it. */
    boolean noteRemovedInstance(UUID instance) {
        return removedInstances.add(instance);
    }

    /**
     * Returns the allocations that consumers have now in placement, by consumer. Throws {@link DeadlineExceeded} at the
     * deadline.
     */
    Map<UUID, AllocationsResult.Allocations> allocationsOf(List<UUID> consumers) {
        Map<UUID, AllocationsResult.Allocations> held = HashMap.newHashMap(consumers.size());
        for (int from = 0; from < consumers.size(); from += READ_BATCH) {
            if (present.deadline().isUp()) {
                throw new DeadlineExceeded();
            }
            held.putAll(present.allocations(consumers.subList(from, Math.min(consumers.size(), from + READ_BATCH))));
        }
        return held;
    }

    /** Notes that a change adds a host that is not registered. */
    void noteAddedHost(String host, UUID root) {
        addedHosts.put(host, root);
        changes.addUnregisteredHost(host, root);
    }

    /** Notes that a change adds provider trees with these roots to placement. */
    void noteAddedRoots(List<UUID> roots) {
        addedRoots.addAll(roots);
    }

    /** Returns whether a host, a host that was removed, or a root provider has this name. */
    boolean isTaken(String host) {
        return removedHosts.containsKey(host) || addedHosts.containsKey(host)
                || !registry().computeNodesOf(host).isEmpty() || registry().findService(host) != null
                || roots().byName().containsKey(host);
    }

    /** Returns whether placement has this root provider without the changes, or a change adds it. */
    boolean isRoot(UUID provider) {
        return roots().names().containsKey(provider) || addedRoots.contains(provider);
    }

    /**
     * Returns the selected hosts. Throws ApiFault: 404 if a host that the selector names does not exist, 400 if an
     * earlier change removed such a host, or if no host is selected.
     */
    List<SelectedHost> find(Selector selector) {
        List<SelectedHost> found = switch (selector.by()) {
            case HOSTS -> named(selector);
            case ZONE -> matching(host -> isInZone(host, selector.values().getFirst()));
            case AGGREGATE -> members(selector);
            case TRAIT -> matchingHosts(selector, new FleetQuery.Roots(null, selector.values().getFirst(), null));
            case ALL -> matching(host -> true);
        };
        if (found.isEmpty()) {
            throw ApiFault.invalid(selector.path() + ": selects no host"
                    + (selector.values().isEmpty() ? "" : ": " + selector.values().getFirst()));
        }
        return found;
    }

    /**
     * Returns the selected hosts, for a change. Leaves out nodes whose provider placement does not have, because
     * placement refuses to change them.
     */
    List<SelectedHost> findForChange(Selector selector) {
        return find(selector).stream().map(this::prepare).toList();
    }

    /**
     * Returns the host with only those providers that placement has. Later changes of the host in the scenario apply to
     * these providers.
     */
    private SelectedHost prepare(SelectedHost host) {
        List<UUID> providers = host.providers().stream().filter(this::isRoot).toList();
        changes.setProviders(host.host(), providers);
        return new SelectedHost(host.host(), providers);
    }

    private List<SelectedHost> named(Selector selector) {
        return IntStream.range(0, selector.values().size())
                .mapToObj(i -> find(selector.values().get(i), selector.path() + "[" + i + "]"))
                .toList();
    }

    /**
     * Returns the host of a name, for a change. Throws ApiFault: 404 if the host does not exist, 400 if an earlier
     * change removed it.
     */
    SelectedHost findForChange(String host, String path) {
        return prepare(find(host, path));
    }

    /**
     * Prepares the host of a name for a change, as {@link #findForChange} does; does nothing if the host does not
     * exist.
     */
    void prepareIfPresent(String host) {
        SelectedHost found = find(host);
        if (found != null) {
            prepare(found);
        }
    }

    private SelectedHost find(String host, String path) {
        if (removedHosts.containsKey(host)) {
            throw ApiFault.invalid("%s: host %s is removed by %s".formatted(path, host, removedHosts.get(host)));
        }
        SelectedHost found = find(host);
        if (found == null) {
            throw ApiFault.notFound("%s: there is no host %s".formatted(path, host));
        }
        return found;
    }

    /**
     * Returns the host of a name: a host with registered nodes, a host that is not registered, or a host that has only
     * a service. Returns null if there is none.
     */
    private @Nullable SelectedHost find(String host) {
        List<ComputeNode> nodes = registry().computeNodesOf(host);
        if (!nodes.isEmpty()) {
            return new SelectedHost(host, nodes.stream().map(ComputeNode::uuid).toList());
        }
        UUID root = addedHosts.containsKey(host) ? addedHosts.get(host) : roots().byName().get(host);
        if (root != null && !addedHosts.containsKey(host) && !isUnregistered(root, host)) {
            root = null;
        }
        if (root == null) {
            return registry().findService(host) == null ? null : new SelectedHost(host, List.of());
        }
        return new SelectedHost(host, List.of(root));
    }

    /**
     * Returns whether a root provider is a host that is not registered: it is no node's provider, neither with the
     * changes nor without; its tree does not only share resources; and no change removed the host of this name.
     */
    private boolean isUnregistered(UUID root, String name) {
        return registry().findComputeNode(root) == null && present.registry().findComputeNode(root) == null
                && !roots().sharing().contains(root) && !removedHosts.containsKey(name);
    }

    /**
     * Returns the hosts whose names match, registered or not, sorted by name. Leaves out nodes that placement does not
     * have, and registered hosts of which placement has no node.
     */
    private List<SelectedHost> matching(Predicate<String> isSelected) {
        Map<String, List<UUID>> found = new TreeMap<>();
        for (ComputeNode node : registry().listComputeNodes()) {
            if (isRoot(node.uuid())) {
                found.computeIfAbsent(node.host(), key -> new ArrayList<>()).add(node.uuid());
            }
        }
        roots().names().forEach((root, host) -> {
            if (isUnregistered(root, host)) {
                found.putIfAbsent(host, List.of(root));
            }
        });
        addedHosts.forEach((host, root) -> found.putIfAbsent(host, List.of(root)));
        found.keySet().removeIf(isSelected.negate());
        return toSelected(found);
    }

    private static List<SelectedHost> toSelected(Map<String, List<UUID>> found) {
        return found.entrySet().stream().map(each -> new SelectedHost(each.getKey(), each.getValue())).toList();
    }

    /**
     * Returns whether the host is in the zone. The zones of a host are in the metadata of its aggregates; without any,
     * the host is in the default zone.
     */
    boolean isInZone(String host, String zone) {
        Set<String> zones = AggregateMetadata.items(registry().aggregatesOf(host), ZONE);
        return zones.isEmpty()
                ? zone.equals(present.options().defaults().defaultAvailabilityZone())
                : zones.contains(zone);
    }

    /**
     * Returns the hosts of a registered aggregate, or of an aggregate that only placement has, which must be given by
     * uuid. Leaves out members that do not exist. Empty if the aggregate does not exist.
     */
    private List<SelectedHost> members(Selector selector) {
        String uuidOrName = selector.values().getFirst();
        RegisteredAggregate aggregate = findAggregate(uuidOrName);
        if (aggregate != null) {
            return new TreeSet<>(aggregate.hosts()).stream().map(this::find).filter(Objects::nonNull).toList();
        }
        UUID uuid = Uuids.find(uuidOrName);
        return uuid == null ? List.of() : matchingHosts(selector, new FleetQuery.Roots(null, null, uuid));
    }

    /** Finds a registered aggregate by uuid or name; null if there is none. */
    @Nullable RegisteredAggregate findAggregate(String uuidOrName) {
        UUID uuid = Uuids.find(uuidOrName);
        return uuid != null
                ? registry().findAggregate(uuid)
                : registry().listAggregates().stream()
                        .filter(each -> uuidOrName.equals(each.name()))
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Returns the hosts of the trees that a query of placement lists, sorted by name. Leaves out trees without a
     * registered node that only share resources with other trees.
     */
    private List<SelectedHost> matchingHosts(Selector selector, FleetQuery.Roots query) {
        JsonNode response;
        try {
            response = response(now(), query);
        } catch (ApiFault fault) {
            // The error names a member of the query, which becomes the path of the selector in the body.
            String detail = fault.error().detail();
            int place = detail.indexOf("asks[0].roots.");
            throw place < 0
                    ? fault
                    : new ApiFault(fault.error().code(),
                            selector.path() + detail.substring(detail.indexOf(':', place)));
        }
        Map<String, List<UUID>> found = new TreeMap<>();
        Set<UUID> sharing = sharing(response);
        for (int i = 0; i < response.path("roots").size(); i++) {
            UUID root = uuid(response, i);
            ComputeNode node = registry().findComputeNode(root);
            if (node != null) {
                found.computeIfAbsent(
                        node.host(),
                        host -> registry().computeNodesOf(host).stream().map(ComputeNode::uuid).toList());
            } else if (!sharing.contains(root)) {
                found.putIfAbsent(response.path("names").get(i).asText(), List.of(root));
            }
        }
        return toSelected(found);
    }

    /**
     * Returns placement's response to a query. Throws {@link DeadlineExceeded} if there is none because the time is up.
     */
    private static JsonNode response(Snapshot snapshot, FleetQuery.Roots query) {
        JsonNode response = snapshot.deadline().isUp() ? null : snapshot.ask(List.of(query)).json(0);
        if (response == null) {
            throw new DeadlineExceeded();
        }
        return response;
    }

    private static UUID uuid(JsonNode response, int index) {
        return UUID.fromString(response.path("roots").get(index).asText());
    }

    private static Set<UUID> sharing(JsonNode response) {
        Set<UUID> sharing = new HashSet<>();
        response.path("sharing").forEach(index -> sharing.add(uuid(response, index.asInt())));
        return sharing;
    }

    /** Returns placement's root providers without the changes; queries them once. */
    private Roots roots() {
        if (roots == null) {
            JsonNode response = response(present, new FleetQuery.Roots(null, null, null));
            int count = response.path("roots").size();
            Map<UUID, String> names = LinkedHashMap.newLinkedHashMap(count);
            Map<String, UUID> byName = HashMap.newHashMap(count);
            for (int i = 0; i < count; i++) {
                String name = response.path("names").get(i).asText();
                names.put(uuid(response, i), name);
                byName.put(name, uuid(response, i));
            }
            roots = new Roots(names, byName, sharing(response));
        }
        return roots;
    }

    /**
     * Returns a registered aggregate with this zone in its metadata; null if there is none. Of several aggregates,
     * returns the one with the fewest metadata keys, then the one with the lowest uuid.
     */
    @Nullable RegisteredAggregate findAggregateOfZone(String zone) {
        return registry().listAggregates().stream()
                .filter(each -> each.metadata().containsKey(ZONE)
                        && AggregateMetadata.split(each.metadata().get(ZONE)).contains(zone))
                .min(Comparator.<RegisteredAggregate>comparingInt(each -> each.metadata().size())
                        .thenComparing(RegisteredAggregate::uuid))
                .orElse(null);
    }
}
