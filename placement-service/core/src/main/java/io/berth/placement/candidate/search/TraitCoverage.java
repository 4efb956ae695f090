package io.berth.placement.candidate.search;

import io.berth.placement.fleet.Provider;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Checks the required traits of the unsuffixed group, which the providers of that group need only together. The search
 * of a tree ({@link TreeSearch}) assigns a provider to one part of the query at each depth; bit sets show whether
 * providers of the remaining parts can have the missing traits. A requirement is a set of traits of which one suffices;
 * each requirement has one bit in the sets. Not thread-safe.
 */
final class TraitCoverage {
    /** The requirements, each as a set of trait ids. */
    private final int[][] required;
    /** The number of longs in a set that has one bit for each requirement. */
    private final int words;
    /** The bits of all requirements. */
    private final long[] all;
    /** By part, the bits of the requirements that each choice of the part meets; {@code words} elements per choice. */
    private final long[][] met;
    private final int unsuffixedCount;
    private final SearchMemory memory;
    /**
     * By depth, the bits of the requirements that the present choices up to this depth meet; {@code words} elements per
     * depth.
     */
    private long[] metUpTo = {};
    /**
     * By depth, the bits of the requirements that any choices from this depth on can meet; {@code words} elements per
     * depth.
     */
    private long[] reachableFrom = {};
    /**
     * The provider whose bits were computed last. Its bits are reused if they fit into one long: in a tree of one
     * provider, that provider is usually the only choice of all parts.
     */
    private @Nullable Provider lastProvider;
    private long lastBits;

    TraitCoverage(int[][] required, int unsuffixedCount, SearchMemory memory) {
        this.required = required;
        this.words = (required.length + 63) / 64;
        this.all = new long[words];
        for (int i = 0; i < required.length; i++) {
            all[i >> 6] |= 1L << (i & 63);
        }
        this.unsuffixedCount = unsuffixedCount;
        this.memory = memory;
        this.met = new long[unsuffixedCount][0];
    }

    /**
     * Prepares for a tree. Returns false if there is a requirement that no choice of any part meets, or if the memory
     * is spent.
     *
     * @param order the parts by depth
     * @param choices by part, the positions of its providers
     * @param choiceCount by part, the number of elements of {@code choices} that are in use
     * @param providers returns the provider at a position
     */
    boolean begin(int[] order, int[][] choices, int[] choiceCount, IntFunction<Provider> providers) {
        if (metUpTo.length == 0) {
            if (!memory.reserve(2L * Long.BYTES * order.length * words)) {
                return false;
            }
            metUpTo = new long[order.length * words];
            reachableFrom = new long[(order.length + 1) * words];
        }
        Arrays.fill(reachableFrom, order.length * words, (order.length + 1) * words, 0);
        for (int depth = order.length - 1; depth >= 0; depth--) {
            System.arraycopy(reachableFrom, (depth + 1) * words, reachableFrom, depth * words, words);
            int part = order[depth];
            if (part < unsuffixedCount && !computeBits(part, choices[part], choiceCount[part], providers, depth)) {
                return false;
            }
        }
        for (int word = 0; word < words; word++) {
            if ((reachableFrom[word] & all[word]) != all[word]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Computes the bits of all choices of a part, and adds them to those that can be reached from {@code depth} on.
     * Returns false if the memory is spent.
     */
    private boolean computeBits(int part, int[] positions, int count, IntFunction<Provider> providers, int depth) {
        if (met[part].length < count * words) {
            if (!memory.reserve((long) Long.BYTES * (count * words - met[part].length))) {
                return false;
            }
            met[part] = new long[count * words];
        }
        for (int choice = 0; choice < count; choice++) {
            Provider provider = providers.apply(positions[choice]);
            for (int word = 0; word < words; word++) {
                long bits = words == 1 && provider == lastProvider ? lastBits : bits(provider, word);
                lastProvider = provider;
                lastBits = bits;
                met[part][choice * words + word] = bits;
                reachableFrom[depth * words + word] |= bits;
            }
        }
        return true;
    }

    private long bits(Provider provider, int word) {
        long bits = 0;
        for (int i = word * 64; i < Math.min(required.length, word * 64 + 64); i++) {
            if (provider.hasAny(required[i])) {
                bits |= 1L << (i & 63);
            }
        }
        return bits;
    }

    /**
     * Returns whether all requirements may be met after the part gets this choice at {@code depth}; at the last depth,
     * whether they are met. The choices at lower depths must have been checked before.
     *
     * @param choice index in the choices of the part
     */
    boolean isReachable(int depth, int part, int choice) {
        boolean reachable = true;
        for (int word = 0; word < words; word++) {
            long bits = depth == 0 ? 0 : metUpTo[(depth - 1) * words + word];
            if (part < unsuffixedCount) {
                bits |= met[part][choice * words + word];
            }
            metUpTo[depth * words + word] = bits;
            reachable &= ((bits | reachableFrom[(depth + 1) * words + word]) & all[word]) == all[word];
        }
        return reachable;
    }
}
