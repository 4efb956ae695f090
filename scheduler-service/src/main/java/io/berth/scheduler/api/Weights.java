package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.weigher.RankedHost;
import java.util.ArrayList;
import java.util.List;

/** Finds the weight each host of an answer had in the round of its instance. */
final class Weights {
    private Weights() {}

    static List<List<Selection>> attach(Decision decision) {
        List<List<Selection>> selections = new ArrayList<>();
        for (int i = 0; i < decision.selections().size(); i++) {
            List<RankedHost> ranked = decision.rounds().get(i).round().ranked();
            selections.add(decision.selections().get(i).stream()
                    .map(host -> new Selection(host, weightOf(host, ranked)))
                    .toList());
        }
        return selections;
    }

    /** Mostly one of the first, so that the ranking is read no further. */
    private static double weightOf(HostState host, List<RankedHost> ranked) {
        for (RankedHost each : ranked) {
            if (each.host().host().equals(host.host()) && each.host().nodename().equals(host.nodename())) {
                return each.weight();
            }
        }
        return 0;
    }
}
