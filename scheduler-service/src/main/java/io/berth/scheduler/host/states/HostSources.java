package io.berth.scheduler.host.states;

import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * What is known of hosts beside placement's answer, at one moment.
 *
 * @param namesByUuid names of root providers that nobody registered
 * @param serviceDownTime age of a heartbeat at which a service counts as down
 */
public record HostSources(RegistrySnapshot registry, Map<String, String> namesByUuid, Duration serviceDownTime) {
    public static final HostSources NONE = new HostSources(RegistrySnapshot.EMPTY, Map.of(), Duration.ZERO);

    /** The same for who only compares later ones with it. */
    HostSources toCompare() {
        return new HostSources(registry.toCompare(), namesByUuid, serviceDownTime);
    }

    /** Null if nobody registered the provider. */
    @Nullable ComputeNode findNode(@Nullable UUID uuid) {
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    boolean knowsNameOf(String uuid) {
        return namesByUuid.containsKey(uuid);
    }

    /** One without a name is called by its uuid. */
    String nameOf(String uuid) {
        return namesByUuid.getOrDefault(uuid, uuid);
    }

    /** A named cell is read even if it is disabled, and alone unless the request may cross cells. */
    boolean isInReach(ComputeNode node, @Nullable RequestedDestination destination) {
        String cell = node.cellUuid();
        if (destination != null && destination.cellUuid() != null && !destination.allowCrossCellMove()) {
            return destination.cellUuid().equals(cell);
        }
        UUID uuid = cell == null ? null : Uuids.find(cell);
        Cell known = uuid == null ? null : registry.findCell(uuid);
        return known == null || known.enabled();
    }

    /** Which kinds of facts may differ from those of an earlier moment. */
    Changes since(HostSources before) {
        return new Changes(
                registry.differs(before.registry, Collection.CELLS)
                        || registry.differs(before.registry, Collection.HOST_AGGREGATES)
                        || !serviceDownTime.equals(before.serviceDownTime),
                registry.differs(before.registry, Collection.COMPUTE_NODES),
                registry.differs(before.registry, Collection.SERVICES),
                registry.differs(before.registry, Collection.INSTANCES) ? before.registry : null,
                namesByUuid != before.namesByUuid);
    }

    /**
     * Kinds of facts of which at least one may have changed for some host. Whether a heartbeat is too old changes with
     * time alone and is not among them.
     *
     * @param rarely cells, aggregates, options: all hosts are made again
     * @param otherInstances the registry before, if it had other instances; else null
     */
    record Changes(
            boolean rarely,
            boolean nodes,
            boolean services,
            @Nullable RegistrySnapshot otherInstances,
            boolean names) {
        boolean mayChangeInstancesOf(String host, HostSources now) {
            return otherInstances != null && !now.registry.hasInstancesOf(otherInstances, host);
        }
    }
}
