package io.berth.scheduler.api;

import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersAnswer;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.query.NamedHosts;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Finds the compute nodes that a request names, by destination or by forced host or node: registered ones first, then
 * providers of that name.
 * <br>Source: nova {@code scheduler/utils.py} (resources_from_request_spec).
 */
@Singleton
class HostLookup {
    private final ProviderNames names;

    HostLookup(ProviderNames names) {
        this.names = names;
    }

    /** What the search can come to. */
    sealed interface Result {}

    /** @param spec the request, with its destination made exact where one node was found for it */
    record Found(RequestSpec spec, NamedHosts hosts) implements Result {}

    record NoSuchHost(String why) implements Result {}

    record Unreachable(String why) implements Result {}

    Uni<Result> find(RequestSpec spec, RegistrySnapshot registry, String requestId) {
        RequestedDestination destination = spec.requestedDestination();
        String host = named(destination == null ? null : destination.host(), spec.forceHosts());
        String node = named(destination == null ? null : destination.node(), spec.forceNodes());
        if (host == null && node == null) {
            return Uni.createFrom().item(new Found(spec, NamedHosts.NONE));
        }
        List<ComputeNode> nodes = registry.listComputeNodes().stream()
                .filter(each -> (host == null || each.host().equals(host))
                        && (node == null || each.nodename().equals(node))
                        && isInCell(each, destination))
                .toList();
        if (!nodes.isEmpty()) {
            return Uni.createFrom().item(found(spec, nodes));
        }
        String name = node == null ? host : node;
        return names.named(List.of(name), requestId).map(answer -> switch (answer) {
            case ProvidersAnswer.Unreachable(String why) -> new Unreachable(why);
            case ProvidersAnswer.Listed listed when listed.namesByUuid().isEmpty() ->
                new NoSuchHost("no such host: " + name);
            case ProvidersAnswer.Listed listed -> new Found(
                    spec, new NamedHosts(true, List.copyOf(listed.namesByUuid().keySet())));
        });
    }

    private static Found found(RequestSpec spec, List<ComputeNode> nodes) {
        NamedHosts hosts = new NamedHosts(
                true, nodes.stream().map(node -> node.uuid().toString()).toList());
        RequestedDestination destination = spec.requestedDestination();
        if (nodes.size() != 1 || destination == null) {
            return new Found(spec, hosts);
        }
        ComputeNode node = nodes.getFirst();
        RequestedDestination exact = new RequestedDestination(
                node.host(), node.nodename(), destination.cellUuid(), destination.allowCrossCellMove());
        return new Found(spec.toBuilder().requestedDestination(exact).build(), hosts);
    }

    private static boolean isInCell(ComputeNode node, RequestedDestination destination) {
        return destination == null
                || destination.cellUuid() == null
                || destination.allowCrossCellMove()
                || destination.cellUuid().equals(node.cellUuid());
    }

    private static String named(String wanted, List<String> forced) {
        if (wanted != null && !wanted.isEmpty()) {
            return wanted;
        }
        return forced.isEmpty() ? null : forced.getFirst();
    }
}
