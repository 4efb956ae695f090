package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import java.util.List;

/** Capacity and usage of a provider tree, for the classes that host states count, summed over its providers. */
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
                // Host states do not count other classes.
            }
        }
    }

    /** The sum of one class. */
    private static final class Sum {
        /** Tolerance for comparisons: capacities are rounded down, quotients are not. */
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
         * Returns the node's stock of the class. The total is the reported one, else the inventory's, else the one
         * that yields placement's capacity. The ratio is the node's, unless placement's capacity deviates from the
         * inventory because an operator changed it.
         *
         * @param total 0: the node does not report it
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
     * Amounts as nova's compute nodes report them.
     *
     * @param total without the ratio
     * @param usable the total without the reserved amount
     */
    private record Stock(long total, double ratio, long usable) {}

    /** Applies the node's reported totals and placement's usage. */
    void applyTo(HostState.Builder host, ComputeNode node) {
        HostState reported = node.state();
        apply(
                host,
                vcpu.of(node, reported.vcpusTotal(), reported.cpuAllocationRatio()),
                ram.of(node, reported.totalUsableRamMb(), reported.ramAllocationRatio()),
                disk.of(node, reported.totalUsableDiskGb(), reported.diskAllocationRatio()));
    }

    /**
     * Like {@link #applyTo(HostState.Builder, ComputeNode)}, for a host that reports continuously, as nova-compute
     * does: the higher usage counts. Placement knows the claims since the report, and the host knows usage without an
     * allocation: reserved memory, and disk that instances do not use. The host's used CPUs are those of all instances,
     * pinned or not.
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

    /** Applies placement's capacity as totals to a host that is not registered. */
    void applyTo(HostState.Builder host) {
        apply(host, vcpu.whole(), ram.whole(), disk.whole());
    }

    /** Leaves the reported values of a class that the tree does not have. */
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
