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
 * The data on hosts that placement's response does not contain, at one moment.
 *
 * @param namesByUuid names of root providers that are not registered
 * @param nowMicros that moment in microseconds since 1970
 * @param downMicros age of a heartbeat at which a service counts as down
 */
public record HostSources(
        RegistrySnapshot registry, Map<String, String> namesByUuid, long nowMicros, long downMicros) {
    public HostSources(RegistrySnapshot registry, Map<String, String> namesByUuid, Duration serviceDownTime) {
        this(
                registry, namesByUuid, ComputeService.micros(registry.asOf()),
                TimeUnit.MICROSECONDS.convert(registry.downTime(serviceDownTime)));
    }

    /** Returns null if the provider is not registered. */
    @Nullable ComputeNode findNode(@Nullable UUID uuid) {
        return uuid == null ? null : registry.findComputeNode(uuid);
    }

    boolean knowsNameOf(String uuid) {
        return namesByUuid.containsKey(uuid);
    }

    /** Returns the provider's name; its uuid if the name is unknown. */
    String nameOf(String uuid) {
        return namesByUuid.getOrDefault(uuid, uuid);
    }

    /**
     * Returns whether a request may use the node. A cell that it names counts even if disabled, and is the only one
     * unless the request may cross cells.
     */
    boolean isInReach(ComputeNode node, @Nullable RequestedDestination destination) {
        if (registry.listsAllHosts() && registry.findService(node.host()) == null) {
            return false;
        }
        String cell = node.cellUuid();
        if (isRestricted(destination)) {
            return destination.cellUuid().equals(cell);
        }
        Cell known = findCell(cell);
        return known == null || known.enabled();
    }

    /** Returns the reason why a host is not {@linkplain #isInReach in reach}, as a text for the removed hosts. */
    String obstacle(ComputeNode node, @Nullable RequestedDestination destination) {
        if (registry.listsAllHosts() && registry.findService(node.host()) == null) {
            return "lack of a compute service";
        }
        Cell cell = findCell(node.cellUuid());
        String name = cell == null ? String.valueOf(node.cellUuid()) : cell.name();
        return isRestricted(destination)
                ? "cell " + name + ", which the request must not cross to,"
                : "cell " + name + ", which is disabled,";
    }

    private static boolean isRestricted(@Nullable RequestedDestination destination) {
        return destination != null && destination.cellUuid() != null && !destination.allowCrossCellMove();
    }

    private @Nullable Cell findCell(@Nullable String text) {
        UUID uuid = text == null ? null : Uuids.find(text);
        return uuid == null ? null : registry.findCell(uuid);
    }

    boolean isUp(ComputeService service) {
        return service.isHeardOf(nowMicros, downMicros);
    }
}
