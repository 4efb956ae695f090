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
 * A compute node and what it reported. A later record of its service, aggregates or instances adds to the report or
 * replaces it.
 *
 * @param state as reported, without uuid and candidates
 * @param provider what the report says to placement; null if nothing
 */
public record ComputeNode(UUID uuid, HostState state, @Nullable ProviderReport provider) implements RegistryRecord {
    /** Characters of {@code cpu_info} up to which thousands of hosts have the same. */
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

    /** With what the report of an inventory leaves to the options: the ratio of its class, and what is reserved. */
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
        // As nova, 0.0 is for "not set".
        return stated == 0 ? 1.0 : stated;
    }

    /**
     * As it would report with so much of the class: what it has free changes with it.
     *
     * @param total null: as before
     * @param reserved null: as before
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
                // Host states do not count it.
            }
        }
        return new ComputeNode(
                uuid, now.build(), before == null ? provider : provider.with(resourceClass, before.with(total, reserved)));
    }

    /** 0: it does not say. */
    private static long stated(long before, @Nullable Long now) {
        return before > 0 && now != null ? now : before;
    }

    /** What the report says the node can give out, without the ratio; 0: it does not say. Of a node under options. */
    public long reportedAmount(String resourceClass) {
        ReportedInventory inventory = provider == null ? null : provider.inventory(resourceClass);
        return inventory == null || inventory.reserved() == null
                ? 0
                : Math.max(0, inventory.total() - inventory.reserved());
    }

    /**
     * As it would report without that instance, which it has counted.
     *
     * @param held by the instance, by provider and resource class; elsewhere, too, since what a host has free is never
     *     more than placement says
     */
    public ComputeNode without(UUID instance, Map<String, Map<String, Long>> held) {
        Map<String, RunningInstance> others = new HashMap<>(state.instances());
        others.remove(instance.toString());
        return new ComputeNode(
                uuid,
                using(held, -1).numInstances(Math.max(0, state.numInstances() - 1)).instances(others).build(),
                provider);
    }

    /** What it would report with so much more in use: by provider and resource class, that many times. */
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

    /** Of what hosts do not share, as they share topology and model of CPU. */
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

    /** Of none all have the same. */
    private static long some(Map<String, ?> members) {
        return members.isEmpty() ? 0 : ReckonedHeap.of(members);
    }

    public String host() {
        return state.host();
    }

    /** The hypervisor's host name. */
    public String nodename() {
        return state.nodename();
    }

    /** Returns null when the node is in no cell. */
    public @Nullable String cellUuid() {
        return state.cellUuid();
    }
}
