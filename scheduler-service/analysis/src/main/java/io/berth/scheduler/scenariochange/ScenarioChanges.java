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
 * @param policy the options of the scenario; null: unchanged
 */
public record ScenarioChanges(List<ScenarioChange> changes, @Nullable Policy policy) {
    /** Other options, and the classes that they enable. */
    record Policy(Options options, EnabledFilters filters, EnabledWeighers weighers) {}

    public ScenarioChanges {
        changes = List.copyOf(changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty() && policy == null;
    }

    /**
     * Returns the cloud with these changes, which placement has validated. Blocks; for the analysis worker only. Throws
     * ApiFault with the path in the body: 404 for a host or instance that does not exist, 400 for an impossible change
     * or one that contradicts another, 413 for changes that name too much. Throws {@link DeadlineExceeded} at the
     * deadline.
     */
    public Snapshot on(Snapshot present) {
        ScenarioCloud cloud = new ScenarioCloud(present);
        for (ScenarioChange change : changes) {
            if (present.deadline().isUp()) {
                throw new DeadlineExceeded();
            }
            change.make(cloud);
        }
        Snapshot changed = cloud.now();
        if (!changes.isEmpty()) {
            changed.ask(List.of(new FleetQuery.Trees(List.of())));
        }
        return policy == null ? changed : changed.with(policy.options(), policy.filters(), policy.weighers());
    }
}
