package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.UUID;

/**
 * The conditions of a search for records. A condition that is null does not restrict the result.
 *
 * @param project id of the project
 * @param host a selected host
 * @param flavor name of the flavor
 * @param since the earliest time, inclusive
 * @param until the latest time, exclusive
 * @param marker id of the record after which the page begins; this record may have been deleted
 * @param limit maximum number of records
 */
public record RecordSearch(
        @Nullable UUID instance,
        @Nullable String project,
        @Nullable String host,
        @Nullable DecisionOutcome.Result result,
        @Nullable String flavor,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable UUID marker,
        int limit) {
    /** Returns the same search, for the records of one instance. */
    public RecordSearch about(UUID ofInstance) {
        return new RecordSearch(ofInstance, project, host, result, flavor, since, until, marker, limit);
    }
}
