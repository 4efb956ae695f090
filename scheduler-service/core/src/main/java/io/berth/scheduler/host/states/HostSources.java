package io.berth.scheduler.host.states;

import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The data about hosts that placement's response does not contain.
 *
 * @param registry the current registry
 * @param namesByUuid names of root providers that are not registered, as far as known
 * @param nowMicros time of the registry, in microseconds since 1970
 * @param downMicros maximum age of the last heartbeat of a service that is up, in microseconds; longer for a while
 *     after an outage of the database ({@link RegistrySnapshot#downTime})
 */
public record HostSources(
        RegistrySnapshot registry, Map<String, String> namesByUuid, long nowMicros, long downMicros) {
    /** @param serviceDownTime configured maximum age of the last heartbeat of a service that is up */
    public HostSources(RegistrySnapshot registry, Map<String, String> namesByUuid, Duration serviceDownTime) {
        this(
                registry, namesByUuid, ComputeService.micros(registry.asOf()),
                TimeUnit.MICROSECONDS.convert(registry.downTime(serviceDownTime)));
    }

    /** Returns the provider's compute node; null if the node is not registered. */
    @Nullable ComputeNode findNode(@Nullable UUID uuid) {
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    boolean knowsNameOf(String uuid) {
        return namesByUuid.containsKey(uuid);
    }

    /** Returns the name of a provider that is not registered, or the uuid if the name is unknown. */
    String nameOf(String uuid) {
        return namesByUuid.getOrDefault(uuid, uuid);
    }

    /**
     * Returns whether a request may use the node. If the request names a cell that it must not leave, only nodes of
     * that cell are usable, even if the cell is disabled. Otherwise all nodes are usable except the nodes of disabled
     * cells; a node in no cell, or in an unknown one, is usable. In both cases, if
     * {@link RegistrySnapshot#listsAllHosts} returns true, the node's host must have a compute service.
     *
     * @param destination null if the request names none
     */
    boolean isInReach(ComputeNode node, @Nullable RequestedDestination destination) {
        if (registry.listsAllHosts() && registry.findService(node.host()) == null) {
            return false;
        }
        String cell = node.cellUuid();
        String requested = restriction(destination);
        if (requested != null) {
            return requested.equals(cell);
        }
        Cell record = findCell(cell);
        return record == null || record.enabled();
    }

    /**
     * Returns why a node is not {@linkplain #isInReach usable}, as a noun phrase for {@link
     * HostStates#explainNoUsableNode}.
     */
    String reasonOutOfReach(ComputeNode node, @Nullable RequestedDestination destination) {
        if (registry.listsAllHosts() && registry.findService(node.host()) == null) {
            return "lack of a compute service";
        }
        Cell cell = findCell(node.cellUuid());
        String name = cell == null ? String.valueOf(node.cellUuid()) : cell.name();
        return restriction(destination) != null
                ? "cell " + name + ", which the request must not cross to,"
                : "cell " + name + ", which is disabled,";
    }

    /** Returns the cell that the request must not leave; null if it names none. */
    private static @Nullable String restriction(@Nullable RequestedDestination destination) {
        return destination == null || destination.allowCrossCellMove() ? null : destination.cellUuid();
    }

    private @Nullable Cell findCell(@Nullable String cellUuid) {
        UUID uuid = cellUuid == null ? null : Uuids.find(cellUuid);
        return uuid == null ? null : registry.findCell(uuid);
    }

    boolean isUp(ComputeService service) {
        return service.hasRecentHeartbeat(nowMicros, downMicros);
    }
}
