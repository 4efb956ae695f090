package io.berth.scheduler.lease;

import io.smallrye.mutiny.Uni;

/** Records of requests of one kind, of which some were left open: by a replica that is gone, or by an outage. */
public interface OpenRecords {
    /** Each statement has a limit in time. */
    int PRUNED_TOGETHER_MAX = 5_000;

    /** For the log. */
    String name();

    /** Works on one that is due. False when none is, as always of a kind that is only pruned. */
    default Uni<Boolean> workOnOne() {
        return Uni.createFrom().item(false);
    }

    /** Removes old ones that are closed, at most {@value #PRUNED_TOGETHER_MAX}; how many. */
    Uni<Integer> prune();
}
