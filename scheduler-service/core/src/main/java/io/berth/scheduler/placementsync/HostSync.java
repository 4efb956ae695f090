package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.ProviderReport;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.ProviderResult;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Writes the state of one host in the current registry to placement. The providers of a host are those of its compute
 * nodes. For a host without a registered compute node, looks up the provider that has the name of the host, and writes
 * to the root of this provider's tree, unless the root is a compute node of another host.
 * <br>Source: nova {@code scheduler/client/report.py} (aggregate_add_host, aggregate_remove_host).
 */
@Singleton
class HostSync {
    private final RegistryFeed registry;
    private final ResourceProviders providers;
    private final ProviderSync providerSync;

    HostSync(RegistryFeed registry, ResourceProviders providers, ProviderSync providerSync) {
        this.registry = registry;
        this.providers = providers;
        this.providerSync = providerSync;
    }

    /** Writes the pending changes of a host. The Uni fails only if the registry cannot be read. */
    Uni<SyncResult> sync(PendingHost pending) {
        String requestId = "req-" + UUID.randomUUID();
        return registry.current().chain(snapshot -> {
            List<ComputeNode> nodes = snapshot.computeNodesOf(pending.host());
            return nodes.isEmpty()
                    ? writeByName(pending, snapshot, requestId)
                    : writeAll(
                            nodes.stream().map(node -> updateOf(pending, snapshot, node)).toList(), requestId);
        });
    }

    /**
     * Returns the names of the hosts whose providers have the trait {@value DesiredTraits#DISABLED}: the host of a
     * registered compute node, and the provider's own name for any other provider. Empty if there is no usable response
     * of placement. The Uni fails if the registry cannot be read.
     */
    Uni<Set<String>> disabledInPlacement() {
        return registry.current().chain(snapshot -> providers
                .findByTrait(DesiredTraits.DISABLED, "req-" + UUID.randomUUID())
                .map(answer -> {
                    Set<String> hosts = new HashSet<>();
                    if (answer instanceof ProviderResult.Done(JsonNode body)) {
                        body.path("resource_providers").forEach(provider -> {
                            ComputeNode node =
                                    snapshot.findComputeNode(UUID.fromString(provider.path("uuid").asText()));
                            hosts.add(node == null ? provider.path("name").asText() : node.host());
                        });
                    }
                    return hosts;
                }));
    }

    /**
     * Writes the updates of all providers of a host. Continues after an update that placement refuses; stops if
     * placement does not respond. Returns Unreachable if it stopped, otherwise the last refusal, or Done without one.
     */
    private Uni<SyncResult> writeAll(List<ProviderUpdate> changes, String requestId) {
        AtomicReference<SyncResult> outcome = new AtomicReference<>(SyncResult.DONE);
        return Multi.createFrom().iterable(changes)
                .onItem().transformToUniAndConcatenate(update -> sync(update, requestId))
                .onItem().invoke(result -> {
                    if (result instanceof SyncResult.Refused) {
                        outcome.set(result);
                    }
                })
                .select().where(result -> result instanceof SyncResult.Unreachable)
                .toUni()
                .onItem().ifNull().switchTo(() -> Uni.createFrom().item(outcome.get()));
    }

    /**
     * Writes the changes of a host without a registered compute node, to the root of the tree that contains the
     * provider with the host's name.
     */
    private Uni<SyncResult> writeByName(PendingHost pending, RegistrySnapshot snapshot, String requestId) {
        return providers.findByName(pending.host(), requestId).chain(answer -> {
            if (!(answer instanceof ProviderResult.Done done)) {
                return Uni.createFrom().item(resultOf(answer, pending.host()));
            }
            UUID root = Uuids.find(done.body().path("resource_providers").path(0)
                    .path("root_provider_uuid").asText());
            if (root == null) {
                // No provider has this random uuid. The update is not written; the result depends on what it removes.
                ProviderUpdate update = updateOf(pending, snapshot, UUID.randomUUID(), pending.host(), null);
                return Uni.createFrom().item(resultWithoutProvider(update, unknown(pending.host())));
            }
            ProviderUpdate update = updateOf(pending, snapshot, root, pending.host(), null);
            ComputeNode registered = snapshot.findComputeNode(root);
            if (registered != null) {
                return Uni.createFrom()
                        .item(resultWithoutProvider(update, "the resource provider %s is compute node %s of host %s"
                                .formatted(pending.host(), root, registered.host())));
            }
            return sync(update, requestId);
        });
    }

    private Uni<SyncResult> sync(ProviderUpdate update, String requestId) {
        return providerSync.sync(update, requestId).map(answer -> answer instanceof ProviderResult.Absent
                ? resultWithoutProvider(update, unknown(update.provider().toString()))
                : resultOf(answer, update.provider().toString()));
    }

    private static ProviderUpdate updateOf(PendingHost pending, RegistrySnapshot snapshot, ComputeNode node) {
        ProviderReport report = pending.computeNodes().contains(node.uuid()) ? node.provider() : null;
        return updateOf(pending, snapshot, node.uuid(), node.nodename(), report);
    }

    private static ProviderUpdate updateOf(
            PendingHost pending, RegistrySnapshot snapshot, UUID provider, String name,
            @Nullable ProviderReport report) {
        ComputeService service = snapshot.findService(pending.host());
        Set<UUID> joinedAggregates = snapshot.aggregatesOf(pending.host()).stream()
                .map(HostAggregate::uuid)
                .map(UUID::fromString)
                .filter(pending.aggregates()::contains)
                .collect(Collectors.toSet());
        Set<UUID> leftAggregates = new HashSet<>(pending.aggregates());
        leftAggregates.removeAll(joinedAggregates);
        Boolean disabled = pending.status() ? service != null && service.disabled() : null;
        return new ProviderUpdate(
                provider, name, disabled, joinedAggregates, leftAggregates, report, pending.isIndeterminate());
    }

    /**
     * Returns the result if the host has no provider that may be changed: Done if the update only removes things,
     * otherwise Refused.
     *
     * @param why the reason of the refusal
     */
    private static SyncResult resultWithoutProvider(ProviderUpdate update, String why) {
        return update.onlyRemoves() ? SyncResult.DONE : new SyncResult.Refused(why);
    }

    private static String unknown(String provider) {
        return "placement has no resource provider " + provider;
    }

    private static SyncResult resultOf(ProviderResult answer, String subject) {
        return switch (answer) {
            case ProviderResult.Done _ -> SyncResult.DONE;
            case ProviderResult.Absent _ -> new SyncResult.Refused(unknown(subject));
            case ProviderResult.GenerationConflict moved -> new SyncResult.Refused(subject + ": " + moved.detail());
            case ProviderResult.Refused refused -> new SyncResult.Refused(
                    subject + ": placement answered " + refused.status() + ": " + refused.detail());
            case ProviderResult.Unreachable lost -> new SyncResult.Unreachable(lost.why());
        };
    }
}
