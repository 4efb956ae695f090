package io.berth.scheduler.capacity;

import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.question.Snapshot;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many instances of one request fit, one after the other.
 *
 * @param count at most as many as were asked about
 * @param binding hosts by what stops the next one there, most hosts first
 * @param why the count is what was found until then; null: it is all
 * @param refused why the request finds no host at all before any is looked at; null if it does not
 */
public record Room(long count, Map<String, Long> binding, @Nullable String why, @Nullable String refused) {
    /**
     * Waits: for the question's worker. ApiFault as the request itself would be answered.
     *
     * @param path of the request in the body, for complaints
     * @param max where counting ends
     */
    public static Room of(Snapshot snapshot, RequestSpecBody request, String path, int max) {
        Tally tally = new Counting(snapshot, new Split(Set.of(), snapshot))
                .each(List.of(new Wanted(path, "room", request, max, 1)))
                .getFirst();
        return new Room(tally.count(), tally.binding(), tally.why(), tally.refused());
    }
}
