package io.berth.scheduler.host;

import io.berth.scheduler.numa.NumaLimits;
import jakarta.annotation.Nullable;

/**
 * The upper bounds that filters set for the compute service that builds the instance. A member is null if no filter set
 * it.
 *
 * @param vcpu virtual CPUs, overcommit included
 * @param memoryMb MiB, overcommit included
 * @param diskGb GiB, overcommit included
 * @param numa limits of the NUMA fitting; they apply again when the claim is consumed
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
