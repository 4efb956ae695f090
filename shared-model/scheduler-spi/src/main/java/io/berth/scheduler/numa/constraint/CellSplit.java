package io.berth.scheduler.numa.constraint;

import io.berth.scheduler.numa.CpuList;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.IntegerText;
import io.berth.scheduler.text.Violations;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits the CPUs and the memory of an instance into NUMA cells: evenly, or by the lists of the flavor or the image.
 * <br>Source: nova {@code virt/hardware.py} (numa_get_constraints and the split functions it calls).
 *
 * @param cpus virtual CPUs of each cell
 * @param memoryMb memory of each cell, MiB
 */
record CellSplit(List<CpuSet> cpus, List<Long> memoryMb) {
    /**
     * Returns the number of cells that flavor or image state, at least 1; a null value if neither states one. Refuses
     * a number that is invalid or too large, and numbers in both, unless the image's is 0.
     */
    static DerivedValue<Integer> cellCount(FlavorAndImage request) {
        String flavor = request.flavor("hw:numa_nodes");
        String image = request.image("hw_numa_nodes");
        // As in upstream, an image's 0 does not conflict with a flavor's number.
        if (flavor != null && image != null && !image.equals("0")) {
            return new DerivedValue.Refused<>("hw:numa_nodes and hw_numa_nodes exclude each other");
        }
        String text = flavor != null ? flavor : image;
        if (text == null) {
            return new DerivedValue.Value<>(null);
        }
        Long count = IntegerText.parse(text);
        if (count == null || !count.toString().equals(text) || count < 1) {
            return new DerivedValue.Refused<>("the number of NUMA nodes must be an integer of at least 1");
        }
        if (count > FlavorAndImage.CELLS_MAX) {
            return new DerivedValue.Refused<>("%d NUMA nodes: at most %d are allowed"
                    .formatted(count, FlavorAndImage.CELLS_MAX));
        }
        return new DerivedValue.Value<>(count.intValue());
    }

    /**
     * Splits the request into this number of cells. Refuses a request without lists that does not split evenly. Refuses
     * lists that are invalid or incomplete, do not match the flavor, or are stated by both flavor and image.
     */
    static DerivedValue<CellSplit> of(FlavorAndImage request, int cellCount) {
        var violations = new Violations();
        List<CpuSet> cpus = listedCpus(request, violations);
        List<Long> memoryMb = listedMemory(request, violations);
        CellSplit split = null;
        if (cpus == null && memoryMb == null) {
            split = splitEvenly(request, cellCount, violations);
        } else if (cpus == null || memoryMb == null) {
            violations.add("CPUs and memory of NUMA nodes must be listed together");
        } else {
            split = new CellSplit(cpus, memoryMb);
            split.check(request, cellCount, violations);
        }
        return violations.orValue(split);
    }

    private static @Nullable CellSplit splitEvenly(FlavorAndImage request, int cellCount, Violations violations) {
        if (request.vcpus() % cellCount != 0 || request.memoryMb() % cellCount != 0) {
            violations.add("%d virtual CPUs and %d MiB do not split evenly into %d NUMA nodes"
                    .formatted(request.vcpus(), request.memoryMb(), cellCount));
            return null;
        }
        int cpusPerCell = request.vcpus() / cellCount;
        var cpus = new ArrayList<CpuSet>();
        var memoryMb = new ArrayList<Long>();
        for (int cell = 0; cell < cellCount; cell++) {
            cpus.add(CpuSet.range(cell * cpusPerCell, (cell + 1) * cpusPerCell));
            memoryMb.add(request.memoryMb() / cellCount);
        }
        return new CellSplit(cpus, memoryMb);
    }

    private void check(FlavorAndImage request, int cellCount, Violations violations) {
        if (cpus.size() != cellCount || memoryMb.size() != cellCount) {
            violations.add("CPUs are listed for %d and memory for %d of %d NUMA nodes"
                    .formatted(cpus.size(), memoryMb.size(), cellCount));
            return;
        }
        CpuSet distinctCpus = CpuSet.EMPTY;
        int listedCount = 0;
        for (CpuSet cellCpus : cpus) {
            distinctCpus = distinctCpus.plus(cellCpus);
            listedCount += cellCpus.size();
        }
        if (listedCount != distinctCpus.size() || !distinctCpus.equals(CpuSet.range(0, request.vcpus()))) {
            violations.add("the NUMA nodes must list each of the %d virtual CPUs once, and no other CPU"
                    .formatted(request.vcpus()));
        }
        if (memoryMb.stream().anyMatch(each -> each != each.intValue())) {
            violations.add("the memory of a NUMA node must be at most %d MiB, but the list is %s"
                    .formatted(Integer.MAX_VALUE, memoryMb));
            return;
        }
        long sumMb = memoryMb.stream().mapToLong(Long::longValue).sum();
        if (sumMb != request.memoryMb()) {
            violations.add("the NUMA nodes list %d MiB, the flavor has %d".formatted(sumMb, request.memoryMb()));
        }
    }

    /**
     * Returns the virtual CPUs of each cell that flavor or image list; null if neither lists any. Stops after one cell
     * more than {@link FlavorAndImage#CELLS_MAX}, which suffices for {@link #check} to refuse the list.
     */
    private static @Nullable List<CpuSet> listedCpus(FlavorAndImage request, Violations violations) {
        var flavor = new ArrayList<CpuSet>();
        String text;
        while (flavor.size() <= FlavorAndImage.CELLS_MAX
                && (text = request.extraSpecs().get("hw:numa_cpus." + flavor.size())) != null) {
            CpuSet cpus = violations.valueOf(CpuList.parse(text));
            flavor.add(cpus == null ? CpuSet.EMPTY : cpus);
        }
        var image = new ArrayList<CpuSet>();
        if (request.imageProperties().get("hw_numa_cpus") instanceof List<?> listed) {
            listed.forEach(cpus -> image.add((CpuSet) cpus));
        }
        return chooseList("cpus", flavor, image, violations);
    }

    /** Returns the MiB of each cell that flavor or image list, up to the same number; null if neither lists any. */
    private static @Nullable List<Long> listedMemory(FlavorAndImage request, Violations violations) {
        var flavor = new ArrayList<Long>();
        String text;
        while (flavor.size() <= FlavorAndImage.CELLS_MAX
                && (text = request.extraSpecs().get("hw:numa_mem." + flavor.size())) != null) {
            Long memoryMb = IntegerText.parse(text);
            if (memoryMb == null) {
                violations.add("hw:numa_mem.%d must be an integer of MiB".formatted(flavor.size()));
            }
            flavor.add(memoryMb == null ? 0 : memoryMb);
        }
        var image = new ArrayList<Long>();
        if (request.imageProperties().get("hw_numa_mem") instanceof List<?> listed) {
            listed.forEach(memoryMb -> image.add(((Number) memoryMb).longValue()));
        }
        return chooseList("mem", flavor, image, violations);
    }

    /** Returns the list of the flavor or of the image; null if both are empty. Adds a violation if neither is empty. */
    private static <T> @Nullable List<T> chooseList(String suffix, List<T> flavor, List<T> image,
            Violations violations) {
        if (!flavor.isEmpty() && !image.isEmpty()) {
            violations.add("hw:numa_%s.N and hw_numa_%s.N exclude each other".formatted(suffix, suffix));
        }
        if (flavor.isEmpty() && image.isEmpty()) {
            return null;
        }
        return flavor.isEmpty() ? image : flavor;
    }
}
