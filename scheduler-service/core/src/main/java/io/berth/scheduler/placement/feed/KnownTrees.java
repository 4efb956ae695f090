package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The table of provider trees that decisions maintain, as queries on a scenario (the present fleet with changes) use
 * it. The response to such a query refers to trees in a certain state, and a tree in a later state cannot replace them.
 * Trees that the scenario changes are part of the response, and are never stored. Thread-safe.
 */
public interface KnownTrees {
    /**
     * Returns {@code replica.position} for each replica of placement that responded lately: the id of the replica, and
     * the number of its last change that the table contains. Empty if placement is not Berth's or has not responded
     * yet.
     */
    List<String> positions();

    /** Stores trees of the present fleet that changed after {@link #positions}. */
    void learn(ReferencesParser.Trees changed);

    /**
     * Returns the candidates of a response; null if the table lacks one of its trees in the state that the response
     * refers to.
     */
    @Nullable AllocationCandidates find(References answer);

    /**
     * Queries placement for the present state of the trees that {@link #find} did not find, and stores them. Queries
     * none if so many are missing that a response with whole trees costs less. Never fails.
     */
    Uni<Void> askForLacking(References answer, String requestId);
}
