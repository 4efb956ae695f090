package io.berth.scheduler.host.states;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;

/**
 * Caches hosts for all requests: the hosts of each provider tree are made once for its state and for the registered
 * records about them, and kept with the tree. Thread-safe.
 */
public final class HostTable {
    private final RegistryMarks marks = new RegistryMarks();

    /**
     * Returns the host states for a response of placement.
     *
     * @param destination null if the request names none
     * @param newMax maximum trees whose hosts may have to be made
     * @return null if there are more of them; those made so far are kept
     */
    public @Nullable HostStates find(
            AllocationCandidates candidates,
            HostSources sources,
            @Nullable RequestedDestination destination,
            int newMax) {
        marks.advanceTo(sources.registry());
        HostStates.Collector collector = new HostStates.Collector(candidates, sources, destination);
        int left = newMax;
        for (int i = 0; i < candidates.treeCount(); i++) {
            ProviderTree tree = candidates.tree(i);
            TreeHosts known = tree.derived() instanceof TreeHosts hosts && hosts.isOf(marks) ? hosts : null;
            TreeHosts now = known;
            if (known == null || !known.hold(sources)) {
                if (left-- == 0) {
                    return null;
                }
                now = TreeHosts.of(tree, sources, marks, known);
                if (known == null || known.isNotAfter(now)) {
                    tree.keep(now);
                }
            }
            collector.add(now, i);
        }
        return collector.collected();
    }
}
