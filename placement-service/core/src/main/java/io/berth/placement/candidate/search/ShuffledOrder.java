package io.berth.placement.candidate.search;

import java.util.random.RandomGenerator;

/**
 * A random permutation of 0 to {@code size - 1} that takes constant memory: a Feistel cipher of four rounds, applied
 * repeatedly until the result is in range. Not all permutations are equally likely, but the order has no visible
 * pattern.
 */
final class ShuffledOrder {
    private static final int ROUNDS = 4;

    private final int size;
    private final int halfBits;
    private final int halfMask;
    private final int[] keys = new int[ROUNDS];

    ShuffledOrder(int size, RandomGenerator random) {
        this.size = size;
        int bits = 32 - Integer.numberOfLeadingZeros(Math.max(size - 1, 1));
        this.halfBits = (bits + 1) / 2;
        this.halfMask = (1 << halfBits) - 1;
        for (int i = 0; i < ROUNDS; i++) {
            keys[i] = random.nextInt();
        }
    }

    /**
     * Returns the element at an index of the permutation.
     *
     * @param index 0 to {@code size - 1}
     */
    int at(int index) {
        int element = index;
        // The cipher permutes 0 to 2^(2 * halfBits) - 1, which is up to four times the size; with 32 bits, half of the
        // results are negative.
        do {
            element = permute(element);
        } while (element < 0 || element >= size);
        return element;
    }

    /** Applies the cipher once. The multipliers are those of common integer hashes. */
    private int permute(int value) {
        int left = value >>> halfBits;
        int right = value & halfMask;
        for (int key : keys) {
            int mixed = (right ^ key) * 0x9E3779B1;
            mixed ^= mixed >>> 15;
            mixed *= 0x85EBCA6B;
            int next = left ^ ((mixed >>> 13) & halfMask);
            left = right;
            right = next;
        }
        return (left << halfBits) | right;
    }
}
