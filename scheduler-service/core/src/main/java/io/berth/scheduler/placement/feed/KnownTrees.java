package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The table of provider trees that decisions maintain, for queries on a scenario. A query takes a tree only in
 * exactly the state that its response refers to; trees changed by the scenario come with the response and are never
 * stored. Thread-safe.
 */
public interface KnownTrees {
    /** Returns {@code replica.position} of each replica that responded lately; empty if nothing is known. */
    List<String> positions();

    /** Stores the trees of the present fleet that changed after {@link #positions}. */
    void learn(ReferencesParser.Trees changed);

    /** Returns null if a tree is not known in that state. */
    @Nullable AllocationCandidates find(References answer);

    /** Queries placement for the current state of the trees that {@link #find} lacked. Never fails. */
    Uni<Void> askForLacking(References answer, String requestId);
}
