package io.berth.scheduler.numa;

import io.berth.scheduler.text.DerivedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builders for the NUMA and PCI tests: a test sets only what it is about. CPU sets are written as CPU lists. */
public final class NumaBuilders {
    private NumaBuilders() {}

    public static CpuSet cpus(String list) {
        return valueOf(CpuList.parse(list));
    }

    public static <T> T valueOf(DerivedValue<T> derived) {
        return switch (derived) {
            case DerivedValue.Value<T>(T value) -> value;
            case DerivedValue.Refused<T>(String detail) -> throw new AssertionError("refused: " + detail);
        };
    }

    /** Returns the detail of a refusal. */
    public static String refusalOf(DerivedValue<?> derived) {
        return switch (derived) {
            case DerivedValue.Value<?>(Object value) -> throw new AssertionError("not refused but " + value);
            case DerivedValue.Refused<?>(String detail) -> detail;
        };
    }

    public static HostCell aHostCell(int id) {
        return new HostCell(id);
    }

    public static InstanceCell anInstanceCell(int id) {
        return new InstanceCell(id);
    }

    public static HostNuma host(HostCell... cells) {
        return new HostNuma(List.of(cells).stream().map(HostCell::build).toList());
    }

    public static InstanceNuma instance(InstanceCell... cells) {
        return new InstanceNuma(List.of(cells).stream().map(InstanceCell::build).toList(), null);
    }

    public static InstanceNuma isolatingEmulator(InstanceNuma instance) {
        return new InstanceNuma(instance.cells(), EmulatorThreadsPolicy.ISOLATE);
    }

    public static FlavorAndImage flavor(int vcpus, long memoryMb, Map<String, String> extraSpecs) {
        return new FlavorAndImage(extraSpecs, Map.of(), vcpus, memoryMb);
    }

    /**
     * A host cell; by default it has four single-threaded cores, the same shared and pinned CPUs, 4096 MiB and no
     * pages.
     */
    public static final class HostCell {
        private final int id;
        private CpuSet cpuset = NumaBuilders.cpus("0-3");
        private CpuSet pcpuset = NumaBuilders.cpus("0-3");
        private long memoryMb = 4096;
        private int cpuUsage;
        private long memoryUsageMb;
        private CpuSet pinned = CpuSet.EMPTY;
        private List<CpuSet> siblings;
        private final List<PageInfo> pages = new ArrayList<>();
        private NetworkMetadata network;
        private Integer socket;

        private HostCell(int id) {
            this.id = id;
        }

        /** Sets the shared and the dedicated CPUs. */
        public HostCell cpus(String list) {
            return shared(list).dedicated(list);
        }

        public HostCell shared(String list) {
            cpuset = NumaBuilders.cpus(list);
            return this;
        }

        public HostCell dedicated(String list) {
            pcpuset = NumaBuilders.cpus(list);
            return this;
        }

        public HostCell memoryMb(long mb) {
            memoryMb = mb;
            return this;
        }

        public HostCell used(int cpuCount, long mb) {
            cpuUsage = cpuCount;
            memoryUsageMb = mb;
            return this;
        }

        public HostCell pinned(String list) {
            pinned = NumaBuilders.cpus(list);
            return this;
        }

        public HostCell cores(String... lists) {
            siblings = List.of(lists).stream().map(NumaBuilders::cpus).toList();
            return this;
        }

        public HostCell pages(int sizeKb, long total, long used, long reserved) {
            pages.add(new PageInfo(sizeKb, total, used, reserved));
            return this;
        }

        public HostCell near(boolean tunneled, String... physnets) {
            network = new NetworkMetadata(Set.of(physnets), tunneled);
            return this;
        }

        public HostCell socket(Integer number) {
            socket = number;
            return this;
        }

        public HostNumaCell build() {
            List<CpuSet> cores = siblings != null
                    ? siblings
                    : pcpuset.stream().mapToObj(CpuSet::of).toList();
            return new HostNumaCell(
                    id, cpuset, pcpuset, memoryMb, cpuUsage, memoryUsageMb, pinned, cores, pages, network, socket);
        }
    }

    /** An instance cell; by default it has one shared CPU, 512 MiB and no page size. */
    public static final class InstanceCell {
        private final int id;
        private CpuSet shared = cpus("0");
        private CpuSet dedicated = CpuSet.EMPTY;
        private long memoryMb = 512;
        private Integer pageSize;
        private CpuPolicy policy;
        private CpuThreadPolicy threadPolicy;

        private InstanceCell(int id) {
            this.id = id;
        }

        public InstanceCell shared(String list) {
            shared = cpus(list);
            return this;
        }

        public InstanceCell dedicated(String list) {
            shared = CpuSet.EMPTY;
            dedicated = cpus(list);
            policy = CpuPolicy.DEDICATED;
            return this;
        }

        public InstanceCell mixed(String sharedList, String dedicatedList) {
            shared = cpus(sharedList);
            dedicated = cpus(dedicatedList);
            policy = CpuPolicy.MIXED;
            return this;
        }

        public InstanceCell threads(CpuThreadPolicy wanted) {
            threadPolicy = wanted;
            return this;
        }

        public InstanceCell memoryMb(long mb) {
            memoryMb = mb;
            return this;
        }

        public InstanceCell pageSize(int size) {
            pageSize = size;
            return this;
        }

        public InstanceNumaCell build() {
            return new InstanceNumaCell(id, shared, dedicated, memoryMb, pageSize, policy, threadPolicy);
        }
    }
}
