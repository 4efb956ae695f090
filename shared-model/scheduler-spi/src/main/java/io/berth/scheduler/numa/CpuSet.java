package io.berth.scheduler.numa;

import java.util.BitSet;
import java.util.Collection;
import java.util.stream.IntStream;

/**
 * An immutable set of CPU numbers, each 0..{@value #CPU_MAX}, iterated in ascending order. Backed by bits, so a
 * cell of a usual host takes a word or two.
 */
public final class CpuSet {
    /** The highest CPU number accepted; far above any machine, low enough that a hostile list stays small. */
    public static final int CPU_MAX = 65_535;

    public static final CpuSet EMPTY = new CpuSet(new BitSet(0));

    /** Never changed after construction. */
    private final BitSet cpus;

    private CpuSet(BitSet cpus) {
        this.cpus = cpus;
    }

    /**
     * Throws IllegalArgumentException for a number outside of the range; whoever reads untrusted input checks first.
     */
    public static CpuSet of(int... cpus) {
        var bits = new BitSet();
        for (int cpu : cpus) {
            bits.set(checked(cpu));
        }
        return wrap(bits);
    }

    /** As {@link #of(int...)}. */
    public static CpuSet of(Collection<Integer> cpus) {
        var bits = new BitSet();
        for (int cpu : cpus) {
            bits.set(checked(cpu));
        }
        return wrap(bits);
    }

    /** The CPUs {@code from} (included) to {@code to} (excluded); empty if there are none between. */
    public static CpuSet range(int from, int to) {
        if (from >= to) {
            return EMPTY;
        }
        var bits = new BitSet(checked(to - 1) + 1);
        bits.set(checked(from), to);
        return wrap(bits);
    }

    public int size() {
        return cpus.cardinality();
    }

    public boolean isEmpty() {
        return cpus.isEmpty();
    }

    public boolean contains(int cpu) {
        return cpu >= 0 && cpus.get(cpu);
    }

    public boolean containsAll(CpuSet other) {
        for (int cpu = other.cpus.nextSetBit(0); cpu >= 0; cpu = other.cpus.nextSetBit(cpu + 1)) {
            if (!cpus.get(cpu)) {
                return false;
            }
        }
        return true;
    }

    public boolean intersects(CpuSet other) {
        return cpus.intersects(other.cpus);
    }

    public CpuSet plus(CpuSet other) {
        if (other.isEmpty()) {
            return this;
        }
        BitSet bits = copy();
        bits.or(other.cpus);
        return wrap(bits);
    }

    public CpuSet minus(CpuSet other) {
        if (!intersects(other)) {
            return this;
        }
        BitSet bits = copy();
        bits.andNot(other.cpus);
        return wrap(bits);
    }

    /** Without a copy where the other, say a core, is wholly in this set or not at all. */
    public CpuSet intersection(CpuSet other) {
        if (!intersects(other)) {
            return EMPTY;
        }
        if (containsAll(other)) {
            return other;
        }
        BitSet bits = copy();
        bits.and(other.cpus);
        return wrap(bits);
    }

    /** The first CPU from this number on, itself included; negative if there is none. */
    public int next(int cpu) {
        return cpus.nextSetBit(cpu);
    }

    /** Ascending. */
    public IntStream stream() {
        return cpus.stream();
    }

    private BitSet copy() {
        return (BitSet) cpus.clone();
    }

    private static CpuSet wrap(BitSet bits) {
        return bits.isEmpty() ? EMPTY : new CpuSet(bits);
    }

    private static int checked(int cpu) {
        if (cpu < 0 || cpu > CPU_MAX) {
            throw new IllegalArgumentException("CPU %d is not in 0..%d".formatted(cpu, CPU_MAX));
        }
        return cpu;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && cpus.equals(set.cpus);
    }

    @Override
    public int hashCode() {
        return cpus.hashCode();
    }

    /** As {@code {0, 1, 7}}. */
    @Override
    public String toString() {
        return cpus.toString();
    }
}
