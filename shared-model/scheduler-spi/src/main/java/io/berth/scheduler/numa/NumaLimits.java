package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;

/**
 * The limits that the NUMA filter sets on a host. The host state keeps them for the claim and its consumption.
 *
 * @param cpuAllocationRatio the most floating virtual CPUs per host CPU
 * @param ramAllocationRatio the most memory of instances per memory of the cell
 * @param network the networks that the request needs near its cells; null if it needs none
 */
public record NumaLimits(double cpuAllocationRatio, double ramAllocationRatio, @Nullable NetworkMetadata network) {}
