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
    /** The highest valid CPU number, far above the CPU numbers of any machine. */
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
            bounds[count - 1] = requireValid(cpu) + 1;
        }
        return of(bounds, count);
    }

    /** Returns the set of these numbers, see {@link #of(int...)}. */
    public static CpuSet of(Collection<Integer> cpus) {
        return of(cpus.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Returns the CPUs from {@code from} (included) to {@code to} (excluded); empty if {@code from} is not below {@code
     * to}. Throws IllegalArgumentException for a CPU outside of 0..{@value #CPU_MAX}.
     */
    public static CpuSet range(int from, int to) {
        return from >= to ? EMPTY : new CpuSet(new int[] {requireValid(from), requireValid(to - 1) + 1});
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
        return isWithin(countBoundsUpTo(cpu));
    }

    public boolean containsAll(CpuSet other) {
        for (int i = 0; i < other.bounds.length; i += 2) {
            int boundCount = countBoundsUpTo(other.bounds[i]);
            if (!isWithin(boundCount) || other.bounds[i + 1] > bounds[boundCount]) {
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
        return other.isEmpty() ? this : combine(other, (inThis, inOther) -> inThis || inOther);
    }

    public CpuSet minus(CpuSet other) {
        return intersects(other) ? combine(other, (inThis, inOther) -> inThis && !inOther) : this;
    }

    /** Returns the CPUs in both sets. Allocates nothing if this set contains all CPUs of {@code other}, or none. */
    public CpuSet intersection(CpuSet other) {
        if (!intersects(other)) {
            return EMPTY;
        }
        return containsAll(other) ? other : combine(other, (inThis, inOther) -> inThis && inOther);
    }

    /** Returns the lowest CPU of the set that is at least {@code cpu}; negative if there is none. */
    public int next(int cpu) {
        int boundCount = countBoundsUpTo(cpu);
        if (isWithin(boundCount)) {
            return cpu;
        }
        return boundCount < bounds.length ? bounds[boundCount] : -1;
    }

    /** Returns the CPUs in ascending order. */
    public IntStream stream() {
        return IntStream.iterate(next(0), cpu -> cpu >= 0, cpu -> next(cpu + 1));
    }

    /** Returns the number of bounds that are at most {@code cpu}. */
    private int countBoundsUpTo(int cpu) {
        int position = Arrays.binarySearch(bounds, cpu);
        return position < 0 ? -position - 1 : position + 1;
    }

    /**
     * Returns whether a CPU is in the set, given the number of bounds that are at most the CPU. The number is odd for a
     * CPU inside of a range.
     */
    private static boolean isWithin(int boundCount) {
        return boundCount % 2 != 0;
    }

    /** Decides whether a CPU is in the result, by its membership in both sets. */
    private interface MembershipRule {
        boolean contains(boolean inThis, boolean inOther);
    }

    /** Merges the bounds of both sets, and keeps the bounds at which membership in the result changes. */
    private CpuSet combine(CpuSet other, MembershipRule rule) {
        int[] combinedBounds = new int[bounds.length + other.bounds.length];
        int count = 0;
        int ownIndex = 0;
        int otherIndex = 0;
        while (ownIndex < bounds.length || otherIndex < other.bounds.length) {
            int bound = Math.min(
                    ownIndex < bounds.length ? bounds[ownIndex] : Integer.MAX_VALUE,
                    otherIndex < other.bounds.length ? other.bounds[otherIndex] : Integer.MAX_VALUE);
            if (ownIndex < bounds.length && bounds[ownIndex] == bound) {
                ownIndex++;
            }
            if (otherIndex < other.bounds.length && other.bounds[otherIndex] == bound) {
                otherIndex++;
            }
            if (rule.contains(isWithin(ownIndex), isWithin(otherIndex)) != isWithin(count)) {
                combinedBounds[count++] = bound;
            }
        }
        return of(combinedBounds, count);
    }

    private static CpuSet of(int[] bounds, int count) {
        return count == 0 ? EMPTY : new CpuSet(count == bounds.length ? bounds : Arrays.copyOf(bounds, count));
    }

    private static int requireValid(int cpu) {
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
