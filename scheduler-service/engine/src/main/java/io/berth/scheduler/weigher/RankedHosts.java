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
 * <br>Cost: one pass at the first read; then log(hosts) for each of the first {@value #RANKS_BY_HEAP} ranks, and one
 * sort for all later ranks together.
 */
final class RankedHosts extends AbstractList<RankedHost> implements RandomAccess {
    /**
     * Number of ranks that are taken from the heap one by one. A caller that reads beyond these ranks probably reads
     * all of them, so the remaining hosts are then sorted at once.
     */
    private static final int RANKS_BY_HEAP = 64;

    private static final Comparator<RankedHost> HEAVIEST_FIRST =
            Comparator.comparingDouble(ranked -> lightness(ranked.weight()));

    private final List<HostState> hosts;
    private final double[] weights;
    /**
     * The positions that are not sorted yet, as a binary heap with the best host's position on top; empty before the
     * first read and after all positions are sorted.
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
            if (rank < RANKS_BY_HEAP) {
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

    /** Moves the heap's element at this index down until no child is better. */
    private void sink(int start) {
        int index = start;
        while (true) {
            int child = 2 * index + 1;
            if (child >= heapSize) {
                return;
            }
            if (child + 1 < heapSize && isBetter(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBetter(heap[child], heap[index])) {
                return;
            }
            int swapped = heap[index];
            heap[index] = heap[child];
            heap[child] = swapped;
            index = child;
        }
    }

    /** Returns whether the host at the first position precedes the host at the second. */
    private boolean isBetter(int first, int second) {
        int order = Double.compare(lightness(weights[first]), lightness(weights[second]));
        return order == 0 ? first < second : order < 0;
    }

    private void sortTheRest() {
        var unsorted = new ArrayList<RankedHost>(weights.length - sorted.size());
        for (int i = isSorted.nextClearBit(0); i < weights.length; i = isSorted.nextClearBit(i + 1)) {
            unsorted.add(new RankedHost(hosts.get(i), weights[i], i));
        }
        unsorted.sort(HEAVIEST_FIRST);
        sorted.addAll(unsorted);
        heap = new int[0];
    }
}
