package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.weigher.RankedHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the weight each host of an answer had in the round of its instance. */
final class Weights {
    private Weights() {}

    static List<List<Selection>> attach(Decision decision) {
        List<List<Selection>> selections = new ArrayList<>();
        for (int i = 0; i < decision.selections().size(); i++) {
            Map<HostName, Double> weights = new HashMap<>();
            for (RankedHost ranked : decision.rounds().get(i).round().ranked()) {
                weights.put(HostName.of(ranked.host()), ranked.weight());
            }
            List<Selection> ofInstance = new ArrayList<>();
            for (HostState host : decision.selections().get(i)) {
                ofInstance.add(new Selection(host, weights.getOrDefault(HostName.of(host), 0.0)));
            }
            selections.add(ofInstance);
        }
        return selections;
    }
}
