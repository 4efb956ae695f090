package io.berth.scheduler.lease;

import io.smallrye.mutiny.Uni;

/** Records of one kind of request, some of which may have been left open by a replica that died, or by an outage. */
public interface OpenRecords {
    /** Keeps each statement within its time limit. */
    int PRUNED_TOGETHER_MAX = 5_000;

    /** Returns the name of the kind for the log. */
    String name();

    /** Works on one record that is due. False if none is, as always for a kind that is only pruned. */
    default Uni<Boolean> workOnOne() {
        return Uni.createFrom().item(false);
    }

    /** Removes old closed records, at most {@value #PRUNED_TOGETHER_MAX}, and returns how many. */
    Uni<Integer> prune();
}
