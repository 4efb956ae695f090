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
 * The result of adding an instance's fitted NUMA topology to the usage of a host. The resources of each instance cell
 * are added to the host cell with the same id.
 * <br>Source: nova {@code virt/hardware.py} (numa_usage_from_instance_numa), {@code objects/numa.py} (pinning).
 */
public sealed interface NumaCharge {
    /** The host's topology with the instance. */
    record Charged(HostNuma host) implements NumaCharge {
        public Charged {
            Objects.requireNonNull(host, "host");
        }
    }

    /**
     * The topology cannot be added: some of its host CPUs are pinned already, or are not in the host cell's set of
     * dedicated CPUs.
     *
     * @param cellId id of the host cell
     * @param pcpus the host CPUs that the instance cell needs
     */
    record Refused(int cellId, CpuSet pcpus) implements NumaCharge {
        public Refused {
            Objects.requireNonNull(pcpus, "pcpus");
        }
    }

    /**
     * Adds the resources of an instance to the usage of a host. The id of each instance cell is the id of its host
     * cell.
     *
     * @param instance a fitted topology
     */
    static NumaCharge add(HostNuma host, InstanceNuma instance) {
        var cells = new ArrayList<HostNumaCell>();
        for (HostNumaCell hostCell : host.cells()) {
            HostNumaCell cell = hostCell;
            for (InstanceNumaCell guest : instance.cells()) {
                if (guest.id() != hostCell.id()) {
                    continue;
                }
                CpuSet pcpus = pcpus(cell, guest);
                if (!cell.pcpuset().containsAll(pcpus) || cell.pinnedCpus().intersects(pcpus)) {
                    return new Refused(cell.id(), pcpus);
                }
                cell = charge(cell, guest, pcpus);
            }
            cells.add(cell);
        }
        return new Charged(new HostNuma(cells));
    }

    private static HostNumaCell charge(HostNumaCell cell, InstanceNumaCell guest, CpuSet pcpus) {
        return cell.withUsage(
                cell.cpuUsage() + guest.cpuset().size(),
                cell.memoryUsageMb() + guest.memoryMb(),
                cell.pinnedCpus().plus(pcpus),
                chargePages(cell, guest));
    }

    /**
     * Returns the host CPUs that an instance cell uses: those of its dedicated virtual CPUs and of the emulator
     * threads; none for a cell without dedicated CPUs. With the thread policy isolate, these are all threads of the
     * cores to which these host CPUs belong.
     */
    private static CpuSet pcpus(HostNumaCell cell, InstanceNumaCell guest) {
        if (!guest.pins()) {
            return CpuSet.EMPTY;
        }
        CpuSet takenPcpus = guest.takenPcpus();
        if (guest.cpuThreadPolicy() != CpuThreadPolicy.ISOLATE) {
            return takenPcpus;
        }
        CpuSet cores = takenPcpus;
        for (CpuSet core : cell.siblings()) {
            cores = core.intersects(takenPcpus) ? cores.plus(core) : cores;
        }
        return cores;
    }

    private static List<PageInfo> chargePages(HostNumaCell cell, InstanceNumaCell guest) {
        PageInfo smallest = cell.smallestPages();
        if (smallest == null) {
            return cell.pages();
        }
        Integer requestedSize = guest.pageSize();
        int sizeKb = requestedSize != null && guest.wantsPageSize() ? requestedSize : smallest.sizeKb();
        return cell.pages().stream()
                .map(pages -> pages.sizeKb() != sizeKb
                        ? pages
                        : pages.withUsed(pages.used() + guest.memoryMb() * 1024 / sizeKb))
                .toList();
    }
}
