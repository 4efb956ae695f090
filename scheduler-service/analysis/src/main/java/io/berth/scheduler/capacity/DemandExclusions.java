package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetUse;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.search.Shortfall;
import java.util.List;

/**
 * Finds why not even one instance fits, if no evaluated host shows a reason: counts how many hosts each demand
 * excludes, by placement's explanation.
 */
final class DemandExclusions {
    private static final String AMOUNT = "resources";

    private DemandExclusions() {}

    /**
     * Adds the demands to the tally. Does nothing if the tally has a reason already, or the time is up. Blocks while it
     * queries placement once.
     *
     * @param use amounts that are used in addition to the existing ones
     */
    static void report(Snapshot snapshot, List<FleetUse> use, Queries queries, Tally tally) {
        if (!tally.isWithoutReason() || snapshot.deadline().isUp()) {
            return;
        }
        JsonNode explained = snapshot.ask(use, List.of(new FleetQuery.Demands(queries.query()))).json(0);
        if (explained == null) {
            return;
        }
        // Placement applies the demands one after the other; each excludes the trees that it removes from those left
        // before.
        long left = explained.path("roots").asLong();
        for (JsonNode demand : explained.path("demands")) {
            long after = demand.path("after_all_before").asLong();
            tally.stop(name(demand.path("demand").asText(), snapshot), left - after);
            left = after;
        }
        long candidates = explained.path("candidates").asLong();
        tally.stop(conflictingDemand(explained), left - candidates);
        tally.stop("cell_not_in_reach", tally.isWithoutReason() ? candidates : 0);
    }

    /** Returns the name of a demand in a tally: the resource class of an amount, otherwise the demand. */
    private static String name(String demand, Snapshot snapshot) {
        return demand.startsWith(AMOUNT)
                ? demand.substring(demand.indexOf('=') + 1, demand.lastIndexOf(':'))
                : Shortfall.names(demand, snapshot.registry());
    }

    /**
     * Returns a demand that a tree satisfies alone but not together with other ones; {@code groups} if none is known.
     */
    private static String conflictingDemand(JsonNode explained) {
        for (JsonNode tree : explained.path("providers")) {
            for (JsonNode obstacle : tree.path("obstacles")) {
                if (!obstacle.path("with").isEmpty()) {
                    return obstacle.path("by").asText();
                }
            }
        }
        return "groups";
    }
}
