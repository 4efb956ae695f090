package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;

/**
 * The limits of the NUMA filter on a host: kept with the host for the claim and for later consumption.
 *
 * @param cpuAllocationRatio floating virtual CPUs per host CPU
 * @param ramAllocationRatio instance memory per cell memory
 * @param network networks the request needs near its cells; null if it needs none
 */
public record NumaLimits(double cpuAllocationRatio, double ramAllocationRatio, @Nullable NetworkMetadata network) {}
