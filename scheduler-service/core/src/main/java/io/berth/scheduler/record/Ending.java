package io.berth.scheduler.record;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * What came of a decision.
 *
 * @param code of the error that the caller is told; null where all was placed
 * @param detail of the error; null where all was placed
 * @param tenantDetail the same without a host's name; null where there is no such sentence
 * @param decision null where it ended before any host was looked at
 * @param query as placement was asked, where there is no valid host; else null
 * @param shortfall why it offered nothing, or not more; null where it could not say
 * @param places by instance the host it got and its alternates; empty unless all was placed
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
    /** How it ended, in a word to search by. */
    public enum Result implements WireNamed {
        SELECTED,
        NO_VALID_HOST,
        /** Everything else. */
        ERROR;
    }
}
