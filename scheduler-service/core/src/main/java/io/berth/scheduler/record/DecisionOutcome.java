package io.berth.scheduler.record;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The outcome of a request, as its record stores it.
 *
 * @param code wire form of the error code in the response; null if all instances were placed
 * @param detail message of the error; null if all instances were placed
 * @param tenantDetail a message for the tenant, without names of hosts; null if the result is not NO_VALID_HOST, or
 *     cannot be explained without such names
 * @param decision what filters and weighers decided; null if the request ended before any host was considered, and for
 *     a reschedule
 * @param query the query as sent to placement, if placement offered no hosts, or if it is known which hosts it did not
 *     offer; otherwise null
 * @param shortfall explains which demands of the query left no valid host; null if unknown
 * @param places one list per instance: the selected host, then its alternates; empty unless all instances were placed
 */
public record DecisionOutcome(
        Result result,
        @Nullable String code,
        @Nullable String detail,
        @Nullable String tenantDetail,
        @Nullable Decision decision,
        @Nullable String query,
        @Nullable Shortfall shortfall,
        List<List<HostName>> places) {
    /** The kind of the outcome, by which records can be searched. */
    public enum Result implements WireNamed {
        SELECTED,
        NO_VALID_HOST,
        /** Any error but "no valid host". */
        ERROR;
    }
}
