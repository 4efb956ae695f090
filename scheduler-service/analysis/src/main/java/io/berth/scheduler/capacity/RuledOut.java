package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.FleetAsk;
import io.berth.scheduler.job.FleetUse;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.search.Shortfall;
import java.util.List;

/** Explains, if no single host stops the first instance, which demands exclude all hosts, as placement counts them. */
final class RuledOut {
    private static final String AMOUNT = "resources";

    private RuledOut() {}

    /**
     * Queries placement once more, if the tally has no reason yet.
     *
     * @param use amounts that instances hold in addition to the existing ones
     */
    static void report(Snapshot snapshot, List<FleetUse> use, Queries queries, Tally tally) {
        if (!tally.isWithoutReason() || snapshot.deadline().isUp()) {
            return;
        }
        JsonNode explained = snapshot.ask(use, List.of(new FleetAsk.Demands(queries.query()))).json(0);
        if (explained == null) {
            return;
        }
        long left = explained.path("roots").asLong();
        for (JsonNode demand : explained.path("demands")) {
            long after = demand.path("after_all_before").asLong();
            tally.stop(name(demand.path("demand").asText(), snapshot), left - after);
            left = after;
        }
        long candidates = explained.path("candidates").asLong();
        tally.stop(together(explained), left - candidates);
        tally.stop("cell_not_in_reach", tally.isWithoutReason() ? candidates : 0);
    }

    /** Returns the resource class of an amount, as for hosts that lack it. */
    private static String name(String demand, Snapshot snapshot) {
        return demand.startsWith(AMOUNT)
                ? demand.substring(demand.indexOf('=') + 1, demand.lastIndexOf(':'))
                : Shortfall.names(demand, snapshot.registry());
    }

    /** Returns the demand that a tree cannot meet together with others. */
    private static String together(JsonNode explained) {
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
