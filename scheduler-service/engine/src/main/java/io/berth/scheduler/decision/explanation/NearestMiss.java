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
 * The host that came nearest to being accepted in the last round: of the hosts that the last filter removed, the one
 * with the smallest shortfall, or the first one if no shortfall is known. If the preselection removed every host, the
 * nearest miss is the last host that it removed.
 *
 * @param stage name of the filter step, or of the member of the request, that removed the last hosts
 */
public record NearestMiss(String stage, HostName host, Reason reason) {
    /**
     * Returns the nearest miss of a decision without a valid host. Null for any other decision, if there were no hosts,
     * or if hosts passed the filters and their claims failed.
     */
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
            FilterStep lastStep = filters.getLast();
            return lastStep.nearest() == null
                    ? null
                    : new NearestMiss(lastStep.name(), lastStep.nearest().host(), lastStep.nearest().reason());
        }
        List<Preselection.Dropped> dropped = round.preselection().dropped();
        return dropped.isEmpty()
                ? null
                : new NearestMiss(dropped.getLast().by(), dropped.getLast().host(), dropped.getLast().reason());
    }
}
