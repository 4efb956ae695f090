package io.berth.scheduler.api;

import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.move.SourceHost;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersAnswer;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** What is to be known of the host an instance leaves: its name, its cell, and whether the instance may stay there. */
@Singleton
class MoveSources {
    /** Of providers whose hypervisor can migrate an instance to the host it is on. */
    private static final String SAME_HOST_TRAIT = "COMPUTE_SAME_HOST_COLD_MIGRATE";

    private final ConfiguredOptions configured;
    private final PlacementClient placement;
    private final ProviderNames names;

    MoveSources(ConfiguredOptions configured, PlacementClient placement, ProviderNames names) {
        this.configured = configured;
        this.placement = placement;
        this.names = names;
    }

    /**
     * @param host null where a shelved instance is on none that is known
     * @param staysAllowed whether the source may be selected again
     */
    record Source(@Nullable SourceHost host, boolean staysAllowed) {}

    /** Fails with ApiFault: 400 for a compute node that nobody knows, 503 when placement cannot be asked. */
    Uni<Source> find(MoveBody body, RegistrySnapshot registry, String requestId) {
        return host(body, registry, requestId).chain(host -> staysAllowed(body, requestId)
                .map(allowed -> new Source(host, allowed)));
    }

    private Uni<SourceHost> host(MoveBody body, RegistrySnapshot registry, String requestId) {
        UUID uuid = body.sourceUuid();
        if (uuid == null) {
            return Uni.createFrom().item(lastHostOf(body.instanceUuid(), registry));
        }
        ComputeNode node = registry.findComputeNode(uuid);
        if (node != null) {
            return Uni.createFrom().item(new SourceHost(node.host(), node.cellUuid()));
        }
        return names.of(Set.of(uuid.toString()), requestId).map(answer -> {
            String name = listed(answer).namesByUuid().get(uuid.toString());
            if (name == null) {
                throw ApiFault.invalid("$.source_compute_node_uuid: there is no compute node " + uuid);
            }
            return new SourceHost(name, null);
        });
    }

    private static @Nullable SourceHost lastHostOf(UUID instance, RegistrySnapshot registry) {
        RegisteredInstance registered = registry.findInstance(instance);
        return registered == null
                ? null
                : registry.listComputeNodes().stream()
                        .filter(node -> node.host().equals(registered.host())
                                && (registered.nodename() == null
                                        || Objects.equals(node.nodename(), registered.nodename())))
                        .findFirst()
                        .map(node -> new SourceHost(node.host(), node.cellUuid()))
                        .orElse(null);
    }

    private Uni<Boolean> staysAllowed(MoveBody body, String requestId) {
        return switch (body.kind()) {
            case RESIZE -> Uni.createFrom().item(configured.options().defaults().allowResizeToSameHost());
            case COLD -> placement
                    .findProviders("uuid=" + body.sourceUuid() + "&required=" + SAME_HOST_TRAIT, requestId)
                    .map(answer -> !listed(answer).namesByUuid().isEmpty());
            case LIVE, EVACUATE, UNSHELVE -> Uni.createFrom().item(body.kind() == MoveKind.UNSHELVE);
        };
    }

    private static ProvidersAnswer.Listed listed(ProvidersAnswer answer) {
        return switch (answer) {
            case ProvidersAnswer.Listed listed -> listed;
            case ProvidersAnswer.Unreachable(String why) -> throw new ApiFault(
                    ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: " + why);
        };
    }
}
