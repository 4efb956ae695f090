package io.berth.scheduler.selection;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.weigher.RankedHost;
import java.util.ArrayList;
import java.util.List;

/**
 * A host in a response, selected or alternate.
 *
 * @param weight the weighted sum of the weighers: for a selected host in the round of its instance, for an alternate in
 *     the last round; 0 if the hosts of the round were not weighed, or if the part of the ranking that was kept lacks
 *     the host
 */
public record Selection(HostState host, double weight) {
    /** Returns one list per instance: the selected host, then its alternates. */
    static List<List<Selection>> of(Decision decision) {
        List<List<Selection>> selections = new ArrayList<>();
        for (int i = 0; i < decision.selections().size(); i++) {
            List<HostState> hosts = decision.selections().get(i);
            List<Selection> choices = new ArrayList<>();
            choices.add(new Selection(hosts.getFirst(), weightOf(hosts.getFirst(), decision.rounds().get(i))));
            for (HostState alternate : hosts.subList(1, hosts.size())) {
                choices.add(new Selection(alternate, weightOf(alternate, decision.rounds().getLast())));
            }
            selections.add(choices);
        }
        return selections;
    }

    /**
     * Returns the weight of a host in a round; 0 if the ranking lacks the host. The scan is short, because the host is
     * among the first in the ranking.
     */
    private static double weightOf(HostState host, Decision.Evaluated evaluated) {
        for (RankedHost each : evaluated.round().ranked()) {
            if (each.host().host().equals(host.host()) && each.host().nodename().equals(host.nodename())) {
                return each.weight();
            }
        }
        return 0;
    }

    /** Returns the allocations to claim on the host; empty if it has no candidate. */
    public AllocationRequest allocationRequest() {
        return Rounds.requestOf(host);
    }
}
