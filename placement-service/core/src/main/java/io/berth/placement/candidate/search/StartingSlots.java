package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.TreeRoom;
import io.berth.placement.fleet.index.Slots;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * The slots (see {@link FleetView}) of the trees that a search must visit, ascending. The set is the one that a single
 * condition of the query allows: the condition whose index sets have the fewest slots. {@link #mayServe} excludes trees
 * of this set by the other conditions, and trees in which no provider has enough free capacity. No tree with a
 * candidate is excluded. Not thread-safe.
 */
final class StartingSlots {
    /**
     * The most slots that {@link #skipExcluded} visits, if fewer than {@link #SETS_PER_SLOT} index sets are checked.
     */
    private static final int RUN_MAX = 2_048;
    /** The number of slots that cost one step together, if fewer than {@link #SETS_PER_SLOT} index sets are checked. */
    private static final int SLOTS_PER_STEP = 32;
    /** Checking {@value} index sets costs as much as one more slot. */
    private static final int SETS_PER_SLOT = 8;
    /** The approximate bytes of a condition for each of its index sets. */
    private static final long SET_BYTES = 8;

    /** The slots that the chosen condition allows. */
    private final Slots slots;
    /** The other conditions, all of which a tree must meet. */
    private final AnyOf[] conditions;
    /**
     * The amounts of the parts that no sharing provider can serve. Each amount must be free on at least one provider of
     * the tree.
     */
    private final NeededRoom[] rooms;
    /**
     * The trees with a provider that has a forbidden trait, aggregate or inventory. Null if sharing providers can serve
     * a part, because then the conditions do not show that the only provider of a tree is suitable.
     */
    private final @Nullable AnyOf forbidden;
    /** The cost of a slot, as a multiple of the cost with fewer than {@link #SETS_PER_SLOT} index sets. */
    private final long slotCost;

    /** The amount of a resource class that at least one provider of a tree must have free. */
    private record NeededRoom(TreeRoom room, long amount) {}

    private StartingSlots(Slots slots, AnyOf[] conditions, NeededRoom[] rooms, @Nullable AnyOf forbidden) {
        this.slots = slots;
        this.conditions = conditions;
        this.rooms = rooms;
        this.forbidden = forbidden;
        int sets = forbidden == null ? 0 : forbidden.sets.length;
        for (AnyOf condition : conditions) {
            sets += condition.sets.length;
        }
        this.slotCost = 1L + sets / SETS_PER_SLOT;
    }

    /**
     * Selects the slots for a query. If the memory is spent, conditions are missing, so that more slots are visited.
     */
    static StartingSlots of(FleetView view, ResolvedQuery query, SharingProviders sharing, SearchMemory memory) {
        return new Conditions(view, query, sharing, memory).choose();
    }

    int size() {
        return slots.size();
    }

    int get(int index) {
        return slots.get(index);
    }

    /** Returns the approximate cost, in steps, of a slot that is not visited in ascending order. */
    long slotCost() {
        return slotCost;
    }

    /**
     * Returns the index of the next slot for which {@link #mayServe} is true; {@link #size} if there is none. Visits a
     * limited number of slots; if {@code mayServe} is false for all of them, returns the index at which to continue.
     */
    int skipExcluded(int from, StepBudget budget) {
        int end = (int) Math.min(slots.size(), from + Math.max(1, RUN_MAX / slotCost));
        int index = from;
        int visited = 0;
        while (index < end && !mayServe(slots.get(index))) {
            int slot = slots.get(index);
            index = isRoomNear(slot)
                    ? index + 1
                    : slots.seek(index, (slot >> TreeRoom.CHUNK_BITS) + 1 << TreeRoom.CHUNK_BITS);
            visited++;
        }
        // Also charges the found slot, whose conditions are charged nowhere else.
        budget.spend((visited * slotCost + slotCost - 1) / SLOTS_PER_STEP);
        return index;
    }

    /** Returns false if it is certain that the tree has no candidate. Fast if slots ascend from call to call. */
    boolean mayServe(int slot) {
        for (NeededRoom needed : rooms) {
            if (needed.room().amountAt(slot) < needed.amount()) {
                return false;
            }
        }
        for (AnyOf condition : conditions) {
            if (!condition.has(slot)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the tree of this slot consists of one provider that certainly meets all conditions on traits,
     * aggregates and tree, and can allocate each single part. {@link #mayServe} must be true for the slot.
     */
    boolean isKnownToServeAlone(int slot) {
        for (NeededRoom needed : rooms) {
            if (needed.amount() == 0 || !needed.room().isExact(slot)) {
                return false;
            }
        }
        return rooms.length > 0 && isSuitableIfAlone(slot);
    }

    /**
     * Returns whether the provider of this slot, if the tree has only one, certainly meets all conditions on traits,
     * aggregates and tree. {@link #mayServe} must be true for the slot.
     */
    boolean isSuitableIfAlone(int slot) {
        return forbidden != null && !forbidden.has(slot);
    }

    /** Returns whether any slot in the same chunk of {@link TreeRoom} may have enough free capacity. */
    private boolean isRoomNear(int slot) {
        for (NeededRoom needed : rooms) {
            if (needed.room().highestInChunk(slot) < needed.amount()) {
                return false;
            }
        }
        return true;
    }

    /** The slots that one condition allows: a union of index sets. */
    private static final class AnyOf {
        private final Slots[] sets;
        /** For each set, the position of the last look-up, at which the next one begins. */
        private final int[] cursors;
        /** The sum of the sizes of the sets. */
        private final long sizeMax;

        AnyOf(List<Slots> sets) {
            this.sets = sets.toArray(Slots[]::new);
            this.cursors = new int[this.sets.length];
            this.sizeMax = sets.stream().mapToLong(Slots::size).sum();
        }

        boolean has(int slot) {
            for (int i = 0; i < sets.length; i++) {
                Slots set = sets[i];
                int from = cursors[i] > 0 && set.get(cursors[i] - 1) >= slot ? 0 : cursors[i];
                cursors[i] = set.seek(from, slot);
                if (cursors[i] < set.size() && set.get(cursors[i]) == slot) {
                    return true;
                }
            }
            return false;
        }

        Slots union() {
            if (sets.length == 1) {
                return sets[0];
            }
            int[] all = new int[Math.toIntExact(sizeMax)];
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

    /**
     * Collects the conditions that every tree with a candidate meets. If sharing providers can serve a part, a
     * condition on the classes of the part (on the required traits, if it has no classes) also allows the trees with a
     * provider in an aggregate of these sharing providers. The other conditions of the part's group are then omitted,
     * except the tree that {@code in_tree} names for the unsuffixed group.
     */
    private static final class Conditions {
        private final FleetView view;
        private final ResolvedQuery query;
        private final SharingProviders sharing;
        private final SearchMemory memory;
        private final List<AnyOf> conditions = new ArrayList<>();
        private final List<NeededRoom> rooms = new ArrayList<>();
        private @Nullable AnyOf smallest;

        Conditions(FleetView view, ResolvedQuery query, SharingProviders sharing, SearchMemory memory) {
            this.view = view;
            this.query = query;
            this.sharing = sharing;
            this.memory = memory;
        }

        /** Collects all conditions, and chooses the one whose index sets have the fewest slots. */
        StartingSlots choose() {
            boolean unsuffixedShared = false;
            for (int part = 0; part < query.parts().length; part++) {
                GroupPart groupPart = query.parts()[part];
                offerClasses(groupPart, part);
                if (groupPart.isSuffixed()) {
                    if (!sharing.canServe(part)) {
                        offerTraitsAndAggregates(groupPart.group());
                        offerTree(groupPart.group());
                    }
                } else {
                    unsuffixedShared |= sharing.canServe(part);
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
            AnyOf first = Objects.requireNonNull(smallest, "a query has a part, and a part has a condition");
            return new StartingSlots(
                    first.union(),
                    conditions.stream().filter(condition -> condition != first).toArray(AnyOf[]::new),
                    rooms.toArray(NeededRoom[]::new),
                    sharing.isEmpty() ? forbidden() : null);
        }

        private AnyOf forbidden() {
            List<Slots> sets = new ArrayList<>(slotsWith(query.rootForbidden()));
            for (int classId : query.withoutClasses()) {
                sets.add(view.slotsWithClass(classId));
            }
            for (GroupPart part : query.parts()) {
                sets.addAll(slotsWith(part.group().forbidden()));
                sets.addAll(slotsIn(Arrays.asList(part.group().forbiddenAggregates())));
            }
            return new AnyOf(sets.stream().distinct().toList());
        }

        /**
         * Adds a condition for each class of the part; if the part has no classes and sharing providers can serve it,
         * for each of its required traits.
         */
        private void offerClasses(GroupPart part, int position) {
            boolean isShared = sharing.canServe(position);
            List<Slots> shared = isShared ? slotsIn(sharing.aggregatesServing(position)) : List.of();
            for (int i = 0; i < part.classIds().length; i++) {
                int classId = part.classIds()[i];
                List<Slots> sets = new ArrayList<>(shared);
                sets.add(view.slotsWithClass(classId));
                if (isShared) {
                    offer(sets);
                } else {
                    // A provider with free capacity has an inventory of the class, so the condition on the class needs
                    // no check of its own.
                    preferIfSmaller(new AnyOf(sets));
                    rooms.add(new NeededRoom(view.room(classId), part.amounts()[i]));
                }
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
                offer(List.of(Slots.of(view.slotOf(view.get(group.inTreeRootId())))));
            }
        }

        /** Adds the condition that a tree is in at least one of these sets. */
        private void offer(List<Slots> sets) {
            AnyOf condition = new AnyOf(sets);
            if (memory.reserve(SET_BYTES * sets.size())) {
                conditions.add(condition);
            }
            preferIfSmaller(condition);
        }

        private void preferIfSmaller(AnyOf condition) {
            if (smallest == null || condition.sizeMax < smallest.sizeMax) {
                smallest = condition;
            }
        }

        private List<Slots> slotsWith(int[] traitIds) {
            return Arrays.stream(traitIds).mapToObj(view::slotsWithTrait).toList();
        }

        private List<Slots> slotsIn(Collection<UUID> aggregates) {
            return aggregates.stream().map(view::slotsInAggregate).toList();
        }
    }
}
