package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;

/**
 * The limits of the NUMA fitting, which NUMATopologyFilter sets in the {@code Limits} of a host. The ratios limit only
 * instance cells with floating virtual CPUs.
 *
 * @param cpuAllocationRatio maximum number of floating virtual CPUs for each host CPU
 * @param ramAllocationRatio maximum memory of instances, as a multiple of the cell's memory
 * @param network the networks that the request needs near its cells; null if it needs none
 */
public record NumaLimits(double cpuAllocationRatio, double ramAllocationRatio, @Nullable NetworkMetadata network) {}
