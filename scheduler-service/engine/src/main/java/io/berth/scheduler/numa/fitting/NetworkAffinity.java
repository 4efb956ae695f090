package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.NetworkMetadata;
import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Checks whether the networks that a request needs are near the chosen host cells. A network is near a cell if the host
 * reports the network for the cell. A network that the host reports for no cell counts as near to all cells.
 * <br>Source: nova {@code virt/hardware.py} (_numa_cells_support_network_metadata).
 */
final class NetworkAffinity {
    private NetworkAffinity() {}

    /**
     * Returns whether each requested network is near at least one of the chosen cells of the host.
     *
     * @param requested the networks; null if the request needs none
     */
    static boolean isNear(HostNuma host, List<HostNumaCell> chosen, @Nullable NetworkMetadata requested) {
        return requested == null
                || nearPhysnets(host.cells(), chosen, requested.physnets())
                        && nearTunnel(host.cells(), chosen, requested);
    }

    private static boolean nearPhysnets(
            List<HostNumaCell> hostCells, List<HostNumaCell> chosen, Set<String> requested) {
        var unreached = new HashSet<>(requested);
        for (HostNumaCell cell : chosen) {
            if (cell.network() != null) {
                unreached.removeAll(cell.network().physnets());
            }
        }
        return hostCells.stream()
                .map(HostNumaCell::network)
                .filter(Objects::nonNull)
                .noneMatch(network -> network.physnets().stream().anyMatch(unreached::contains));
    }

    private static boolean nearTunnel(List<HostNumaCell> hostCells, List<HostNumaCell> chosen,
            NetworkMetadata requested) {
        return !requested.tunneled() || anyTunneled(chosen) || !anyTunneled(hostCells);
    }

    private static boolean anyTunneled(List<HostNumaCell> cells) {
        return cells.stream().anyMatch(cell -> cell.network() != null && cell.network().tunneled());
    }
}
