package io.berth.scheduler.host.states;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import jakarta.annotation.Nullable;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The candidates of one host: the allocation requests of its tree that allocate from the host's provider. Never empty,
 * because the list is created only if there is at least one. The elements are created on first access, because only
 * claimed hosts and filters that select candidates need them. Thread-safe.
 */
final class HostCandidates extends AbstractList<AllocationCandidate> implements RandomAccess {
    private final AllocationCandidates response;
    /** Index of the tree in the response. */
    private final int treeIndex;
    private final String provider;
    private volatile @Nullable List<AllocationCandidate> cached;

    HostCandidates(AllocationCandidates response, int treeIndex, String provider) {
        this.response = response;
        this.treeIndex = treeIndex;
        this.provider = provider;
    }

    /** Returns the elements, which the first call creates. */
    private List<AllocationCandidate> elements() {
        List<AllocationCandidate> elements = cached;
        if (elements == null) {
            synchronized (this) {
                elements = cached;
                if (elements == null) {
                    elements = response.requests(treeIndex).list().stream()
                            .filter(request -> request.allocations().containsKey(provider))
                            .map(request -> new AllocationCandidate(request.allocations(), request.mappings()))
                            .toList();
                    cached = elements;
                }
            }
        }
        return elements;
    }

    @Override
    public AllocationCandidate get(int index) {
        return elements().get(index);
    }

    @Override
    public int size() {
        // A tree whose allocations are all from the root has one request; no elements are created to count it.
        return response.isFromRoot(treeIndex) ? 1 : elements().size();
    }

    @Override
    public boolean isEmpty() {
        return false;
    }
}
