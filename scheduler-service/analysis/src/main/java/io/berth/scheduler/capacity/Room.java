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
 * @param count the number of instances, at most the maximum that the caller of {@link #of} named
 * @param binding what prevents one more instance, with the number of hosts on which it does; the highest number first.
 * A key is the name of a filter, a member of the request, or a resource class or another demand of the query to
 * placement. For demands, the number is that of provider trees
 * @param whyIncomplete the reason for which the count is incomplete; null: it is complete
 * @param refusal the error of a request that finds no host, if that was known before any host was evaluated; otherwise
 * null
 */
public record Room(long count, Map<String, Long> binding, @Nullable String whyIncomplete, @Nullable String refusal) {
    /**
     * Counts the instances of one request. Blocks; for the analysis worker only. Throws ApiFault as a decision on the
     * request would.
     *
     * @param path path of the request in the body, for error messages
     * @param max the number of instances at which counting ends
     */
    public static Room of(Snapshot snapshot, RequestSpecBody request, String path, int max) {
        Tally tally = new CapacityCounting(snapshot, new Split(Set.of(), snapshot))
                .countEach(List.of(new CountedRequest(path, "room", request, max, 1)))
                .getFirst();
        return new Room(tally.count(), tally.binding(), tally.whyIncomplete(), tally.refusal());
    }
}
