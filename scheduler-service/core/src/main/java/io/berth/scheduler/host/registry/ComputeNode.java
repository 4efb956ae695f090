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
 * A compute node and its report. Other records, of its service, aggregates or instances, add to the report or
 * override it.
 *
 * @param state as reported, without uuid and candidates
 * @param provider the part of the report for placement; null if there is none
 */
public record ComputeNode(UUID uuid, HostState state, @Nullable ProviderReport provider) implements RegistryRecord {
    /** Maximum characters of a {@code cpu_info} that is assumed to be shared by thousands of hosts. */
    private static final int CPU_INFO_SHARED = 8_192;
    private static final long MIB_PER_GIB = 1_024;
    private static final int POOL_BYTES = 100;
    private static final int INSTANCE_BYTES = 400;
    private static final int INVENTORY_BYTES = 200;
    private static final int TRAIT_BYTES = 150;

    static ComputeNode read(UUID uuid, StrictObject body) {
        HostNames.one(body, "host");
        return new ComputeNode(uuid, HostReport.read(body), ProviderReport.read(body));
    }

    /**
     * Returns the node with values from the options that the report omits: each class's ratio, and its reserved
     * amount.
     */
    public ComputeNode under(InventoryOptions options) {
        return new ComputeNode(
                uuid,
                state.toBuilder()
                        .cpuAllocationRatio(ratio("VCPU", state.cpuAllocationRatio(), options))
                        .ramAllocationRatio(ratio("MEMORY_MB", state.ramAllocationRatio(), options))
                        .diskAllocationRatio(ratio("DISK_GB", state.diskAllocationRatio(), options))
                        .build(),
                provider == null ? null : provider.under(options));
    }

    private double ratio(String resourceClass, double stated, InventoryOptions options) {
        if (provider != null && provider.inventory(resourceClass) != null) {
            return options.nodeRatio(resourceClass, provider.allocationRatio(resourceClass));
        }
        // As in nova, 0.0 means "not set".
        return stated == 0 ? 1.0 : stated;
    }

    /**
     * Returns the node as it would report with other amounts of a class; its free amounts change accordingly.
     *
     * @param total null: unchanged
     * @param reserved null: unchanged
     */
    public ComputeNode reporting(String resourceClass, @Nullable Long total, @Nullable Long reserved) {
        ReportedInventory before = provider == null ? null : provider.inventory(resourceClass);
        HostState.Builder now = state.toBuilder();
        long more = before == null || reserved == null || before.reserved() == null ? 0 : before.reserved() - reserved;
        switch (resourceClass) {
            case "VCPU" -> now.vcpusTotal(stated(state.vcpusTotal(), total));
            case "MEMORY_MB" -> {
                long all = stated(state.totalUsableRamMb(), total);
                now.totalUsableRamMb(all).freeRamMb(state.freeRamMb() + all - state.totalUsableRamMb() + more);
            }
            case "DISK_GB" -> {
                long all = stated(state.totalUsableDiskGb(), total);
                now.totalUsableDiskGb(all)
                        .freeDiskMb(state.freeDiskMb() + MIB_PER_GIB * (all - state.totalUsableDiskGb() + more));
            }
            default -> {
                // Host states do not count other classes.
            }
        }
        return new ComputeNode(
                uuid, now.build(), before == null ? provider : provider.with(resourceClass, before.with(total, reserved)));
    }

    /** Returns the new amount, unless the node does not report one (0). */
    private static long stated(long before, @Nullable Long now) {
        return before > 0 && now != null ? now : before;
    }

    /**
     * Returns the amount that the node can provide according to its report, without the ratio; 0 if it does not
     * report it. Call it on a node with options applied.
     */
    public long reportedAmount(String resourceClass) {
        ReportedInventory inventory = provider == null ? null : provider.inventory(resourceClass);
        return inventory == null || inventory.reserved() == null
                ? 0
                : Math.max(0, inventory.total() - inventory.reserved());
    }

    /**
     * Returns the node as it would report without an instance that it counts.
     *
     * @param held the instance's allocations, by provider and resource class; those on other providers count, too,
     *     since a host never has more free than placement reports
     */
    public ComputeNode without(UUID instance, Map<String, Map<String, Long>> held) {
        Map<String, RunningInstance> others = new HashMap<>(state.instances());
        others.remove(instance.toString());
        return new ComputeNode(
                uuid,
                using(held, -1).numInstances(Math.max(0, state.numInstances() - 1)).instances(others).build(),
                provider);
    }

    /** Returns the state that the node would report with these allocations in use that many times more. */
    public HostState.Builder using(Map<String, Map<String, Long>> allocations, int times) {
        long cpus = times * (sum(allocations, "VCPU") + sum(allocations, "PCPU"));
        long ramMb = times * sum(allocations, "MEMORY_MB");
        long diskMb = times * MIB_PER_GIB * sum(allocations, "DISK_GB");
        return state.toBuilder()
                .vcpusUsed(Math.max(0, state.vcpusUsed() + cpus))
                .freeRamMb(state.freeRamMb() - ramMb)
                .freeDiskMb(state.freeDiskMb() - diskMb)
                .diskMbUsed(Math.max(0, state.diskMbUsed() + diskMb));
    }

    private static long sum(Map<String, Map<String, Long>> allocations, String resourceClass) {
        return allocations.values().stream().mapToLong(amounts -> amounts.getOrDefault(resourceClass, 0L)).sum();
    }

    /** Counts only what hosts do not share; topology and CPU model are shared. */
    @Override
    public long ownBytes() {
        long bytes = some(state.stats()) + some(state.metrics()) + (long) INSTANCE_BYTES * state.instances().size();
        JsonNode cpuInfo = state.cpuInfo();
        if (cpuInfo != null && !(cpuInfo.isTextual() && cpuInfo.textValue().length() <= CPU_INFO_SHARED)) {
            bytes += ReckonedHeap.of(cpuInfo);
        }
        if (state.pciStats() != null) {
            bytes += state.pciStats().pools().stream().mapToLong(pool -> POOL_BYTES + ReckonedHeap.of(pool.tags())).sum();
        }
        for (HostAggregate aggregate : state.aggregates()) {
            bytes += ReckonedHeap.of(aggregate.metadata());
        }
        if (provider != null) {
            bytes += provider.inventories() == null ? 0 : (long) INVENTORY_BYTES * provider.inventories().size();
            bytes += provider.traits() == null ? 0 : (long) TRAIT_BYTES * provider.traits().size();
        }
        return bytes;
    }

    /** Returns the bytes of a map; 0 for an empty one, because empty maps are shared. */
    private static long some(Map<String, ?> members) {
        return members.isEmpty() ? 0 : ReckonedHeap.of(members);
    }

    public String host() {
        return state.host();
    }

    /** Returns the hypervisor's host name. */
    public String nodename() {
        return state.nodename();
    }

    /** Returns null if the node is in no cell. */
    public @Nullable String cellUuid() {
        return state.cellUuid();
    }
}
