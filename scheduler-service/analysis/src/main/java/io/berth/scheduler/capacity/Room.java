package io.berth.scheduler.capacity;

import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.job.Snapshot;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The number of instances of one request that fit, one after the other.
 *
 * @param count at most the given maximum
 * @param binding hosts by what stops the next one there, most hosts first
 * @param why the reason why the count is incomplete; null: it is complete
 * @param refused why the request finds no host before any is evaluated; null if it does not
 */
public record Room(long count, Map<String, Long> binding, @Nullable String why, @Nullable String refused) {
    /**
     * Blocks: for the analysis worker. Throws ApiFault as the request itself would.
     *
     * @param path of the request in the body, for error messages
     * @param max where counting ends
     */
    public static Room of(Snapshot snapshot, RequestSpecBody request, String path, int max) {
        Tally tally = new Counting(snapshot, new Split(Set.of(), snapshot))
                .each(List.of(new Wanted(path, "room", request, max, 1)))
                .getFirst();
        return new Room(tally.count(), tally.binding(), tally.why(), tally.refused());
    }
}
