package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Objects;

/**
 * One NUMA cell of an instance, either requested or fitted to a host cell.
 *
 * @param id in a requested cell the number of the cell, usually counted from 0; in a fitted cell the id of the host
 *         cell
 * @param cpuset floating virtual CPUs
 * @param pcpuset virtual CPUs that are or will be pinned
 * @param memoryMb memory in MiB
 * @param pageSize size of memory pages in KiB, or in a requested cell a code of {@link PageSize}; null or 0 if the
 *         request states none
 * @param cpuPolicy null counts as shared
 * @param cpuThreadPolicy null counts as prefer
 * @param pinning the host CPU of each pinned virtual CPU; empty in a requested cell
 * @param reservedPcpus host CPUs that are reserved for the emulator threads; empty in a requested cell
 */
public record InstanceNumaCell(
        int id,
        CpuSet cpuset,
        CpuSet pcpuset,
        long memoryMb,
        @Nullable Integer pageSize,
        @Nullable CpuPolicy cpuPolicy,
        @Nullable CpuThreadPolicy cpuThreadPolicy,
        Map<Integer, Integer> pinning,
        CpuSet reservedPcpus) {

    public InstanceNumaCell {
        Objects.requireNonNull(cpuset, "cpuset");
        Objects.requireNonNull(pcpuset, "pcpuset");
        Objects.requireNonNull(reservedPcpus, "reservedPcpus");
        pinning = Map.copyOf(pinning);
    }

    /** Creates a requested cell. */
    public InstanceNumaCell(
            int id,
            CpuSet cpuset,
            CpuSet pcpuset,
            long memoryMb,
            @Nullable Integer pageSize,
            @Nullable CpuPolicy cpuPolicy,
            @Nullable CpuThreadPolicy cpuThreadPolicy) {
        this(id, cpuset, pcpuset, memoryMb, pageSize, cpuPolicy, cpuThreadPolicy, Map.of(), CpuSet.EMPTY);
    }

    /** Returns whether virtual CPUs of the cell are pinned, see {@link CpuPolicy#pins}. */
    public boolean pins() {
        return CpuPolicy.pins(cpuPolicy);
    }

    /** Returns whether the policy has floating virtual CPUs, see {@link CpuPolicy#shares}. */
    public boolean shares() {
        return CpuPolicy.shares(cpuPolicy);
    }

    public boolean wantsPageSize() {
        return pageSize != null && pageSize != 0;
    }

    /** Returns the host CPUs of pinned virtual CPUs and of emulator threads. */
    public CpuSet takenPcpus() {
        return CpuSet.of(pinning.values()).plus(reservedPcpus);
    }

    public InstanceNumaCell withId(int hostCellId) {
        return new InstanceNumaCell(
                hostCellId, cpuset, pcpuset, memoryMb, pageSize, cpuPolicy, cpuThreadPolicy, pinning, reservedPcpus);
    }

    public InstanceNumaCell withPageSize(@Nullable Integer sizeKb) {
        return new InstanceNumaCell(
                id, cpuset, pcpuset, memoryMb, sizeKb, cpuPolicy, cpuThreadPolicy, pinning, reservedPcpus);
    }

    public InstanceNumaCell withPinning(Map<Integer, Integer> pcpuByVcpu, CpuSet reserved) {
        return new InstanceNumaCell(
                id, cpuset, pcpuset, memoryMb, pageSize, cpuPolicy, cpuThreadPolicy, pcpuByVcpu, reserved);
    }
}
