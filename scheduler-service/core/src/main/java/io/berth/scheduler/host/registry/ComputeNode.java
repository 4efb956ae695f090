package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A registered compute node with its report. Filters see a host state that combines the report with other records (the
 * node's service, aggregates and instances) and with placement's usage.
 *
 * @param uuid uuid of the node and of its resource provider
 * @param state the reported host state; its uuid and allocation candidates are not set
 * @param provider inventories and traits for placement; null if the report has neither
 */
public record ComputeNode(UUID uuid, HostState state, @Nullable ProviderReport provider) implements RegistryRecord {
    /** Maximum characters of a {@code cpu_info} string whose bytes are not counted, because hosts share the string. */
    private static final int CPU_INFO_SHARED_MAX = 8_192;
    private static final long MIB_PER_GIB = 1_024;
    /** Estimated heap bytes of a PCI pool without its tags; next, those of an instance, an inventory and a trait. */
    private static final int POOL_BYTES = 100;
    private static final int INSTANCE_BYTES = 400;
    private static final int INVENTORY_BYTES = 200;
    private static final int TRAIT_BYTES = 150;

    static ComputeNode read(UUID uuid, StrictObject body) {
        // Refuses an invalid host name, because HostReport does not check its length.
        HostNames.readRequired(body, "host");
        return new ComputeNode(uuid, HostReport.read(body), ProviderReport.read(body));
    }

    /**
     * Returns the node with the allocation ratios and reserved amounts that its reported inventories lack, taken from
     * the options. For a class without a reported inventory, the ratio of the host state stays; 1.0 if that is 0.
     */
    public ComputeNode withDefaultsFrom(InventoryOptions options) {
        return new ComputeNode(
                uuid,
                state.toBuilder()
                        .cpuAllocationRatio(ratio("VCPU", state.cpuAllocationRatio(), options))
                        .ramAllocationRatio(ratio("MEMORY_MB", state.ramAllocationRatio(), options))
                        .diskAllocationRatio(ratio("DISK_GB", state.diskAllocationRatio(), options))
                        .build(),
                provider == null ? null : provider.withReservedFrom(options));
    }

    private double ratio(String resourceClass, double reportedRatio, InventoryOptions options) {
        if (provider != null && provider.inventory(resourceClass) != null) {
            return options.nodeRatio(resourceClass, provider.allocationRatio(resourceClass));
        }
        // As in nova, 0.0 means "not set".
        return reportedRatio == 0 ? 1.0 : reportedRatio;
    }

    /**
     * Returns the node as it would report with other amounts of a resource class. Free memory and disk change as much
     * as total minus reserved does. A total or inventory that the node does not report stays absent.
     *
     * @param total new total, in units of the class; null: unchanged
     * @param reserved new reserved amount; null: unchanged
     */
    public ComputeNode withAmounts(String resourceClass, @Nullable Long total, @Nullable Long reserved) {
        ReportedInventory inventory = provider == null ? null : provider.inventory(resourceClass);
        HostState.Builder changed = state.toBuilder();
        long unreserved = inventory == null || reserved == null || inventory.reserved() == null
                ? 0
                : inventory.reserved() - reserved;
        switch (resourceClass) {
            case "VCPU" -> changed.vcpusTotal(replaceReported(state.vcpusTotal(), total));
            case "MEMORY_MB" -> {
                long newTotal = replaceReported(state.totalUsableRamMb(), total);
                changed.totalUsableRamMb(newTotal)
                        .freeRamMb(state.freeRamMb() + newTotal - state.totalUsableRamMb() + unreserved);
            }
            case "DISK_GB" -> {
                long newTotal = replaceReported(state.totalUsableDiskGb(), total);
                changed.totalUsableDiskGb(newTotal)
                        .freeDiskMb(state.freeDiskMb()
                                + MIB_PER_GIB * (newTotal - state.totalUsableDiskGb() + unreserved));
            }
            default -> {
                // Host states do not count other classes.
            }
        }
        return new ComputeNode(
                uuid, changed.build(),
                provider == null || inventory == null
                        ? provider
                        : provider.with(resourceClass, inventory.with(total, reserved)));
    }

    /** Returns the new amount; the reported one if the new amount is null, or if the node reports none (0). */
    private static long replaceReported(long reported, @Nullable Long newAmount) {
        return reported > 0 && newAmount != null ? newAmount : reported;
    }

    /**
     * Returns the reported total less the reserved amount, without the allocation ratio; 0 if the node reports no
     * inventory of the class. The node must be a result of {@link #withDefaultsFrom}, which adds the reserved amount to
     * a report without it.
     */
    public long reportedAmount(String resourceClass) {
        ReportedInventory inventory = provider == null ? null : provider.inventory(resourceClass);
        return inventory == null || inventory.reserved() == null
                ? 0
                : Math.max(0, inventory.total() - inventory.reserved());
    }

    /**
     * Returns the node as it would report without one of its instances.
     *
     * @param held the instance's allocations: amount by resource class by provider uuid. The amounts of all providers
     *     are subtracted, even of providers of another host; placement's usage limits the free amounts anyway
     */
    public ComputeNode without(UUID instance, Map<String, Map<String, Long>> held) {
        Map<String, RunningInstance> remaining = new HashMap<>(state.instances());
        remaining.remove(instance.toString());
        return new ComputeNode(
                uuid,
                stateBuilderWithUsage(held, -1).numInstances(Math.max(0, state.numInstances() - 1)).instances(remaining)
                        .build(),
                provider);
    }

    /**
     * Returns a builder of the state that the node would report with additional usage of VCPU, PCPU, MEMORY_MB and
     * DISK_GB; host states do not count other classes.
     *
     * @param allocations amount by resource class by provider uuid; the amounts of all providers are added
     * @param factor factor of the amounts; negative to subtract them
     */
    public HostState.Builder stateBuilderWithUsage(Map<String, Map<String, Long>> allocations, int factor) {
        long cpus = factor * (sum(allocations, "VCPU") + sum(allocations, "PCPU"));
        long ramMb = factor * sum(allocations, "MEMORY_MB");
        long diskMb = factor * MIB_PER_GIB * sum(allocations, "DISK_GB");
        return state.toBuilder()
                .vcpusUsed(Math.max(0, state.vcpusUsed() + cpus))
                .freeRamMb(state.freeRamMb() - ramMb)
                .freeDiskMb(state.freeDiskMb() - diskMb)
                .diskMbUsed(Math.max(0, state.diskMbUsed() + diskMb));
    }

    private static long sum(Map<String, Map<String, Long>> allocations, String resourceClass) {
        return allocations.values().stream().mapToLong(amounts -> amounts.getOrDefault(resourceClass, 0L)).sum();
    }

    /**
     * Counts only values that are not shared between hosts. Topology and CPU model are shared ({@link ValueInterner}),
     * except a CPU model that is an object or a long string.
     */
    @Override
    public long ownBytes() {
        long bytes = estimatedBytes(state.stats()) + estimatedBytes(state.metrics())
                + (long) INSTANCE_BYTES * state.instances().size();
        JsonNode cpuInfo = state.cpuInfo();
        if (cpuInfo != null && !(cpuInfo.isTextual() && cpuInfo.textValue().length() <= CPU_INFO_SHARED_MAX)) {
            bytes += HeapEstimate.of(cpuInfo);
        }
        if (state.pciStats() != null) {
            bytes += state.pciStats().pools().stream().mapToLong(pool -> POOL_BYTES + HeapEstimate.of(pool.tags()))
                    .sum();
        }
        for (HostAggregate aggregate : state.aggregates()) {
            bytes += HeapEstimate.of(aggregate.metadata());
        }
        if (provider != null) {
            bytes += provider.inventories() == null ? 0 : (long) INVENTORY_BYTES * provider.inventories().size();
            bytes += provider.traits() == null ? 0 : (long) TRAIT_BYTES * provider.traits().size();
        }
        return bytes;
    }

    /** Returns the estimated heap bytes of a map; 0 for an empty map, because all empty maps are one object. */
    private static long estimatedBytes(Map<String, ?> members) {
        return members.isEmpty() ? 0 : HeapEstimate.of(members);
    }

    /** Returns the name of the compute service's host. */
    public String host() {
        return state.host();
    }

    /** Returns the node's name ({@code hypervisor_hostname} in nova). */
    public String nodename() {
        return state.nodename();
    }

    /** Returns the uuid of the node's cell; null if the node is in no cell. */
    public @Nullable String cellUuid() {
        return state.cellUuid();
    }
}
