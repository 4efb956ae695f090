package io.berth.scheduler.scenariochange;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.weigher.EnabledWeighers;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The changes in a body, in their order.
 *
 * @param policy the options of the scenario; null: the options are unchanged
 */
public record ScenarioChanges(List<ScenarioChange> changes, @Nullable Policy policy) {
    /** The options of the scenario, and the filters and weighers that they enable. */
    record Policy(Options options, EnabledFilters filters, EnabledWeighers weighers) {}

    public ScenarioChanges {
        changes = List.copyOf(changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty() && policy == null;
    }

    /**
     * Returns the cloud with these changes, which placement has validated. Blocks; for the analysis worker only. Throws
     * ApiFault with the path of the change in the body: 404 for a host, aggregate or instance that does not exist, 400
     * for a change that is impossible or contradicts another change, 413 if the changes name too many providers and
     * hosts. Also throws ApiFault if placement is not Berth's (501) or does not respond (503). Throws
     * {@link DeadlineExceeded} at the deadline.
     */
    public Snapshot applyTo(Snapshot present) {
        ScenarioCloud cloud = new ScenarioCloud(present);
        for (ScenarioChange change : changes) {
            if (present.deadline().isUp()) {
                throw new DeadlineExceeded();
            }
            change.make(cloud);
        }
        Snapshot changed = cloud.now();
        if (!changes.isEmpty()) {
            // Placement validates the changes with any query.
            changed.ask(List.of(new FleetQuery.Trees(List.of())));
        }
        return policy == null ? changed : changed.with(policy.options(), policy.filters(), policy.weighers());
    }
}
