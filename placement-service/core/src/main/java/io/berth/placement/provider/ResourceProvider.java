package io.berth.placement.provider;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import jakarta.annotation.Nullable;
import java.util.Objects;
import java.util.UUID;

/**
 * A resource provider as in responses.
 *
 * @param parentUuid uuid of the parent; null for a root
 * @param rootUuid uuid of the root of the tree; {@code uuid} for a root
 * @param updatedAtMs time of the latest update, in epoch milliseconds
 */
public record ResourceProvider(
        UUID uuid, String name, int generation, @Nullable UUID parentUuid, UUID rootUuid, long updatedAtMs) {
    public ResourceProvider {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(rootUuid, "rootUuid");
    }

    static ResourceProvider of(FleetView view, Provider provider) {
        UUID parent = provider.isRoot() ? null : view.get(provider.parentId()).uuid();
        UUID root = provider.isRoot() ? provider.uuid() : view.get(provider.rootId()).uuid();
        return new ResourceProvider(
                provider.uuid(), provider.name(), provider.generation(), parent, root, provider.updatedAtMs());
    }
}
