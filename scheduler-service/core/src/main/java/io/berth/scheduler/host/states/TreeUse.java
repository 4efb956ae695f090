package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import java.util.List;

/** Capacity and usage of VCPU, PCPU, MEMORY_MB and DISK_GB, summed over the providers of a tree. */
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

    /** The sums of one resource class. */
    private static final class Sum {
        /**
         * Relative tolerance for the comparison of placement's capacity with amount times ratio, a floating-point
         * number.
         */
        private static final double ROUNDING = 1e-6;

        private final String resourceClass;
        private boolean isPresent;
        private long capacity;
        private long used;

        Sum(String resourceClass) {
            this.resourceClass = resourceClass;
        }

        void add(ProviderSummary.Usage usage) {
            isPresent = true;
            capacity += usage.capacity();
            used += usage.used();
        }

        /** Returns placement's capacity as a total with the ratio 1. */
        Stock whole() {
            return new Stock(capacity, 1.0, capacity);
        }

        /**
         * Returns the node's amounts of the class. The total is the reported total; without it, the amount of the
         * reported inventory, which excludes the reserved amount; without both, placement's capacity divided by the
         * ratio, rounded up. The ratio is the node's, with one exception: if the node reports an inventory, and
         * placement's capacity is not 0 and not the reported amount times the node's ratio (rounded down), an operator
         * changed the inventory in placement. Then the ratio is placement's capacity divided by the reported amount.
         *
         * @param total reported total; 0 if the node does not report it
         * @param ratio the node's allocation ratio
         */
        Stock of(ComputeNode node, long total, double ratio) {
            long amount = node.reportedAmount(resourceClass);
            if (amount > 0) {
                double product = amount * ratio;
                double slack = product * ROUNDING;
                boolean isChangedInPlacement = capacity > 0
                        && (capacity > product + slack || product - capacity >= 1 + slack);
                return new Stock(
                        total > 0 ? total : amount,
                        isChangedInPlacement ? (double) capacity / amount : ratio,
                        total > 0 ? Math.min(total, amount) : amount);
            }
            long wholeTotal = total > 0 ? total : ratio > 0 ? (long) Math.ceil(capacity / ratio - ROUNDING) : capacity;
            return new Stock(wholeTotal, ratio, wholeTotal);
        }
    }

    /**
     * Amounts of a resource class as nova's compute nodes report them.
     *
     * @param total total without the allocation ratio
     * @param usable the total less the reserved amount
     */
    private record Stock(long total, double ratio, long usable) {}

    /** Sets the totals and ratios of {@link Sum#of}, and placement's usage. */
    void applyTo(HostState.Builder host, ComputeNode node) {
        HostState reported = node.state();
        apply(
                host,
                vcpu.of(node, reported.vcpusTotal(), reported.cpuAllocationRatio()),
                ram.of(node, reported.totalUsableRamMb(), reported.ramAllocationRatio()),
                disk.of(node, reported.totalUsableDiskGb(), reported.diskAllocationRatio()));
    }

    /**
     * Like {@link #applyTo(HostState.Builder, ComputeNode)}, for a host that reports its usage continuously, as
     * nova-compute does: sets the higher of placement's and the reported usage. Placement's usage includes claims after
     * the report; the reported usage includes usage without an allocation, such as reserved memory and disk that no
     * instance uses. Used CPUs are compared for VCPU and PCPU together, because nova reports one number for both. A
     * class whose total the host does not report has placement's usage.
     * <br>Source: nova {@code compute/resource_tracker.py} (_update_usage), {@code scheduler/host_manager.py}
     * (_update_from_compute_node).
     */
    void applyHigher(HostState.Builder host, ComputeNode node) {
        applyTo(host, node);
        HostState reported = node.state();
        if (vcpu.isPresent && reported.vcpusTotal() > 0) {
            host.vcpusUsed(Math.max(reported.vcpusUsed(), vcpu.used + pcpu.used));
        }
        if (ram.isPresent && reported.totalUsableRamMb() > 0) {
            host.freeRamMb(Math.min(reported.freeRamMb(), reported.totalUsableRamMb() - ram.used));
        }
        if (disk.isPresent && reported.totalUsableDiskGb() > 0) {
            long freeGb = reported.totalUsableDiskGb() - disk.used;
            host.freeDiskMb(Math.min(reported.freeDiskMb(), freeGb * MIB_PER_GIB))
                    .diskMbUsed(Math.max(reported.diskMbUsed(), disk.used * MIB_PER_GIB));
        }
    }

    /** Sets placement's capacity and usage, for a host that is not registered. */
    void applyTo(HostState.Builder host) {
        apply(host, vcpu.whole(), ram.whole(), disk.whole());
    }

    /** Sets totals and usage. Does not change the reported values of a class that the tree does not have. */
    private void apply(HostState.Builder host, Stock cpus, Stock ramMb, Stock diskGb) {
        if (vcpu.isPresent) {
            host.vcpusTotal(cpus.total()).cpuAllocationRatio(cpus.ratio()).vcpusUsed(vcpu.used);
        }
        if (ram.isPresent) {
            host.totalUsableRamMb(ramMb.total()).ramAllocationRatio(ramMb.ratio()).freeRamMb(ramMb.usable() - ram.used);
        }
        if (disk.isPresent) {
            host.totalUsableDiskGb(diskGb.total())
                    .diskAllocationRatio(diskGb.ratio())
                    .freeDiskMb((diskGb.usable() - disk.used) * MIB_PER_GIB)
                    .diskMbUsed(disk.used * MIB_PER_GIB);
        }
    }
}
