package io.berth.scheduler.record;

import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a prefilter added to a request, in the words of a query to placement. */
final class Additions {
    private Additions() {}

    static List<String> of(PlacementRequest before, PlacementRequest after) {
        List<String> added = new ArrayList<>();
        missing(before.rootRequired(), after.rootRequired()).forEach(trait -> added.add("root_required=" + trait));
        missing(before.rootForbidden(), after.rootForbidden()).forEach(trait -> added.add("root_required=!" + trait));
        for (Set<String> oneOf : after.memberOf().subList(
                Math.min(before.memberOf().size(), after.memberOf().size()), after.memberOf().size())) {
            added.add("member_of=in:" + String.join(",", oneOf));
        }
        missing(before.notMemberOf(), after.notMemberOf()).forEach(uuid -> added.add("member_of=!" + uuid));
        for (OutsideGroup group : after.outsideGroups()) {
            if (!before.outsideGroups().contains(group)) {
                added.add("group " + group);
            }
        }
        return added;
    }

    private static List<String> missing(Set<String> before, Set<String> after) {
        return after.stream().filter(each -> !before.contains(each)).sorted().toList();
    }
}
