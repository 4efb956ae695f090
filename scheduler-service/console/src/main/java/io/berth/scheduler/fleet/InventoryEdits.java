package io.berth.scheduler.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Caller;
import io.berth.identity.log.ChangeLog;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.ProviderResult;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.berth.scheduler.placement.http.ResourceProviders.Part;
import io.berth.scheduler.placementsync.RatioSources;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Changes the allocation ratio or the reserved amount of an inventory in placement. Refuses a change with 409 if the
 * provider's generation differs from the one that the operator read, or if the placement sync (the job that writes
 * reports of compute nodes to placement) would overwrite the change with the node's report or with an option.
 */
@Singleton
class InventoryEdits {
    private static final String GENERATION = "resource_provider_generation";

    private final ResourceProviders providers;
    private final RegistryFeed registry;
    private final RatioSources ratios;
    private final ChangeLog changes;

    InventoryEdits(
            ResourceProviders providers, RegistryFeed registry, ConfiguredOptions configured, ChangeLog changes) {
        this.changes = changes;
        this.providers = providers;
        this.registry = registry;
        this.ratios = new RatioSources(configured.options().defaults().inventory());
    }

    /** Makes the change and records it for {@code GET /v1/changes}. Fails with {@link ApiFault} if it is refused. */
    Uni<Void> apply(UUID provider, String resourceClass, InventoryEdit edit, Caller caller, String requestId) {
        return registry.current().chain(registered -> {
            ComputeNode node = registered.findComputeNode(provider);
            refuseOverruled(node, resourceClass, edit);
            String subject = "inventory " + resourceClass + " of " + (node == null ? "" : node.host() + " ") + "("
                    + provider + ")";
            return providers.read(provider, Part.INVENTORIES, requestId)
                    .chain(result -> {
                        JsonNode inventories = bodyOf(result, provider);
                        String before = inventories.path("inventories").path(resourceClass).toString();
                        ObjectNode body = changed(inventories, resourceClass, edit);
                        String now = body.path("inventories").path(resourceClass).toString();
                        return providers.write(provider, Part.INVENTORIES, body, requestId)
                                // Only checks: throws if placement did not make the change.
                                .invoke(written -> bodyOf(written, provider))
                                .invoke(() -> changes.changed(caller, requestId, subject, before, now));
                    })
                    .replaceWithVoid();
        });
    }

    /** Throws {@link ApiFault} (409) if the placement sync sets the value, and so would overwrite the change. */
    private void refuseOverruled(@Nullable ComputeNode node, String resourceClass, InventoryEdit edit) {
        if (node == null) {
            return;
        }
        if (edit.reserved() != null
                && ratios.sourceOf(node, resourceClass, "reserved") != RatioSources.Source.PLACEMENT) {
            throw new ApiFault(ErrorCode.CONFLICT,
                    "the report of compute node " + node.host() + " sets the reserved amount of " + resourceClass
                            + " and would overwrite this value; change it on the compute node");
        }
        if (edit.allocationRatio() != null && ratios.sourceOf(node, resourceClass) != RatioSources.Source.PLACEMENT) {
            throw new ApiFault(ErrorCode.CONFLICT,
                    ratios.sourceOf(node, resourceClass) == RatioSources.Source.OPTION
                            ? "an option of the scheduler sets the ratio of " + resourceClass
                                    + " and would overwrite this value; change the option"
                            : "the report of compute node " + node.host() + " sets the ratio of " + resourceClass
                                    + " and would overwrite this value; change it on the compute node");
        }
    }

    /**
     * Changes placement's inventories of a provider, and returns them as the body of a PUT. Throws {@link ApiFault}:
     * 404 if the provider has no inventory of the class, 409 if its generation is not that of the change.
     */
    private static ObjectNode changed(JsonNode inventories, String resourceClass, InventoryEdit edit) {
        if (!(inventories.path("inventories").get(resourceClass) instanceof ObjectNode inventory)) {
            throw ApiFault.notFound("the provider has no inventory of " + resourceClass);
        }
        if (inventories.path(GENERATION).asInt() != edit.generation()) {
            throw new ApiFault(
                    ErrorCode.CONCURRENT_UPDATE,
                    "the provider has generation %d, not %d: read it again"
                            .formatted(inventories.path(GENERATION).asInt(), edit.generation()));
        }
        if (edit.allocationRatio() != null) {
            inventory.put("allocation_ratio", edit.allocationRatio());
        }
        if (edit.reserved() != null) {
            inventory.put("reserved", edit.reserved());
        }
        return (ObjectNode) inventories;
    }

    /** Returns the body of placement's response. Throws {@link ApiFault} if the response is an error or missing. */
    static JsonNode bodyOf(ProviderResult result, UUID provider) {
        return switch (result) {
            case ProviderResult.Done(JsonNode body) -> body;
            case ProviderResult.Absent() ->
                throw ApiFault.notFound("placement has no resource provider " + provider);
            case ProviderResult.GenerationConflict(String detail) ->
                throw new ApiFault(ErrorCode.CONCURRENT_UPDATE, detail);
            case ProviderResult.Refused(int status, String detail) ->
                throw new ApiFault(status == 409 ? ErrorCode.CONFLICT : ErrorCode.REQUEST_INVALID, detail);
            case ProviderResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
        };
    }
}
