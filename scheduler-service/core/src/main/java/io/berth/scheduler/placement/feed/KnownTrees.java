package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The table of provider trees that decisions keep, for questions about a fleet as it might be. A question takes a tree in no
 * other state than its answer refers to, and what is supposed of trees is told with the answer and never kept. Any thread may
 * call.
 */
public interface KnownTrees {
    /** {@code replica.position} of each replica heard of lately; empty where nothing is known. */
    List<String> positions();

    /** What changed at present after {@link #positions}. */
    void learn(ReferencesParser.Trees changed);

    /** Returns null where a tree is not known in that state. */
    @Nullable AllocationCandidates find(References answer);

    /** Has placement tell what {@link #find} lacked, as it is by now. Never fails. */
    Uni<Void> askForLacking(References answer, String requestId);
}
