package io.berth.scheduler.numa.constraint;

import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.text.DerivedValue;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Derives the NUMA topology that a flavor and an image request.
 *
 * <p>A violated rule is an error of the request. The rules are checked in steps: CPU policies, their consistency, page
 * size and locked memory, number of cells; then, if a topology is requested, number of virtual CPUs and split into
 * cells. The error lists all violations that the first failed step found.
 * <br>Source: nova {@code virt/hardware.py} (numa_get_constraints).
 */
public final class NumaConstraints {
    private NumaConstraints() {}

    /**
     * Returns the requested topology, whose cells are numbered from 0; a {@link DerivedValue.Value} of null if no
     * topology is requested.
     */
    public static DerivedValue<InstanceNuma> derive(FlavorAndImage request) {
        return CpuPolicies.read(request)
                .then(stated -> PolicyConsistency.check(request, stated))
                .then(policies -> MemoryConstraints.pageSize(request)
                        .then(pageSize -> CellSplit.cellCount(request)
                                .then(cellCount -> topology(request, policies, pageSize, cellCount))));
    }

    private static DerivedValue<InstanceNuma> topology(
            FlavorAndImage request, CpuPolicies policies, @Nullable Integer pageSize, @Nullable Integer cellCount) {
        if (cellCount == null && pageSize == null && !wantsPersistentMemory(request)
                && !CpuPolicy.pins(policies.policy())) {
            return new DerivedValue.Value<>(null);
        }
        if (request.vcpus() < 0 || request.vcpus() > CpuSet.CPU_MAX + 1) {
            return new DerivedValue.Refused<>("%d virtual CPUs: the number must be 0 to %d"
                    .formatted(request.vcpus(), CpuSet.CPU_MAX + 1));
        }
        return CellSplit.of(request, cellCount == null ? 1 : cellCount)
                .then(split -> new DerivedValue.Value<>(
                        new InstanceNuma(cells(split, policies, pageSize), policies.emulatorThreads())));
    }

    private static List<InstanceNumaCell> cells(CellSplit split, CpuPolicies policies, @Nullable Integer pageSize) {
        // Not null: PolicyConsistency sets it to the virtual CPUs that the policy pins, which are all for dedicated and
        // none without pinning.
        CpuSet dedicated = Objects.requireNonNull(policies.dedicatedMask());
        var cells = new ArrayList<InstanceNumaCell>();
        for (int id = 0; id < split.cpus().size(); id++) {
            CpuSet cpus = split.cpus().get(id);
            cells.add(new InstanceNumaCell(
                    id,
                    cpus.minus(dedicated),
                    cpus.intersection(dedicated),
                    split.memoryMb().get(id),
                    pageSize,
                    policies.policy(),
                    policies.threadPolicy()));
        }
        return cells;
    }

    /**
     * Returns whether the flavor requests persistent memory. Its labels are not checked here, because placement finds
     * the hosts that have them.
     */
    private static boolean wantsPersistentMemory(FlavorAndImage request) {
        String labels = request.flavor("hw:pmem");
        return labels != null && !labels.replace(",", "").isBlank();
    }
}
