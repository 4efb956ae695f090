package io.berth.scheduler.decision.explanation;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.spi.Reason;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The host that came nearest to being accepted: among the hosts that the last filter removed, the one that lacked
 * least; if the request itself removed every host, the last one removed.
 *
 * @param stage the filter, or the member of the request that left no host
 */
public record NearestMiss(String stage, HostName host, Reason reason) {
    /** Returns null if hosts were found, if there were none to begin with, or if claims failed rather than filters. */
    public static @Nullable NearestMiss of(Decision decision) {
        if (decision.result() != Decision.Result.NO_VALID_HOST || decision.rounds().isEmpty()) {
            return null;
        }
        Round round = decision.rounds().getLast().round();
        if (!round.ranked().isEmpty()) {
            return null;
        }
        List<FilterStep> filters = round.filters();
        if (!filters.isEmpty()) {
            FilterStep last = filters.getLast();
            return last.nearest() == null
                    ? null
                    : new NearestMiss(last.name(), last.nearest().host(), last.nearest().reason());
        }
        List<Preselection.Dropped> dropped = round.preselection().dropped();
        return dropped.isEmpty()
                ? null
                : new NearestMiss(dropped.getLast().by(), dropped.getLast().host(), dropped.getLast().reason());
    }
}
