package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.time.Instant;
import java.util.UUID;

/**
 * Which records are listed, the latest first; null: whatever it is.
 *
 * @param host one that was selected
 * @param since its time, and later ones
 * @param until times before it
 * @param marker the page begins behind this record, which need not be there any more
 * @param limit records at most
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
    /** The same about one instance. */
    public RecordSearch about(UUID one) {
        return new RecordSearch(one, project, host, result, flavor, since, until, marker, limit);
    }
}
