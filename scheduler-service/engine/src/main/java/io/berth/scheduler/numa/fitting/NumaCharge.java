package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.PageInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The remaining capacity of a host after an instance is placed on it. Each cell of the instance is charged to the host
 * cell with the same id.
 * <br>Source: nova {@code virt/hardware.py} (numa_usage_from_instance_numa), {@code objects/numa.py} (pinning).
 */
public sealed interface NumaCharge {
    /** The host after the placement. */
    record Charged(HostNuma host) implements NumaCharge {
        public Charged {
            Objects.requireNonNull(host, "host");
        }
    }

    /** Some CPUs are already pinned or outside the host cell's dedicated set. The host stays unchanged. */
    record Refused(int cellId, CpuSet pcpus) implements NumaCharge {
        public Refused {
            Objects.requireNonNull(pcpus, "pcpus");
        }
    }

    /** Charges the host for an instance whose topology must be a fitted one. */
    static NumaCharge place(HostNuma host, InstanceNuma instance) {
        var cells = new ArrayList<HostNumaCell>();
        for (HostNumaCell before : host.cells()) {
            HostNumaCell cell = before;
            for (InstanceNumaCell guest : instance.cells()) {
                if (guest.id() != before.id()) {
                    continue;
                }
                CpuSet pcpus = pcpus(cell, guest);
                if (!cell.pcpuset().containsAll(pcpus) || cell.pinnedCpus().intersects(pcpus)) {
                    return new Refused(cell.id(), pcpus);
                }
                cell = charged(cell, guest, pcpus);
            }
            cells.add(cell);
        }
        return new Charged(new HostNuma(cells));
    }

    private static HostNumaCell charged(HostNumaCell cell, InstanceNumaCell guest, CpuSet pcpus) {
        return cell.withUsage(
                cell.cpuUsage() + guest.cpuset().size(),
                cell.memoryUsageMb() + guest.memoryMb(),
                cell.pinnedCpus().plus(pcpus),
                pages(cell, guest));
    }

    /** Returns the host CPUs that the cell takes; isolation takes whole cores. */
    private static CpuSet pcpus(HostNumaCell cell, InstanceNumaCell guest) {
        if (!guest.pins()) {
            return CpuSet.EMPTY;
        }
        CpuSet taken = guest.takenPcpus();
        if (guest.cpuThreadPolicy() != CpuThreadPolicy.ISOLATE) {
            return taken;
        }
        CpuSet cores = taken;
        for (CpuSet core : cell.siblings()) {
            cores = core.intersects(taken) ? cores.plus(core) : cores;
        }
        return cores;
    }

    private static List<PageInfo> pages(HostNumaCell cell, InstanceNumaCell guest) {
        PageInfo smallest = cell.smallestPages();
        if (smallest == null) {
            return cell.pages();
        }
        int sizeKb = guest.wantsPageSize() ? guest.pageSize() : smallest.sizeKb();
        return cell.pages().stream()
                .map(pages -> pages.sizeKb() != sizeKb
                        ? pages
                        : pages.withUsed(pages.used() + guest.memoryMb() * 1024 / sizeKb))
                .toList();
    }
}
