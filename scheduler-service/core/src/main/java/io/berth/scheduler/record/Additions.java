package io.berth.scheduler.record;

import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lists the conditions that a prefilter added to a request, each as the parameter of the query to placement, or as a
 * whole {@link OutsideGroup} that is new or changed.
 */
final class Additions {
    private Additions() {}

    /**
     * Returns the conditions that only the request after the prefilter has. Its new entries of {@code memberOf} follow
     * those of the request before.
     */
    static List<String> of(PlacementRequest before, PlacementRequest after) {
        List<String> added = new ArrayList<>();
        addNew(before.rootRequired(), after.rootRequired(), "root_required=", added);
        addNew(before.rootForbidden(), after.rootForbidden(), "root_required=!", added);
        for (Set<String> oneOf : after.memberOf().subList(
                Math.min(before.memberOf().size(), after.memberOf().size()), after.memberOf().size())) {
            added.add("member_of=in:" + String.join(",", oneOf));
        }
        addNew(before.notMemberOf(), after.notMemberOf(), "member_of=!", added);
        for (OutsideGroup group : after.outsideGroups()) {
            if (!before.outsideGroups().contains(group)) {
                added.add("group " + group);
            }
        }
        return added;
    }

    /** Adds the values that are only in the set {@code after}, sorted, each with the prefix. */
    private static void addNew(Set<String> before, Set<String> after, String prefix, List<String> added) {
        if (before == after || after.isEmpty()) {
            return;
        }
        int firstAdded = added.size();
        for (String each : after) {
            if (!before.contains(each)) {
                added.add(prefix + each);
            }
        }
        added.subList(firstAdded, added.size()).sort(null);
    }
}
