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
 * Determines the order in which host cells are tried. It matters only if the host has more cells than the instance;
 * then the last of three stable sorts dominates: memory, CPUs, devices. Spreads by default, packs if the option says
 * so.
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

    /** @param devices null if the host has no PCI data */
    static List<HostNumaCell> of(
            HostNuma host, List<InstanceNumaCell> instance, boolean pack, @Nullable CellDevices devices) {
        if (instance.isEmpty() || host.cells().size() <= instance.size()) {
            return host.cells();
        }
        var cells = new ArrayList<>(host.cells());
        cells.sort(pack ? AVAILABLE_MEMORY : AVAILABLE_MEMORY.reversed());
        if (instance.getFirst().pins()) {
            cells.sort(pack ? FREE_PCPUS : FREE_PCPUS.reversed());
        } else {
            cells.sort(pack ? CPU_USAGE.reversed() : CPU_USAGE);
        }
        if (devices != null) {
            // Cells near devices come first if devices are requested; otherwise last, so that the devices stay
            // reachable.
            Comparator<HostNumaCell> near = Comparator.comparingLong(cell -> devices.freeOn(cell.id()));
            cells.sort(devices.requested() ? near.reversed() : near);
        }
        return cells;
    }
}
