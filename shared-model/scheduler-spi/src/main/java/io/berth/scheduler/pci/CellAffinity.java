package io.berth.scheduler.pci;

import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.Set;

/**
 * The host cells near which an instance's PCI devices should be.
 *
 * @param cells ids of the host cells chosen for the instance; empty if it has no topology, so that devices may be
 *         anywhere
 * @param socketCells ids of all host cells on the same sockets; empty if the host does not report the socket of every
 *         cell
 */
public record CellAffinity(Set<Integer> cells, Set<Integer> socketCells) {
    /** The affinity of instances without a topology. */
    public static final CellAffinity ANYWHERE = new CellAffinity(Set.of(), Set.of());

    public CellAffinity {
        cells = Set.copyOf(cells);
        socketCells = Set.copyOf(socketCells);
    }

    /**
     * Creates the affinity to these cells of a host.
     *
     * @param host null if the host has no topology
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
        var near = new HashSet<Integer>();
        for (HostNumaCell cell : host.cells()) {
            if (sockets.contains(cell.socket())) {
                near.add(cell.id());
            }
        }
        return near;
    }
}
