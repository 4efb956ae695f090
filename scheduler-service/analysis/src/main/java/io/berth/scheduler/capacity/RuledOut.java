package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.question.FleetAsk;
import io.berth.scheduler.question.FleetUse;
import io.berth.scheduler.question.Snapshot;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.search.Shortfall;
import java.util.List;

/** Where nothing stops the first instance on any host: what rules all of them out, as placement counts it. */
final class RuledOut {
    private static final String AMOUNT = "resources";

    private RuledOut() {}

    /**
     * Asks placement once more, if nothing is told of the request yet.
     *
     * @param use what instances hold beside those that are there
     */
    static void tell(Snapshot snapshot, List<FleetUse> use, Queries queries, Tally tally) {
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

    /** Of an amount its class, as hosts that lack it are told. */
    private static String name(String demand, Snapshot snapshot) {
        return demand.startsWith(AMOUNT)
                ? demand.substring(demand.indexOf('=') + 1, demand.lastIndexOf(':'))
                : Shortfall.names(demand, snapshot.registry());
    }

    /** The demand that a tree cannot meet beside others. */
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
