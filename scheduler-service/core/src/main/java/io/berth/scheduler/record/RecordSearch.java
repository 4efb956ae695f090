package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.UUID;

/**
 * Selects the records to list, the latest first; a null member does not restrict them.
 *
 * @param host a selected host
 * @param since the earliest time, inclusive
 * @param until the latest time, exclusive
 * @param marker the page begins after this record, which may have been removed
 * @param limit maximum number of records
 */
public record RecordSearch(
        @Nullable UUID instance,
        @Nullable String project,
        @Nullable String host,
        @Nullable Ending.Result result,
        @Nullable String flavor,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable UUID marker,
        int limit) {
    /** Returns a search for the newest record of an instance. */
    public static RecordSearch newestOf(UUID instance) {
        return new RecordSearch(instance, null, null, null, null, null, null, null, 1);
    }

    /** Returns the same search for the records of one instance. */
    public RecordSearch about(UUID one) {
        return new RecordSearch(one, project, host, result, flavor, since, until, marker, limit);
    }
}
