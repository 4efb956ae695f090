package io.berth.scheduler.record;

import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lists the conditions that a prefilter added to a request, each in the form of a query to placement. */
final class Additions {
    private Additions() {}

    static List<String> of(PlacementRequest before, PlacementRequest after) {
        List<String> added = new ArrayList<>();
        missing(before.rootRequired(), after.rootRequired(), "root_required=", added);
        missing(before.rootForbidden(), after.rootForbidden(), "root_required=!", added);
        for (Set<String> oneOf : after.memberOf().subList(
                Math.min(before.memberOf().size(), after.memberOf().size()), after.memberOf().size())) {
            added.add("member_of=in:" + String.join(",", oneOf));
        }
        missing(before.notMemberOf(), after.notMemberOf(), "member_of=!", added);
        for (OutsideGroup group : after.outsideGroups()) {
            if (!before.outsideGroups().contains(group)) {
                added.add("group " + group);
            }
        }
        return added;
    }

    /** Adds the values that are only in the later set, sorted, each with the prefix. */
    private static void missing(Set<String> before, Set<String> after, String prefix, List<String> added) {
        if (before == after || after.isEmpty()) {
            return;
        }
        int from = added.size();
        for (String each : after) {
            if (!before.contains(each)) {
                added.add(prefix + each);
            }
        }
        added.subList(from, added.size()).sort(null);
    }
}
