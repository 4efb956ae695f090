package io.berth.placement.provider;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import java.util.Objects;
import java.util.UUID;

/**
 * A provider as responses show it.
 *
 * @param parentUuid null for a root
 * @param rootUuid equals {@code uuid} for a root
 * @param updatedAtMs epoch milliseconds
 */
public record ResourceProvider(
        UUID uuid, String name, int generation, UUID parentUuid, UUID rootUuid, long updatedAtMs) {
    public ResourceProvider {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(rootUuid, "rootUuid");
    }

    static ResourceProvider of(FleetView view, Provider provider) {
        UUID parent = provider.isRoot() ? null : view.find(provider.parentId()).uuid();
        UUID root = provider.isRoot() ? provider.uuid() : view.find(provider.rootId()).uuid();
        return new ResourceProvider(
                provider.uuid(), provider.name(), provider.generation(), parent, root, provider.updatedAtMs());
    }
}
