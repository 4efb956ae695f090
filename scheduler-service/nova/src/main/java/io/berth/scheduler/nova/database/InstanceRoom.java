package io.berth.scheduler.nova.database;

import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;

/**
 * Limits the heap that the instances of all cells use together. The instances of each cell may use what those of the
 * other cells leave. Thread-safe.
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
     * @param fill builds the registry; its argument is the maximum bytes for the cell's instances
     */
    synchronized RegistrySnapshot fill(UUID cell, LongFunction<RegistrySnapshot> fill) {
        bytesByCell.remove(cell);
        RegistrySnapshot filled = fill.apply(bytesMax - bytesByCell.values().stream().mapToLong(each -> each).sum());
        bytesByCell.put(cell, filled.instanceBytes());
        return filled;
    }

    /** Releases the bytes of all cells but these. */
    synchronized void keep(Set<UUID> cells) {
        bytesByCell.keySet().retainAll(cells);
    }
}
