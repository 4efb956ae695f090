package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The NUMA topology of an instance, either requested or fitted to a host.
 *
 * @param cells the cells in the order of the guest
 * @param emulatorThreadsPolicy null counts as share
 */
public record InstanceNuma(List<InstanceNumaCell> cells, @Nullable EmulatorThreadsPolicy emulatorThreadsPolicy) {
    public InstanceNuma {
        cells = List.copyOf(cells);
    }

    /** Returns the ids of the cells; in a fitted topology these are ids of host cells. */
    public Set<Integer> cellIds() {
        var ids = new LinkedHashSet<Integer>();
        cells.forEach(cell -> ids.add(cell.id()));
        return ids;
    }
}
