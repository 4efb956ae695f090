package io.berth.scheduler.pci;

import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.Set;

/**
 * The host cells near which the PCI devices of an instance should be.
 *
 * @param cells ids of the host cells of the instance; empty if the instance has no NUMA topology, so that devices of
 *         any cell may be used
 * @param socketCells ids of all host cells on the sockets of {@code cells}; empty unless the host reports the socket of
 *         every cell
 */
public record CellAffinity(Set<Integer> cells, Set<Integer> socketCells) {
    /** The affinity of instances without a topology. */
    public static final CellAffinity ANYWHERE = new CellAffinity(Set.of(), Set.of());

    public CellAffinity {
        cells = Set.copyOf(cells);
        socketCells = Set.copyOf(socketCells);
    }

    /**
     * Returns the affinity to these cells of a host.
     *
     * @param host topology of the host; null if it has none
     */
    public static CellAffinity of(@Nullable HostNuma host, Set<Integer> cells) {
        if (cells.isEmpty()) {
            return ANYWHERE;
        }
        return new CellAffinity(cells, host == null ? Set.of() : socketCells(host, cells));
    }

    private static Set<Integer> socketCells(HostNuma host, Set<Integer> cells) {
        var sockets = new HashSet<Integer>();
        for (HostNumaCell cell : host.cells()) {
            if (cell.socket() == null) {
                return Set.of();
            }
            if (cells.contains(cell.id())) {
                sockets.add(cell.socket());
            }
        }
        var cellsOnSockets = new HashSet<Integer>();
        for (HostNumaCell cell : host.cells()) {
            if (sockets.contains(cell.socket())) {
                cellsOnSockets.add(cell.id());
            }
        }
        return cellsOnSockets;
    }
}
