package io.berth.scheduler.host;

import io.berth.scheduler.numa.NumaLimits;
import jakarta.annotation.Nullable;

/**
 * The limits that filters set for the compute service that builds the instance. A member is null if no filter has set
 * it.
 *
 * @param vcpu maximum number of virtual CPUs, including overcommitment
 * @param memoryMb maximum memory in MiB, including overcommitment
 * @param diskGb maximum disk in GiB, including overcommitment
 * @param numa limits of the NUMA fitting. After the claim, the fitting is repeated with the same limits, to subtract
 *         the instance from the host
 */
public record Limits(
        @Nullable Double vcpu, @Nullable Double memoryMb, @Nullable Double diskGb, @Nullable NumaLimits numa) {
    public static final Limits NONE = new Limits(null, null, null, null);

    public Limits withVcpu(double count) {
        return new Limits(count, memoryMb, diskGb, numa);
    }

    public Limits withMemoryMb(double mb) {
        return new Limits(vcpu, mb, diskGb, numa);
    }

    public Limits withDiskGb(double gb) {
        return new Limits(vcpu, memoryMb, gb, numa);
    }

    public Limits withNuma(NumaLimits limits) {
        return new Limits(vcpu, memoryMb, diskGb, limits);
    }
}
