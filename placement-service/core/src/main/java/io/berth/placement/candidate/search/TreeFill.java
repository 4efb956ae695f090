package io.berth.placement.candidate.search;

import io.berth.placement.candidate.search.TreeProbe.Outcome;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Counts how often a query could be claimed in one tree: claims the first candidate in memory, then the first candidate
 * in the remaining capacity, until there is none. Each tree is counted as if no other tree were claimed on, so the
 * whole free capacity of sharing providers is available to each.
 *
 * <p>If a tree consists of one provider and no sharing provider ({@link SharingProviders}) serves it, the count is a
 * division of the free capacity. All other trees are searched. A tree of one provider that is unsuitable alone is also
 * searched if a sharing provider that lacks only free capacity reaches it: if the two together are suitable, the count
 * is 0 instead of {@link #UNSUITABLE}. Repeated searches would find the same candidate until a provider can no longer
 * serve one of the parts ({@link GroupPart}) of the query. The number of these repetitions is therefore computed
 * without a search, and then the tree is searched again. Not thread-safe; the instance is reused for the next tree.
 */
public final class TreeFill {
    /**
     * The {@link #count} of a tree that violates a demand other than an amount (such as a trait), or has no inventory
     * of a requested class.
     */
    public static final int UNSUITABLE = -1;
    /** The value of {@link #limitingClass} if no class is known to prevent one more claim. */
    public static final int NO_LIMITING_CLASS = -1;

    /**
     * A number of successive claims of the same candidate.
     *
     * @param providers the provider of each part of the query
     * @param times number of claims, at least 1
     */
    public record Claims(Provider[] providers, int times) {}

    private final ResolvedQuery query;
    private final GroupPart[] parts;
    private final SharingProviders sharing;
    /** All sharing providers that meet the conditions, even without enough free capacity. */
    private final SharingProviders suitableSharing;
    private final SearchMemory memory;
    private final TreeSearch search;
    /** Decides whether a tree meets all demands that are not amounts. */
    private final TreeProbe suitabilityProbe;
    /** True if one provider may serve the whole query; false if isolation requires more than one. */
    private final boolean mayServeAlone;
    private final Amounts[] amounts;
    private final Provider[] providers;
    /** The original states of the sharing providers that were replaced during the present count, by id. */
    private final Map<Long, Provider> replaced = new HashMap<>();
    private final Set<UUID> takenSharing = new LinkedHashSet<>();
    private final List<SharingProviders.Sharing> reachableSharing = new ArrayList<>();
    private final List<Claims> claims = new ArrayList<>();
    private int count;
    private int limitingClass;
    private boolean isNested;
    private boolean hasNoAlternatives;
    private boolean isComplete;

    /**
     * The amounts of one resource class in the query.
     *
     * @param portions the amount of each part that requests the class, in the order of the parts
     */
    private record Amounts(int classId, long[] portions, long sum) {
        /**
         * Returns whether the limits of an inventory allow the portions and their sum, independent of the free
         * capacity.
         */
        boolean areAllowed(Inventories inventories, int at) {
            for (long portion : portions) {
                if (portion < inventories.minUnit()[at] || portion > inventories.maxUnit()[at]
                        || portion % inventories.stepSize()[at] != 0) {
                    return false;
                }
            }
            return sum <= inventories.maxUnit()[at];
        }

        /** Returns how often the whole sum could be allocated in the inventory at index {@code at}. */
        long times(Inventories inventories, int at) {
            long room = (long) Math.floor(inventories.capacity(at)) - inventories.used()[at];
            return room < sum || !areAllowed(inventories, at) ? 0 : room / sum;
        }
    }

    public TreeFill(FleetView view, ResolvedQuery query, SearchMemory memory) {
        this.query = query;
        this.parts = query.parts();
        this.memory = memory;
        this.sharing = SharingProviders.of(view, query, memory);
        this.suitableSharing = SharingProviders.of(view, query.withoutAmounts(), memory);
        this.search = new TreeSearch(view, query, sharing, null, memory);
        this.suitabilityProbe = new TreeProbe(view, query.withoutAmounts(), memory);
        this.mayServeAlone = !query.isolate() || parts.length - query.unsuffixedCount() < 2;
        this.amounts = amounts(parts);
        this.providers = new Provider[parts.length];
    }

    private static Amounts[] amounts(GroupPart[] parts) {
        var byClass = new LinkedHashMap<Integer, List<Long>>();
        for (GroupPart part : parts) {
            for (int i = 0; i < part.classIds().length; i++) {
                byClass.computeIfAbsent(part.classIds()[i], _ -> new ArrayList<>()).add(part.amounts()[i]);
            }
        }
        return byClass.entrySet().stream()
                .map(each -> {
                    long[] portions = each.getValue().stream().mapToLong(Long::longValue).toArray();
                    return new Amounts(each.getKey(), portions, Arrays.stream(portions).sum());
                })
                .toArray(Amounts[]::new);
    }

    /**
     * Returns the ids of the query's resource classes in the order of its parts, each once. {@link #limitingClass}
     * returns an index in this array.
     */
    public int[] classIds() {
        return Arrays.stream(amounts).mapToInt(Amounts::classId).toArray();
    }

    /**
     * Counts the claims in the tree. The other methods return the results until the next call.
     *
     * @param max the highest count, at which the counting ends
     * @param timeIsUp returns true when the evaluation must end
     */
    public void fill(ProviderTree tree, int max, BooleanSupplier timeIsUp) {
        count = 0;
        limitingClass = NO_LIMITING_CLASS;
        hasNoAlternatives = true;
        isComplete = !memory.isSpent();
        claims.clear();
        takenSharing.clear();
        reachableSharing.clear();
        isNested = tree.size() > 1 || sharing.reaches(tree);
        if (!isNested) {
            computeFlatCount(tree, max);
            isNested = count == UNSUITABLE && suitableSharing.reaches(tree);
        }
        if (isNested) {
            count = 0;
            search(tree, max, timeIsUp);
            sharing.collect(tree, reachableSharing);
        }
    }

    /**
     * Returns the number of claims, or {@link #UNSUITABLE}. If {@link #isComplete} is false, the number may be too low,
     * and a tree that counts as unsuitable may be suitable.
     */
    public int count() {
        return count;
    }

    /**
     * Returns the index in {@link #classIds} of the class that prevents one more claim. Returns the length of that
     * array if each part could be served, but not all together. Returns {@link #NO_LIMITING_CLASS} if the count has
     * reached its maximum or is {@link #UNSUITABLE}, or if a limit ended the search.
     */
    public int limitingClass() {
        return limitingClass;
    }

    /** Returns whether the tree was searched, because claims may take from providers other than its root. */
    public boolean isNested() {
        return isNested;
    }

    /** Returns true if each claim certainly had only one candidate. */
    public boolean hasNoAlternatives() {
        return hasNoAlternatives;
    }

    /** Returns false if a limit of time, memory or steps ({@link TreeProbe}) ended the count. */
    public boolean isComplete() {
        return isComplete;
    }

    /** Returns the claims, in order; always empty if {@link #isNested} is false, even if the count is not 0. */
    public List<Claims> claims() {
        return claims;
    }

    /**
     * Returns the uuids of the sharing providers that claims took from. The counts of other trees may include the same
     * capacity.
     */
    public Set<UUID> takenSharing() {
        return takenSharing;
    }

    /**
     * Returns the uuids of the sharing providers of other trees that could serve a part of the query for this tree,
     * even if no claim took from them.
     */
    public Set<UUID> reachableSharing() {
        return reachableSharing.stream().map(each -> each.provider.uuid()).collect(Collectors.toSet());
    }

    /** Computes the count of a tree of one provider that no sharing provider serves. */
    private void computeFlatCount(ProviderTree tree, int max) {
        Provider root = tree.root();
        if (!suits(tree)) {
            count = UNSUITABLE;
            return;
        }
        Inventories inventories = root.inventories();
        long timesPossible = Long.MAX_VALUE;
        for (int i = 0; i < amounts.length; i++) {
            int at = inventories.find(amounts[i].classId());
            if (at < 0) {
                count = UNSUITABLE;
                limitingClass = NO_LIMITING_CLASS;
                return;
            }
            long times = amounts[i].times(inventories, at);
            if (times < timesPossible) {
                timesPossible = times;
                limitingClass = i;
            }
        }
        count = (int) Math.min(timesPossible, max);
        if (timesPossible >= max) {
            limitingClass = NO_LIMITING_CLASS;
        }
        if (count > 0 && !sharing.isEmpty() && sharing.isSharing(root)) {
            takenSharing.add(root.uuid());
        }
    }

    /** Returns whether the only provider of the tree meets all conditions, inventories and free capacity aside. */
    private boolean suits(ProviderTree tree) {
        if (!mayServeAlone || !query.accepts(tree)) {
            return false;
        }
        Provider root = tree.root();
        if (query.unsuffixed() != null
                && !(parts[0].suits(root, root) && query.unsuffixed().hasRequiredTraits(root))) {
            return false;
        }
        for (int part = query.unsuffixedCount(); part < parts.length; part++) {
            if (!parts[part].suits(root, root)) {
                return false;
            }
        }
        return true;
    }

    /** Counts by searching the tree. */
    private void search(ProviderTree tree, int max, BooleanSupplier timeIsUp) {
        ProviderTree current = tree;
        var steps = new TreeProbe.LimitedSearch(timeIsUp, memory);
        boolean shouldContinue = true;
        while (shouldContinue && count < max) {
            Outcome outcome = steps.findFirst(search, current);
            if (outcome == Outcome.HAS_CANDIDATE) {
                hasNoAlternatives &= !search.hasAlternatives();
                search.copyTo(providers);
                current = claim(current, (int) Math.min(search.repeatCount(), max - count));
            } else {
                isComplete = outcome == Outcome.HAS_NONE;
                shouldContinue = false;
            }
        }
        if (count == 0) {
            Outcome suitability = suitabilityProbe.findOutcome(tree, timeIsUp);
            count = suitability == Outcome.HAS_CANDIDATE ? 0 : UNSUITABLE;
            isComplete &= suitability != Outcome.UNKNOWN;
        }
        if (isComplete && count >= 0 && count < max) {
            limitingClass = findLimitingClass();
        }
        replaced.values().forEach(before -> sharing.replace(before, parts));
        replaced.clear();
    }

    /**
     * Claims the present candidate {@code times} times, and returns the tree with the remaining capacity. The states of
     * sharing providers of other trees are replaced in {@link #sharing}.
     */
    private ProviderTree claim(ProviderTree tree, int times) {
        ProviderTree remaining = tree;
        for (int part = 0; part < parts.length; part++) {
            if (query.isFirstPartToTakeFrom(part, providers)) {
                Provider before = providers[part];
                Provider after = before.withUsed(used(before, times));
                int position = tree.find(before.id());
                if (position >= 0) {
                    remaining = remaining.with(position, after);
                } else {
                    replaced.putIfAbsent(before.id(), before);
                    sharing.replace(after, parts);
                }
                if (sharing.isSharing(before)) {
                    takenSharing.add(before.uuid());
                }
            }
        }
        claims.add(new Claims(providers.clone(), times));
        count += times;
        return remaining;
    }

    private long[] used(Provider provider, int times) {
        Inventories inventories = provider.inventories();
        long[] used = inventories.used().clone();
        for (int part = 0; part < parts.length; part++) {
            if (providers[part] == provider) {
                for (int i = 0; i < parts[part].classIds().length; i++) {
                    used[inventories.find(parts[part].classIds()[i])] += parts[part].amounts()[i] * times;
                }
            }
        }
        return used;
    }

    /** Returns the value of {@link #limitingClass} for a search that has found no further candidate. */
    private int findLimitingClass() {
        int unserved = search.unservedPart();
        int classId = unserved < 0 ? search.scarceClass() : firstScarceClass(parts[unserved]);
        int position = 0;
        while (position < amounts.length && amounts[position].classId() != classId) {
            position++;
        }
        return position;
    }

    /**
     * Returns the first class of the part that no provider can allocate. If some provider can allocate each class, but
     * none can allocate all of them, returns the part's first class.
     */
    private int firstScarceClass(GroupPart part) {
        for (int i = 0; i < part.classIds().length; i++) {
            int[] classId = {part.classIds()[i]};
            if (!search.canBeServed(new GroupPart(part.group(), classId, new long[] {part.amounts()[i]}))) {
                return classId[0];
            }
        }
        return part.classIds()[0];
    }
}
