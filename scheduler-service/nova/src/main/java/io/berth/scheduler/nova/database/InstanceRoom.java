package io.berth.scheduler.nova.database;

import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;

/**
 * Limits the heap that the instances of all cells use together. A cell's instances may use the bytes that the instances
 * of the other cells leave free. Thread-safe.
 */
final class InstanceRoom {
    private final long bytesMax;
    /** Bytes in use, by cell. */
    private final Map<UUID, Long> bytesByCell = new HashMap<>();

    InstanceRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Builds the registry of a cell and remembers how many bytes its instances use.
     *
     * @param builder builds the registry; its argument is the maximum number of bytes for the cell's instances
     */
    synchronized RegistrySnapshot buildRegistry(UUID cell, LongFunction<RegistrySnapshot> builder) {
        bytesByCell.remove(cell);
        RegistrySnapshot registry =
                builder.apply(bytesMax - bytesByCell.values().stream().mapToLong(each -> each).sum());
        bytesByCell.put(cell, registry.instanceBytes());
        return registry;
    }

    /** Releases the bytes of all cells that are not in {@code cells}. */
    synchronized void releaseAllExcept(Set<UUID> cells) {
        bytesByCell.keySet().retainAll(cells);
    }
}
