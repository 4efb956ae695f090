package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Chooses alternates for each instance: from the cell of its selected host, the best hosts that this request has
 * selected for no instance. A host may be an alternate for several instances.
 * <br>Source: nova {@code scheduler/manager.py} (_get_alternate_hosts).
 */
final class Alternates {
    private Alternates() {}

    /**
     * Returns one list for each placed instance: the selected host, then at most {@code alternatesMax} alternates.
     * Hosts without allocation candidates are alternates only in a rebuild check, which claims nothing.
     *
     * @param ranked hosts in the order of preference
     */
    static List<List<HostState>> choose(List<Scheduling.Placed> placed, List<HostState> ranked, int alternatesMax) {
        Set<HostName> selected = new HashSet<>();
        placed.forEach(each -> selected.add(HostName.of(each.host())));
        var lists = new ArrayList<List<HostState>>();
        for (Scheduling.Placed each : placed) {
            boolean claims = !each.round().spec().schedulerHints().asksForRebuildCheck();
            var list = new ArrayList<HostState>();
            list.add(each.host());
            for (HostState host : ranked) {
                if (list.size() > alternatesMax) {
                    break;
                }
                if (Objects.equals(host.cellUuid(), each.host().cellUuid())
                        && !selected.contains(HostName.of(host))
                        && !(claims && host.allocationCandidates().isEmpty())) {
                    list.add(host);
                }
            }
            lists.add(List.copyOf(list));
        }
        return List.copyOf(lists);
    }
}
