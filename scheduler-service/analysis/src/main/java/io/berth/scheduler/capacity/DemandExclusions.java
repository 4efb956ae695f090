package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetUse;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.search.Shortfall;
import java.util.List;

/**
 * Finds why not even one instance of a request fits, if no evaluated host shows a reason: counts how many provider
 * trees each demand of the query to placement excludes. Placement explains the query for this.
 */
final class DemandExclusions {
    private static final String AMOUNT_PREFIX = "resources";

    private DemandExclusions() {}

    /**
     * Adds the demands, with the numbers of trees that they exclude, to the tally. If no demand excludes a tree, adds
     * {@code cell_not_in_reach} (the cell of a host is disabled, or the request demands another cell), with the number
     * of trees that are candidates. Does nothing if an instance fits, if the tally has a reason or an error already or
     * is incomplete, if the time is up, or if placement does not explain the query in time. Blocks while it queries
     * placement once.
     *
     * @param use amounts that count as used in addition to the usage in placement
     * @param queries the queries of the request; only the first is explained, not the fallback query
     */
    static void report(Snapshot snapshot, List<FleetUse> use, Queries queries, Tally tally) {
        if (!tally.isWithoutReason() || snapshot.deadline().isUp()) {
            return;
        }
        JsonNode explanation = snapshot.ask(use, List.of(new FleetQuery.Demands(queries.query()))).json(0);
        if (explanation == null) {
            return;
        }
        // Placement applies the demands one after the other. A demand excludes the trees that satisfy all earlier
        // demands, but not this one.
        long treesBefore = explanation.path("roots").asLong();
        for (JsonNode demand : explanation.path("demands")) {
            long treesAfter = demand.path("after_all_before").asLong();
            tally.addObstacle(name(demand.path("demand").asText(), snapshot), treesBefore - treesAfter);
            treesBefore = treesAfter;
        }
        // The remaining trees that are not candidates satisfy each demand, but not all demands together.
        long candidates = explanation.path("candidates").asLong();
        tally.addObstacle(conflictingDemand(explanation), treesBefore - candidates);
        tally.addObstacle("cell_not_in_reach", tally.isWithoutReason() ? candidates : 0);
    }

    /** Returns the name of a demand in a tally: the resource class if the demand is an amount, otherwise the demand. */
    private static String name(String demand, Snapshot snapshot) {
        return demand.startsWith(AMOUNT_PREFIX)
                ? demand.substring(demand.indexOf('=') + 1, demand.lastIndexOf(':'))
                : Shortfall.replaceUuids(demand, snapshot.registry());
    }

    /**
     * Returns a demand that a tree satisfies alone but not together with other demands; {@code groups} if the
     * explanation names none.
     */
    private static String conflictingDemand(JsonNode explanation) {
        for (JsonNode tree : explanation.path("providers")) {
            for (JsonNode obstacle : tree.path("obstacles")) {
                if (!obstacle.path("with").isEmpty()) {
                    return obstacle.path("by").asText();
                }
            }
        }
        return "groups";
    }
}
