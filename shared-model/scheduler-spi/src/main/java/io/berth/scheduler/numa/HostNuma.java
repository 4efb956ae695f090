package io.berth.scheduler.numa;

import java.util.List;

/**
 * The NUMA topology of a host.
 *
 * @param cells the cells in the host's order, which decides between equally good cells in the fitting
 */
public record HostNuma(List<HostNumaCell> cells) {
    public HostNuma {
        cells = List.copyOf(cells);
    }

    /** Returns whether any core of any cell has more than one hardware thread. */
    public boolean hasThreads() {
        return cells.stream().anyMatch(HostNumaCell::hasThreads);
    }
}
