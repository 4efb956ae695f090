package io.berth.scheduler.decision;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostService;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.SupportedInstance;
import io.berth.scheduler.numa.CpuList;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.pci.PciPool;
import io.berth.scheduler.pci.PciStats;
import io.berth.scheduler.text.DerivedValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Builds the host states of a busy cloud for benchmarks. Each host has 64 CPUs, of which 0 to 59 are used, 256 GiB of
 * memory and 4,000 GB of disk, and is in one of three zones. The compute service of every twentieth host is disabled.
 */
public final class Fleets {
    private static final List<HostAggregate> ZONES = IntStream.range(0, 3)
            .mapToObj(zone -> new HostAggregate(
                    (long) zone, null, "zone" + zone, Map.of("availability_zone", "az" + zone)))
            .toList();
    /**
     * For each zone, the aggregates of its hosts: only the zone. Hosts of a zone share the list, as in the registry.
     */
    private static final List<List<HostAggregate>> ZONE_LISTS = ZONES.stream().map(List::of).toList();
    /**
     * For each rack, the aggregates of its hosts: the zone, one with the metadata ram_weight_multiplier, and one with
     * the metadata ssd.
     */
    private static final List<List<HostAggregate>> RACK_LISTS = IntStream.range(0, 39)
            .mapToObj(rack -> List.of(
                    ZONES.get(rack % 3),
                    new HostAggregate(100L + rack, null, "rack" + rack, Map.of("ram_weight_multiplier", "" + rack % 4)),
                    new HostAggregate(200L + rack, null, "disks" + rack, Map.of("ssd", rack % 2 == 0 ? "yes" : "no"))))
            .toList();
    private static final List<SupportedInstance> SUPPORTED_INSTANCES =
            List.of(new SupportedInstance(List.of("x86_64", "kvm", "hvm")));
    private static final int MEMORY_MB = 262_144;

    private Fleets() {}

    /** Creates hosts that have no NUMA topology, no PCI devices and no list of instances, only their number. */
    public static List<HostState> flat(int count) {
        var hosts = new ArrayList<HostState>(count);
        for (int i = 0; i < count; i++) {
            hosts.add(busyHost(i, i * 7919L % 60));
        }
        return hosts;
    }

    /**
     * Creates a host on which {@code vcpusUsed} CPUs are used, with 4 GiB of memory and 20 GB of disk for each.
     *
     * @param i the number of the host, from which all its other values follow
     */
    static HostState busyHost(int i, long vcpusUsed) {
        String uuid = uuid(i);
        var amounts = Map.of("VCPU", 2L, "MEMORY_MB", 4096L, "DISK_GB", 20L);
        var service = i % 20 == 19 ? new HostService(true, "maintenance", true, false) : HostService.UP;
        return HostState.named("host-" + i)
                .uuid(uuid)
                .vcpusTotal(64)
                .vcpusUsed(vcpusUsed)
                .totalUsableRamMb(MEMORY_MB)
                .freeRamMb(MEMORY_MB - 4096 * vcpusUsed)
                .totalUsableDiskGb(4000)
                .freeDiskMb(1024 * (4000 - 20 * vcpusUsed))
                .diskMbUsed(1024 * 20 * vcpusUsed)
                .numInstances(vcpusUsed / 2)
                .numIoOps(i % 3)
                .hypervisorVersion(8_002_000L)
                .supportedInstances(SUPPORTED_INSTANCES)
                .aggregates(ZONE_LISTS.get(i % 3))
                .service(service)
                .allocationCandidates(
                        List.of(new AllocationCandidate(Map.of(uuid, amounts), Map.of("", List.of(uuid)))))
                .build();
    }

    /** Creates hosts like {@link #flat}, each in the three aggregates of a rack. */
    static List<HostState> inRacks(int count) {
        var hosts = new ArrayList<HostState>(count);
        for (HostState host : flat(count)) {
            hosts.add(host.toBuilder().aggregates(RACK_LISTS.get(hosts.size() % RACK_LISTS.size())).build());
        }
        return hosts;
    }

    /** Creates hosts like {@link #flat}, each with two NUMA cells of 32 CPUs. In each cell, ten CPUs are pinned. */
    static List<HostState> numa(int count) {
        return flat(count).stream()
                .map(host -> host.toBuilder()
                        .numaTopology(new HostNuma(List.of(cell(0, "0-31", "0-9"), cell(1, "32-63", "32-41"))))
                        .build())
                .toList();
    }

    private static HostNumaCell cell(int id, String cpus, String pinned) {
        CpuSet cpuSet = cpus(cpus);
        List<CpuSet> cores = cpuSet.stream().mapToObj(CpuSet::of).toList();
        return new HostNumaCell(
                id, cpuSet, cpuSet, MEMORY_MB / 2, 0, 40_000, cpus(pinned), cores, List.of(), null, id);
    }

    private static CpuSet cpus(String list) {
        return ((DerivedValue.Value<CpuSet>) CpuList.parse(list)).value();
    }

    /**
     * Creates hosts like {@link #flat}, each with two PCI pools of eight network functions. Every other host also has a
     * pool of one or three accelerators.
     */
    static List<HostState> pci(int count) {
        var hosts = new ArrayList<HostState>(count);
        for (HostState host : flat(count)) {
            var pools = new ArrayList<PciPool>(List.of(
                    new PciPool("8086", "1520", 0, 8, Map.of()), new PciPool("8086", "1520", 1, 8, Map.of())));
            if (hosts.size() % 2 == 0) {
                pools.add(new PciPool("10de", "20b0", 0, 1 + hosts.size() % 4, Map.of()));
            }
            hosts.add(host.toBuilder().pciStats(new PciStats(pools)).build());
        }
        return hosts;
    }

    /** Creates hosts like {@link #flat}, each with a list of ten instances. */
    static List<HostState> withInstances(int count) {
        var hosts = new ArrayList<HostState>(count);
        for (HostState host : flat(count)) {
            Map<String, RunningInstance> instances = new HashMap<>();
            for (int i = 0; i < 10; i++) {
                instances.put(uuid(hosts.size() * 10 + i + 1_000_000), RunningInstance.UNKNOWN);
            }
            hosts.add(host.toBuilder().instances(instances).build());
        }
        return hosts;
    }

    /** Returns the uuid with this number, the same in every run. */
    static String uuid(long number) {
        return new UUID(0x4000L, 0x8000000000000000L | number).toString();
    }
}
