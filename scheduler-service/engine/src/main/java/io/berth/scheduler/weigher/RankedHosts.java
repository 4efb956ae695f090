package io.berth.scheduler.weigher;

import io.berth.scheduler.host.HostState;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.RandomAccess;

/**
 * A list of hosts by weight, the highest first; hosts of equal weight are in their original order. Read-only. The list
 * is sorted lazily, only as far as it is read, because a claim usually succeeds on one of the first hosts. Thread-safe.
 * <br>Cost: one pass at the first read; then log(hosts) for each of the first ranks, and one sort for all others
 * together.
 */
final class RankedHosts extends AbstractList<RankedHost> implements RandomAccess {
    /**
     * Number of ranks that are sorted one by one. A reader that reads beyond these ranks probably reads all, so that
     * all others are sorted at once.
     */
    private static final int ONE_BY_ONE_MAX = 64;

    private static final Comparator<RankedHost> HEAVIEST_FIRST =
            Comparator.comparingDouble(ranked -> lightness(ranked.weight()));

    private final List<HostState> hosts;
    private final double[] weights;
    /**
     * The positions that are not sorted yet, as a binary heap with the best one on top; empty before the first read and
     * after all are sorted.
     */
    private int[] heap = {};

    private int heapSize;
    private final List<RankedHost> sorted = new ArrayList<>();
    private final BitSet isSorted = new BitSet();

    /** @param weights the weight of each host; the caller must not change the array afterwards */
    RankedHosts(List<HostState> hosts, double[] weights) {
        this.hosts = hosts;
        this.weights = weights;
    }

    /** Returns the negated weight as a sort key, which is equal for positive and negative zero. */
    private static double lightness(double weight) {
        return weight == 0 ? 0 : -weight;
    }

    @Override
    public int size() {
        return weights.length;
    }

    @Override
    public synchronized RankedHost get(int rank) {
        if (rank >= sorted.size()) {
            if (rank >= weights.length) {
                throw new IndexOutOfBoundsException(rank);
            }
            if (rank < ONE_BY_ONE_MAX) {
                sortUpTo(rank);
            } else {
                sortTheRest();
            }
        }
        return sorted.get(rank);
    }

    private void sortUpTo(int rank) {
        if (heap.length == 0) {
            heap = new int[weights.length];
            heapSize = heap.length;
            for (int i = 0; i < heap.length; i++) {
                heap[i] = i;
            }
            for (int i = heapSize / 2 - 1; i >= 0; i--) {
                sink(i);
            }
        }
        while (sorted.size() <= rank) {
            int best = heap[0];
            heap[0] = heap[--heapSize];
            sink(0);
            sorted.add(new RankedHost(hosts.get(best), weights[best], best));
            isSorted.set(best);
        }
    }

    private void sink(int start) {
        int at = start;
        while (true) {
            int child = 2 * at + 1;
            if (child >= heapSize) {
                return;
            }
            if (child + 1 < heapSize && isBetter(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBetter(heap[child], heap[at])) {
                return;
            }
            int position = heap[at];
            heap[at] = heap[child];
            heap[child] = position;
            at = child;
        }
    }

    private boolean isBetter(int one, int other) {
        int order = Double.compare(lightness(weights[one]), lightness(weights[other]));
        return order == 0 ? one < other : order < 0;
    }

    private void sortTheRest() {
        var rest = new ArrayList<RankedHost>(weights.length - sorted.size());
        for (int i = isSorted.nextClearBit(0); i < weights.length; i = isSorted.nextClearBit(i + 1)) {
            rest.add(new RankedHost(hosts.get(i), weights[i], i));
        }
        rest.sort(HEAVIEST_FIRST);
        sorted.addAll(rest);
        heap = new int[0];
    }
}
