package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import java.util.List;

/** What a provider tree has and uses of the classes that host states count, summed over its providers. */
final class TreeUse {
    private static final long MIB_PER_GIB = 1024;

    private final Sum vcpu = new Sum("VCPU");
    private final Sum pcpu = new Sum("PCPU");
    private final Sum ram = new Sum("MEMORY_MB");
    private final Sum disk = new Sum("DISK_GB");

    private TreeUse() {}

    static TreeUse of(List<ProviderSummary> tree) {
        TreeUse use = new TreeUse();
        tree.forEach(summary -> summary.resources().forEach(use::add));
        return use;
    }

    private void add(String resourceClass, ProviderSummary.Usage usage) {
        switch (resourceClass) {
            case "VCPU" -> vcpu.add(usage);
            case "PCPU" -> pcpu.add(usage);
            case "MEMORY_MB" -> ram.add(usage);
            case "DISK_GB" -> disk.add(usage);
            default -> {
                // Host states do not count it.
            }
        }
    }

    /** Of a class. */
    private static final class Sum {
        /** A capacity is rounded down; what is left of the division is not. */
        private static final double ROUNDING = 1e-6;

        private final String resourceClass;
        private boolean isThere;
        private long capacity;
        private long used;

        Sum(String resourceClass) {
            this.resourceClass = resourceClass;
        }

        void add(ProviderSummary.Usage usage) {
            isThere = true;
            capacity += usage.capacity();
            used += usage.used();
        }

        Stock whole() {
            return new Stock(capacity, 1.0, capacity);
        }

        /**
         * The total is what the node states, else what it has in its inventories, else what makes placement's capacity. The
         * ratio is the node's, but where placement gives out more or less of the inventory, as an admin had it.
         *
         * @param total 0: the node does not state it
         */
        Stock of(ComputeNode node, long total, double ratio) {
            long amount = node.reportedAmount(resourceClass);
            if (amount > 0) {
                double given = amount * ratio;
                double slack = given * ROUNDING;
                boolean isAnAdmins = capacity > 0 && (capacity > given + slack || given - capacity >= 1 + slack);
                return new Stock(
                        total > 0 ? total : amount,
                        isAnAdmins ? (double) capacity / amount : ratio,
                        total > 0 ? Math.min(total, amount) : amount);
            }
            long all = total > 0 ? total : ratio > 0 ? (long) Math.ceil(capacity / ratio - ROUNDING) : capacity;
            return new Stock(all, ratio, all);
        }
    }

    /**
     * As nova's compute nodes have it.
     *
     * @param total of which the ratio is no part
     * @param usable the total without what is reserved
     */
    private record Stock(long total, double ratio, long usable) {}

    /** What the node reported, used as placement says. */
    void applyTo(HostState.Builder host, ComputeNode node) {
        HostState reported = node.state();
        apply(
                host,
                vcpu.of(node, reported.vcpusTotal(), reported.cpuAllocationRatio()),
                ram.of(node, reported.totalUsableRamMb(), reported.ramAllocationRatio()),
                disk.of(node, reported.totalUsableDiskGb(), reported.diskAllocationRatio()));
    }

    /**
     * The same for a host that reports all the time, as nova's computes do: of what is used the more counts, since
     * placement knows what was claimed since, and the host what holds no allocation: reserved memory, and disk beside that
     * of instances. Its used CPUs are those of any instance, pinned or not.
     * <br>Source: nova {@code compute/resource_tracker.py} (_update_usage), {@code scheduler/host_manager.py}
     * (_update_from_compute_node).
     */
    void applyBeside(HostState.Builder host, ComputeNode node) {
        applyTo(host, node);
        HostState reported = node.state();
        if (vcpu.isThere && reported.vcpusTotal() > 0) {
            host.vcpusUsed(Math.max(reported.vcpusUsed(), vcpu.used + pcpu.used));
        }
        if (ram.isThere && reported.totalUsableRamMb() > 0) {
            host.freeRamMb(Math.min(reported.freeRamMb(), reported.totalUsableRamMb() - ram.used));
        }
        if (disk.isThere && reported.totalUsableDiskGb() > 0) {
            long left = reported.totalUsableDiskGb() - disk.used;
            host.freeDiskMb(Math.min(reported.freeDiskMb(), left * MIB_PER_GIB))
                    .diskMbUsed(Math.max(reported.diskMbUsed(), disk.used * MIB_PER_GIB));
        }
    }

    /** Of a host that nobody registered: totals are placement's capacity. */
    void applyTo(HostState.Builder host) {
        apply(host, vcpu.whole(), ram.whole(), disk.whole());
    }

    /** A class the tree does not have leaves what the host reported. */
    private void apply(HostState.Builder host, Stock cpus, Stock ramMb, Stock diskGb) {
        if (vcpu.isThere) {
            host.vcpusTotal(cpus.total()).cpuAllocationRatio(cpus.ratio()).vcpusUsed(vcpu.used);
        }
        if (ram.isThere) {
            host.totalUsableRamMb(ramMb.total()).ramAllocationRatio(ramMb.ratio()).freeRamMb(ramMb.usable() - ram.used);
        }
        if (disk.isThere) {
            host.totalUsableDiskGb(diskGb.total())
                    .diskAllocationRatio(diskGb.ratio())
                    .freeDiskMb((diskGb.usable() - disk.used) * MIB_PER_GIB)
                    .diskMbUsed(disk.used * MIB_PER_GIB);
        }
    }
}
