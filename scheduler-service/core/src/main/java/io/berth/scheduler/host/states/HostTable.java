package io.berth.scheduler.host.states;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;

/**
 * A cache of hosts for all requests. The hosts of a provider tree are attached to the tree object, and are built again
 * when the tree, the registered records about its hosts, the state of their services or their names change.
 * Thread-safe.
 */
public final class HostTable {
    private final RegistryMarks marks = new RegistryMarks();

    /**
     * Returns the hosts of a response of placement.
     *
     * @param destination the destination that the request names; null for none
     * @param buildMax maximum trees whose hosts may be built in this call, to bound its time on an event loop
     * @return the hosts; null if more than {@code buildMax} trees need new hosts, in which case the cache keeps the
     *     hosts that were built until then
     */
    public @Nullable HostStates find(
            AllocationCandidates candidates,
            HostSources sources,
            @Nullable RequestedDestination destination,
            int buildMax) {
        marks.advanceTo(sources.registry());
        HostStates.Collector collector = new HostStates.Collector(candidates, sources, destination);
        int remaining = buildMax;
        for (int i = 0; i < candidates.treeCount(); i++) {
            ProviderTree tree = candidates.tree(i);
            // Hosts that another HostTable attached are ignored, because only that table updates their marks.
            TreeHosts cached = tree.derived() instanceof TreeHosts hosts && hosts.isOf(marks) ? hosts : null;
            TreeHosts current = cached != null && cached.areCurrent(sources) ? cached : null;
            if (current == null) {
                if (remaining-- == 0) {
                    return null;
                }
                current = TreeHosts.of(tree, sources, marks, cached);
                // Hosts that another call built from a later registry snapshot stay attached.
                if (cached == null || cached.isNotAfter(current)) {
                    tree.attachDerived(current);
                }
            }
            collector.add(current, i);
        }
        return collector.collected();
    }
}
