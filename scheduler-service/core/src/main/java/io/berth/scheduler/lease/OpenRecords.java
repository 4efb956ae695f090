package io.berth.scheduler.lease;

import io.smallrye.mutiny.Uni;

/**
 * Records of one kind of request. {@link OpenWork} finishes those that a replica left open because the replica died or
 * because PostgreSQL or placement was not available.
 */
public interface OpenRecords {
    /**
     * Maximum records that one call of {@link #prune} should remove, so that the DELETE does not exceed the statement
     * timeout.
     */
    int PRUNED_TOGETHER_MAX = 5_000;

    /** Returns the plural name of the kind for log messages, such as "moves". */
    String name();

    /**
     * Takes over one open record whose lease (the time for which its owner may work on it) has expired, and finishes or
     * postpones the record. An implementation may take several records in one call. Returns true if the caller should
     * call again at once, because more records may be due; always false for a kind that is only pruned.
     */
    default Uni<Boolean> processDue() {
        return Uni.createFrom().item(false);
    }

    /**
     * Removes old closed records, and returns how many it removed. Removes at most {@value #PRUNED_TOGETHER_MAX},
     * unless this kind never has many.
     */
    Uni<Integer> prune();
}
