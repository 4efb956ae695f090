package io.berth.scheduler.record;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The outcome of a decision.
 *
 * @param code of the error in the response; null if everything was placed
 * @param detail of the error; null if everything was placed
 * @param tenantDetail the same without host names; null if there is no such sentence
 * @param decision null if the request ended before any host was considered
 * @param query the query as sent to placement, if there is no valid host; else null
 * @param shortfall why placement returned no or too few candidates; null if it did not report that
 * @param places by instance the host it got and its alternates; empty unless everything was placed
 */
public record Ending(
        Result result,
        @Nullable String code,
        @Nullable String detail,
        @Nullable String tenantDetail,
        @Nullable Decision decision,
        @Nullable String query,
        @Nullable Shortfall shortfall,
        List<List<HostName>> places) {
    /** The outcome, by which records can be searched. */
    public enum Result implements WireNamed {
        SELECTED,
        NO_VALID_HOST,
        /** Any other error. */
        ERROR;
    }
}
