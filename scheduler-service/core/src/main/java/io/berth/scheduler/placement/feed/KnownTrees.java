package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The table of provider trees that decisions maintain, as queries on a scenario use it. Such a query needs a tree in
 * exactly the state that its response refers to. Trees that the scenario changes are part of the response, and are
 * never stored. Thread-safe.
 */
public interface KnownTrees {
    /**
     * Returns {@code replica.position} for each replica of placement that responded lately: the last change that the
     * table has seen. Empty if placement is not Berth's or has not responded yet.
     */
    List<String> positions();

    /** Stores trees of the present fleet that changed after {@link #positions}. */
    void learn(ReferencesParser.Trees changed);

    /** Returns the candidates of a response; null if the table lacks one of its trees in exactly that state. */
    @Nullable AllocationCandidates find(References answer);

    /**
     * Queries placement for the present state of the trees that {@link #find} did not find, and stores them. Never
     * fails.
     */
    Uni<Void> askForLacking(References answer, String requestId);
}
