package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Slots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The slots a search has to look at: a superset of the trees with candidates, chosen as the smallest of the sets that
 * the query's single conditions give. Ascending.
 */
final class StartingSlots {
    /** A set that one condition allows: the union of index sets. */
    private record Condition(Slots[] sets, long sizeMax) {
        static Condition of(List<Slots> sets) {
            return new Condition(sets.toArray(Slots[]::new), sets.stream().mapToLong(Slots::size).sum());
        }
    }

    private final FleetView view;
    private final ResolvedQuery query;
    private final SharingProviders sharing;
    private Condition best;

    private StartingSlots(FleetView view, ResolvedQuery query, SharingProviders sharing) {
        this.view = view;
        this.query = query;
        this.sharing = sharing;
    }

    static Slots of(FleetView view, ResolvedQuery query, SharingProviders sharing) {
        return new StartingSlots(view, query, sharing).choose();
    }

    private Slots choose() {
        boolean unsuffixedShared = false;
        for (int part = 0; part < query.parts().length; part++) {
            Part wanted = query.parts()[part];
            offerClasses(wanted, part);
            if (wanted.isSuffixed()) {
                if (!sharing.serve(part)) {
                    offerTraitsAndAggregates(wanted.group());
                    if (wanted.classIds().length > 0) {
                        offerTree(wanted.group());
                    }
                }
            } else {
                unsuffixedShared |= sharing.serve(part);
            }
        }
        if (query.unsuffixed() != null) {
            if (!unsuffixedShared) {
                offerTraitsAndAggregates(query.unsuffixed());
            }
            offerTree(query.unsuffixed());
        }
        for (int traitId : query.rootRequired()) {
            offer(List.of(view.slotsWithTrait(traitId)));
        }
        return best.sets().length == 1 ? best.sets()[0] : union(best.sets());
    }

    private void offerClasses(Part part, int position) {
        List<Slots> shared = sharing.serve(position) ? slotsIn(sharing.aggregatesServing(position)) : List.of();
        for (int classId : part.classIds()) {
            List<Slots> sets = new ArrayList<>(shared);
            sets.add(view.slotsWithClass(classId));
            offer(sets);
        }
        if (part.classIds().length == 0 && !shared.isEmpty()) {
            for (int[] anyOf : part.group().required()) {
                List<Slots> sets = new ArrayList<>(shared);
                sets.addAll(slotsWith(anyOf));
                offer(sets);
            }
        }
    }

    private void offerTraitsAndAggregates(ResolvedGroup group) {
        for (int[] anyOf : group.required()) {
            offer(slotsWith(anyOf));
        }
        for (UUID[] anyOf : group.memberOf()) {
            offer(slotsIn(Arrays.asList(anyOf)));
        }
    }

    private void offerTree(ResolvedGroup group) {
        if (group.inTreeRootId() != 0) {
            offer(List.of(Slots.of(view.slotOf(view.find(group.inTreeRootId())))));
        }
    }

    private void offer(List<Slots> sets) {
        Condition condition = Condition.of(sets);
        if (best == null || condition.sizeMax() < best.sizeMax()) {
            best = condition;
        }
    }

    private List<Slots> slotsWith(int[] traitIds) {
        return Arrays.stream(traitIds).mapToObj(view::slotsWithTrait).toList();
    }

    private List<Slots> slotsIn(Collection<UUID> aggregates) {
        return aggregates.stream().map(view::slotsInAggregate).toList();
    }

    private static Slots union(Slots[] sets) {
        int[] all = new int[Math.toIntExact(Arrays.stream(sets).mapToLong(Slots::size).sum())];
        int filled = 0;
        for (Slots set : sets) {
            for (int i = 0; i < set.size(); i++) {
                all[filled++] = set.get(i);
            }
        }
        Arrays.sort(all);
        int distinct = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[distinct++] = all[i];
            }
        }
        return Slots.of(Arrays.copyOf(all, distinct));
    }
}
