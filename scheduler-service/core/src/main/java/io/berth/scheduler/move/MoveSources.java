package io.berth.scheduler.move;

import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.instancecleanup.InstanceCleanups;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProvidersResult;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the host that an instance leaves: its name, cell and providers, and whether it may be selected as the target.
 */
@Singleton
class MoveSources {
    /** Trait of compute nodes whose hypervisor can cold-migrate an instance to the host where the instance is. */
    private static final String SAME_HOST_TRAIT = "COMPUTE_SAME_HOST_COLD_MIGRATE";

    private final ConfiguredOptions configured;
    private final PlacementClient placement;
    private final InstanceCleanups cleanups;

    MoveSources(ConfiguredOptions configured, PlacementClient placement, InstanceCleanups cleanups) {
        this.configured = configured;
        this.placement = placement;
        this.cleanups = cleanups;
    }

    /**
     * The host that an instance leaves.
     *
     * @param host null if the last host of a shelved instance is unknown
     * @param providers uuids of the providers in the host's tree; empty for a shelved instance
     * @param sameHostAllowed whether this host may be selected as the target
     */
    record Source(@Nullable SourceHost host, Set<String> providers, boolean sameHostAllowed) {}

    /**
     * Finds the source of a move. Fails with ApiFault: 400 for a compute node that placement does not know, 503 if
     * placement does not respond.
     */
    Uni<Source> find(MoveRequest moveRequest, RegistrySnapshot registry, String requestId) {
        UUID source = moveRequest.sourceUuid();
        if (source == null) {
            return lastHostOf(moveRequest.instanceUuid(), registry)
                    .map(lastHost -> new Source(lastHost, Set.of(), true));
        }
        return placement.findProviders("in_tree=" + source, requestId)
                .chain(answer -> isSameHostAllowed(moveRequest, requestId)
                        .map(allowed -> source(source, registry, listed(answer), allowed)));
    }

    private static Source source(
            UUID uuid, RegistrySnapshot registry, ProvidersResult.Listed tree, boolean sameHostAllowed) {
        String name = tree.namesByUuid().get(uuid.toString());
        if (name == null) {
            throw ApiFault.invalid("$.source_compute_node_uuid: there is no compute node " + uuid);
        }
        ComputeNode node = registry.findComputeNode(uuid);
        SourceHost host =
                node == null ? new SourceHost(name, null) : new SourceHost(node.host(), node.cellUuid());
        return new Source(host, tree.namesByUuid().keySet(), sameHostAllowed);
    }

    /**
     * Returns the host on which the instance is or was registered; null if this host is unknown, or is not in the
     * registry any more.
     */
    private Uni<SourceHost> lastHostOf(UUID instance, RegistrySnapshot registry) {
        RegisteredInstance registered = registry.findInstance(instance);
        return registered != null
                ? Uni.createFrom().item(findHost(registered.host(), registered.nodename(), registry))
                : cleanups.lastPlace(instance)
                        .map(place -> place == null ? null : findHost(place.host(), place.nodename(), registry));
    }

    /** @param nodename null to accept any node of the host */
    private static @Nullable SourceHost findHost(String host, @Nullable String nodename, RegistrySnapshot registry) {
        return registry.computeNodesOf(host).stream()
                .filter(node -> nodename == null || node.nodename().equals(nodename))
                .findFirst()
                .map(node -> new SourceHost(node.host(), node.cellUuid()))
                .orElse(null);
    }

    private Uni<Boolean> isSameHostAllowed(MoveRequest moveRequest, String requestId) {
        return switch (moveRequest.kind()) {
            case RESIZE -> Uni.createFrom().item(configured.options().defaults().allowResizeToSameHost());
            case COLD -> placement
                    .findProviders("uuid=" + moveRequest.sourceUuid() + "&required=" + SAME_HOST_TRAIT, requestId)
                    .map(answer -> !listed(answer).namesByUuid().isEmpty());
            case LIVE, EVACUATE -> Uni.createFrom().item(false);
            case UNSHELVE -> Uni.createFrom().item(true);
        };
    }

    private static ProvidersResult.Listed listed(ProvidersResult answer) {
        return switch (answer) {
            case ProvidersResult.Listed listed -> listed;
            case ProvidersResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
        };
    }
}
