package io.berth.scheduler.numa;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An immutable set of CPU numbers from 0 to {@value #CPU_MAX}, in ascending order. The set is stored as ranges, so that
 * its size in memory depends on the number of ranges and not on the size of the numbers.
 */
public final class CpuSet {
    /** The highest valid CPU number, far above that of any machine. */
    public static final int CPU_MAX = 65_535;

    public static final CpuSet EMPTY = new CpuSet(new int[0]);

    /**
     * Two numbers for each range, in ascending order: the first CPU of the range, and the last CPU plus 1. Ranges
     * neither overlap nor touch. The array never changes.
     */
    private final int[] bounds;

    private CpuSet(int[] bounds) {
        this.bounds = bounds;
    }

    /**
     * Returns the set of these numbers. Throws IllegalArgumentException for a number outside of 0..{@value #CPU_MAX};
     * the caller must check untrusted input before.
     */
    public static CpuSet of(int... cpus) {
        int[] ascending = cpus.clone();
        Arrays.sort(ascending);
        int[] bounds = new int[2 * ascending.length];
        int count = 0;
        for (int cpu : ascending) {
            if (count == 0 || cpu > bounds[count - 1]) {
                bounds[count] = cpu;
                count += 2;
            }
            bounds[count - 1] = checked(cpu) + 1;
        }
        return of(bounds, count);
    }

    /** Returns the set of these numbers, see {@link #of(int...)}. */
    public static CpuSet of(Collection<Integer> cpus) {
        return of(cpus.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Returns the CPUs from {@code from} (included) to {@code to} (excluded); empty if {@code from} is not below {@code
     * to}.
     */
    public static CpuSet range(int from, int to) {
        return from >= to ? EMPTY : new CpuSet(new int[] {checked(from), checked(to - 1) + 1});
    }

    public int size() {
        int size = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            size += bounds[i + 1] - bounds[i];
        }
        return size;
    }

    public boolean isEmpty() {
        return bounds.length == 0;
    }

    public boolean contains(int cpu) {
        return isWithin(boundsUpTo(cpu));
    }

    public boolean containsAll(CpuSet other) {
        for (int i = 0; i < other.bounds.length; i += 2) {
            int passed = boundsUpTo(other.bounds[i]);
            if (!isWithin(passed) || other.bounds[i + 1] > bounds[passed]) {
                return false;
            }
        }
        return true;
    }

    public boolean intersects(CpuSet other) {
        for (int i = 0; i < other.bounds.length; i += 2) {
            int first = next(other.bounds[i]);
            if (first >= 0 && first < other.bounds[i + 1]) {
                return true;
            }
        }
        return false;
    }

    public CpuSet plus(CpuSet other) {
        return other.isEmpty() ? this : combined(other, (here, there) -> here || there);
    }

    public CpuSet minus(CpuSet other) {
        return intersects(other) ? combined(other, (here, there) -> here && !there) : this;
    }

    /** Returns the CPUs in both sets. Allocates nothing if this set contains all CPUs of {@code other}, or none. */
    public CpuSet intersection(CpuSet other) {
        if (!intersects(other)) {
            return EMPTY;
        }
        return containsAll(other) ? other : combined(other, (here, there) -> here && there);
    }

    /** Returns the lowest CPU of the set that is at least {@code cpu}; negative if there is none. */
    public int next(int cpu) {
        int passed = boundsUpTo(cpu);
        if (isWithin(passed)) {
            return cpu;
        }
        return passed < bounds.length ? bounds[passed] : -1;
    }

    /** Returns the CPUs in ascending order. */
    public IntStream stream() {
        return IntStream.iterate(next(0), cpu -> cpu >= 0, cpu -> next(cpu + 1));
    }

    /** Returns the number of bounds that are at most {@code cpu}. */
    private int boundsUpTo(int cpu) {
        int found = Arrays.binarySearch(bounds, cpu);
        return found < 0 ? -found - 1 : found + 1;
    }

    /** Returns whether a CPU with this number of bounds at or below it is in the set. */
    private static boolean isWithin(int passed) {
        return passed % 2 != 0;
    }

    /** Decides whether a CPU is in the result, by its membership in both sets. */
    private interface Members {
        boolean has(boolean here, boolean there);
    }

    /** Merges the bounds of both sets, and keeps those at which membership in the result changes. */
    private CpuSet combined(CpuSet other, Members members) {
        int[] combined = new int[bounds.length + other.bounds.length];
        int count = 0;
        int here = 0;
        int there = 0;
        while (here < bounds.length || there < other.bounds.length) {
            int at = Math.min(
                    here < bounds.length ? bounds[here] : Integer.MAX_VALUE,
                    there < other.bounds.length ? other.bounds[there] : Integer.MAX_VALUE);
            if (here < bounds.length && bounds[here] == at) {
                here++;
            }
            if (there < other.bounds.length && other.bounds[there] == at) {
                there++;
            }
            if (members.has(isWithin(here), isWithin(there)) != isWithin(count)) {
                combined[count++] = at;
            }
        }
        return of(combined, count);
    }

    private static CpuSet of(int[] bounds, int count) {
        return count == 0 ? EMPTY : new CpuSet(count == bounds.length ? bounds : Arrays.copyOf(bounds, count));
    }

    private static int checked(int cpu) {
        if (cpu < 0 || cpu > CPU_MAX) {
            throw new IllegalArgumentException("CPU %d is not in 0..%d".formatted(cpu, CPU_MAX));
        }
        return cpu;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && Arrays.equals(bounds, set.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    /** Returns a text like {@code {0, 1, 7}}. */
    @Override
    public String toString() {
        return stream().mapToObj(String::valueOf).collect(Collectors.joining(", ", "{", "}"));
    }
}
