package io.berth.scheduler.search;

import io.berth.model.text.NearNames;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.query.NamedHosts;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Finds the compute nodes that a request names, as its destination or as forced hosts or nodes. As in nova, only the
 * first forced host and the first forced node count. Looks in the registry first, then for a resource provider of that
 * name in placement.
 * <br>Source: nova {@code scheduler/utils.py} (resources_from_request_spec).
 */
@Singleton
class NamedHostLookup {
    private final PlacementClient placement;

    NamedHostLookup(PlacementClient placement) {
        this.placement = placement;
    }

    /** The result of the lookup. */
    sealed interface Result {}

    /**
     * The named hosts; all hosts if the request names none.
     *
     * @param spec the request. If it names a destination that only one node matches, its destination is this node
     * @param namesByUuid uuid to name of those named hosts that are not registered
     */
    record Found(RequestSpec spec, NamedHosts hosts, Map<String, String> namesByUuid) implements Result {}

    /**
     * No compute node has the name, or each node of that name is in a cell that the request must not cross to.
     *
     * @param messageEnd end of the error message: similar names, or the cell in which the host is; may be empty
     */
    record NoSuchHost(@Nullable String host, @Nullable String node, String messageEnd) implements Result {
        String why() {
            return "no such host: " + name(host, node) + messageEnd;
        }

        /** Returns the message in nova's words, including its trailing blank. */
        String reason() {
            return "No such host - host: " + Objects.toString(host, "None") + " node: " + Objects.toString(node, "None")
                    + " ";
        }
    }

    record Unreachable(String why) implements Result {}

    /** Finds the hosts that a request names. */
    Uni<Result> find(RequestSpec spec, RegistrySnapshot registry, String requestId) {
        RequestedDestination destination = spec.requestedDestination();
        String host = firstName(destination == null ? null : destination.host(), spec.forceHosts());
        String node = firstName(destination == null ? null : destination.node(), spec.forceNodes());
        if (host == null && node == null) {
            return Uni.createFrom().item(new Found(spec, NamedHosts.NONE, Map.of()));
        }
        List<ComputeNode> namedNodes = findNamed(registry, host, node);
        if (namedNodes.isEmpty()) {
            return findUnregistered(spec, registry, host, node, requestId);
        }
        List<ComputeNode> nodes = namedNodes.stream().filter(each -> isInCell(each, destination)).toList();
        return Uni.createFrom().item(nodes.isEmpty() && destination != null
                ? new NoSuchHost(host, node, otherCellHint(namedNodes.getFirst(), destination, registry))
                : toFound(spec, nodes));
    }

    private static String otherCellHint(ComputeNode node, RequestedDestination destination, RegistrySnapshot registry) {
        return " in cell %s: it is in cell %s, and the request must not cross cells"
                .formatted(cell(destination.cellUuid(), registry), cell(node.cellUuid(), registry));
    }

    private static String cell(@Nullable String text, RegistrySnapshot registry) {
        UUID uuid = text == null ? null : Uuids.find(text);
        Cell cell = uuid == null ? null : registry.findCell(uuid);
        return cell == null ? Objects.requireNonNullElse(text, "of no name") : cell.name();
    }

    /**
     * Returns the nodes whose names match exactly, or else those whose names differ only in case. Nova ignores the case
     * of forced hosts, and of all names if its databases are in MariaDB.
     */
    private static List<ComputeNode> findNamed(
            RegistrySnapshot registry, @Nullable String host, @Nullable String node) {
        List<ComputeNode> ofHost = host == null ? registry.listComputeNodes() : registry.computeNodesOf(host);
        List<ComputeNode> exactMatches =
                ofHost.stream().filter(each -> node == null || each.nodename().equals(node)).toList();
        return !exactMatches.isEmpty() ? exactMatches : registry.listComputeNodes().stream()
                .filter(each -> (host == null || each.host().equalsIgnoreCase(host))
                        && (node == null || each.nodename().equalsIgnoreCase(node)))
                .toList();
    }

    /**
     * Finds the host for a request whose instance stays on its host: the host that the request names, or else the host
     * that the instance's registration names, if this host is not registered. Without such a host, the result names
     * none.
     */
    Uni<Result> findStaying(RequestSpec spec, RegistrySnapshot registry, String requestId) {
        return find(spec, registry, requestId).chain(found -> {
            RegisteredInstance instance = found instanceof Found(_, NamedHosts hosts, _) && !hosts.isRestricted()
                    ? registered(spec, registry)
                    : null;
            return instance == null || !registry.computeNodesOf(instance.host()).isEmpty()
                    ? Uni.createFrom().item(found)
                    : findUnregistered(spec, registry, instance.host(), null, requestId);
        });
    }

    private static @Nullable RegisteredInstance registered(RequestSpec spec, RegistrySnapshot registry) {
        UUID uuid = spec.instanceUuids().isEmpty() ? null : Uuids.find(spec.instanceUuids().getFirst());
        return uuid == null ? null : registry.findInstance(uuid);
    }

    private Uni<Result> findUnregistered(
            RequestSpec spec, RegistrySnapshot registry, @Nullable String host, @Nullable String node,
            String requestId) {
        String query = "name=" + URLEncoder.encode(name(host, node), StandardCharsets.UTF_8);
        return placement.findProviders(query, requestId).map(answer -> switch (answer) {
            case ProvidersResult.Unreachable(String why) -> new Unreachable(why);
            case ProvidersResult.Listed(Map<String, String> found) -> unregistered(spec, registry, host, node, found);
        });
    }

    /**
     * Returns the result for a name that is not registered: the providers of that name in placement, without those of
     * nodes that are registered under another host name. If none is left, returns an error that names the hosts of
     * these nodes, or else similar names.
     */
    private static Result unregistered(
            RequestSpec spec, RegistrySnapshot registry, @Nullable String host, @Nullable String node,
            Map<String, String> found) {
        Map<String, String> unregisteredProviders = new LinkedHashMap<>(found);
        List<String> hosts = new ArrayList<>();
        found.keySet().forEach(provider -> {
            UUID uuid = Uuids.find(provider);
            ComputeNode registered = uuid == null ? null : registry.findComputeNode(uuid);
            if (registered != null) {
                unregisteredProviders.remove(provider);
                hosts.add(registered.host());
            }
        });
        if (!unregisteredProviders.isEmpty()) {
            return new Found(
                    spec, new NamedHosts(true, List.copyOf(unregisteredProviders.keySet())), unregisteredProviders);
        }
        return new NoSuchHost(host, node,
                hosts.isEmpty() ? nearNames(registry, host, node) : "; near: " + String.join(", ", hosts));
    }

    /**
     * Returns the end of the error message: a known name that differs only in its domain or in case, or else similar
     * names; empty if there are none.
     */
    private static String nearNames(RegistrySnapshot registry, @Nullable String host, @Nullable String node) {
        String name = name(host, node);
        List<String> knownNames =
                registry.listComputeNodes().stream().map(each -> node == null ? each.host() : each.nodename()).toList();
        return knownNames.stream()
                .filter(each -> withoutDomain(each).equalsIgnoreCase(withoutDomain(name)))
                .findFirst()
                .map(each -> "; near: " + each)
                .orElseGet(() -> NearNames.hint(name, knownNames));
    }

    private static String withoutDomain(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static Found toFound(RequestSpec spec, List<ComputeNode> nodes) {
        NamedHosts hosts = new NamedHosts(
                true, nodes.stream().map(node -> node.uuid().toString()).toList());
        RequestedDestination destination = spec.requestedDestination();
        if (nodes.size() != 1 || destination == null) {
            return new Found(spec, hosts, Map.of());
        }
        ComputeNode node = nodes.getFirst();
        return new Found(
                spec.toBuilder().requestedDestination(destination.at(node.host(), node.nodename())).build(),
                hosts,
                Map.of());
    }

    private static boolean isInCell(ComputeNode node, @Nullable RequestedDestination destination) {
        String cell = destination == null || destination.allowCrossCellMove() ? null : destination.cellUuid();
        return cell == null || cell.equals(node.cellUuid());
    }

    /** Returns the name of the node, or else of the host; at least one is not null. */
    private static String name(@Nullable String host, @Nullable String node) {
        return node == null ? Objects.requireNonNull(host) : node;
    }

    private static @Nullable String firstName(@Nullable String requestedName, List<String> forced) {
        if (requestedName != null && !requestedName.isEmpty()) {
            return requestedName;
        }
        return forced.isEmpty() ? null : forced.getFirst();
    }
}
