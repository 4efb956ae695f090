package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNumaCell;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Determines the order in which host cells are tried. The order is the host's, unless the host has more cells than the
 * instance. Then the cells are sorted by free PCI devices (if the host reports PCI data), then by CPUs, then by free
 * memory, then in the host's order. "By CPUs" means by free dedicated CPUs if the first instance cell has dedicated
 * CPUs, otherwise by CPU usage. By CPUs and memory, cells with the most free resources are first; if packing is
 * configured, cells with the fewest are first.
 * <br>Option: {@code [compute] packing_host_numa_cells_allocation_strategy}, default false.
 * <br>Source: nova {@code virt/hardware.py} (numa_fit_instance_to_host).
 */
final class CellOrder {
    private static final Comparator<HostNumaCell> AVAILABLE_MEMORY =
            Comparator.comparingLong(HostNumaCell::availableMemoryMb);
    private static final Comparator<HostNumaCell> CPU_USAGE = Comparator.comparingInt(HostNumaCell::cpuUsage);
    private static final Comparator<HostNumaCell> FREE_PCPUS =
            Comparator.comparingInt(cell -> cell.freePcpus().size());

    private CellOrder() {}

    /**
     * Returns the host cells in the order in which to try them.
     *
     * @param pack the option {@code packing_host_numa_cells_allocation_strategy}
     * @param devices null if the host reports no PCI data
     */
    static List<HostNumaCell> of(
            HostNuma host, List<InstanceNumaCell> instance, boolean pack, @Nullable CellDevices devices) {
        if (instance.isEmpty() || host.cells().size() <= instance.size()) {
            return host.cells();
        }
        var cells = new ArrayList<>(host.cells());
        // The sorts are stable, so the last one has the highest precedence.
        cells.sort(pack ? AVAILABLE_MEMORY : AVAILABLE_MEMORY.reversed());
        if (instance.getFirst().pins()) {
            cells.sort(pack ? FREE_PCPUS : FREE_PCPUS.reversed());
        } else {
            cells.sort(pack ? CPU_USAGE.reversed() : CPU_USAGE);
        }
        if (devices != null) {
            // If the request includes devices, cells with many free devices are first. Otherwise they are last, so that
            // they remain for requests with devices.
            Comparator<HostNumaCell> byFreeDevices = Comparator.comparingLong(cell -> devices.freeOn(cell.id()));
            cells.sort(devices.requested() ? byFreeDevices.reversed() : byFreeDevices);
        }
        return cells;
    }
}
