package io.berth.scheduler.host;

import io.berth.scheduler.numa.NumaLimits;
import jakarta.annotation.Nullable;

/**
 * Upper bounds that filters noted for the compute service that builds the instance; null members were not noted.
 *
 * @param vcpu CPUs with overcommit
 * @param memoryMb MiB with overcommit
 * @param diskGb GiB with overcommit
 * @param numa ratios for the NUMA fit, used again at consumption
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
