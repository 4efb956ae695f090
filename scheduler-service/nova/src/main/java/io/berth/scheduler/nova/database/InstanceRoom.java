package io.berth.scheduler.nova.database;

import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;

/** Limits the heap that instances of all cells use together: a large cell gets what small ones leave. Thread-safe. */
final class InstanceRoom {
    private final long bytesMax;
    private final Map<UUID, Long> taken = new HashMap<>();

    InstanceRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * @param fill builds the cell's registry; its argument limits the bytes of the cell's instances to what other cells
     * leave
     */
    synchronized RegistrySnapshot fill(UUID cell, LongFunction<RegistrySnapshot> fill) {
        taken.remove(cell);
        RegistrySnapshot filled = fill.apply(bytesMax - taken.values().stream().mapToLong(each -> each).sum());
        taken.put(cell, filled.instanceBytes());
        return filled;
    }

    /** Forgets all cells but these. */
    synchronized void keep(Set<UUID> cells) {
        taken.keySet().retainAll(cells);
    }
}
