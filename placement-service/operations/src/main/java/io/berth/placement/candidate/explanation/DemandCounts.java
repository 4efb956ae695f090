package io.berth.placement.candidate.explanation;

import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Fills the {@link DemandCount} of each demand, in one pass over the trees. A tree meets a single demand on a provider
 * if any provider of the tree, or any sharing provider of another tree that could serve this tree, meets the demand. A
 * tree meets a demand together with the earlier demands if, for each part of the query that has the demand ({@link
 * Demand#parts}), one provider meets the demand and the part's earlier demands; for a required trait of the unsuffixed
 * group, a provider of one of the parts suffices. Different parts are not compared with each other, so conflicts
 * between groups are not detected.
 *
 * <p>{@link #count} is called once for each tree; its cost is the number of providers times the number of demands.
 */
final class DemandCounts {
    private final Demands demands;
    private final Neighbors neighbors;
    private final List<DemandCount> counts = new ArrayList<>();
    /**
     * The number of parts of the query. Each suffixed group is one part, and each resource class of the unsuffixed
     * group is one, because a different provider may serve it.
     */
    private final int partCount;
    /** For each part, the ids of its resource classes. */
    private final List<int[]> classIds = new ArrayList<>();

    DemandCounts(Demands demands, Neighbors neighbors) {
        this.demands = demands;
        this.neighbors = neighbors;
        int parts = 0;
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (!demand.isRule()) {
                counts.add(new DemandCount(demand));
                parts = Math.max(parts, Arrays.stream(demand.parts()).max().orElse(-1) + 1);
            }
        }
        this.partCount = parts;
        for (int part = 0; part < parts; part++) {
            int thisPart = part;
            classIds.add(counts.stream()
                    .map(count -> count.demand)
                    .filter(demand -> demand.isAmount()
                            && Arrays.stream(demand.parts()).anyMatch(each -> each == thisPart))
                    .mapToInt(Demand::classId)
                    .toArray());
        }
    }

    /**
     * Returns the indexes of the providers that have an inventory of each class of the part, independent of the part's
     * conditions. If no provider has them, returns all indexes, so that the conditions are still counted.
     */
    private BitSet withInventories(int part, Provider[] providers) {
        var found = new BitSet(providers.length);
        for (int i = 0; i < providers.length; i++) {
            boolean hasAll = true;
            for (int classId : classIds.get(part)) {
                hasAll &= providers[i].inventories().find(classId) >= 0;
            }
            found.set(i, hasAll);
        }
        if (found.isEmpty()) {
            found.set(0, providers.length);
        }
        return found;
    }

    /** Returns the counts of all demands that are not rules, in the order of {@link Demands}. */
    List<DemandCount> list() {
        return counts;
    }

    /**
     * Adds the tree to the counts. Returns the indexes of the demands that the tree would not meet even if the query
     * had no other demand: the tree is not a candidate as long as the query contains one of them.
     */
    BitSet count(ProviderTree tree) {
        Provider root = tree.root();
        Provider[] providers = neighbors.providersFor(tree);
        // For each part, the indexes of the providers that have the part's inventories and meet its demands so far. A
        // required trait of the unsuffixed group removes no provider, because one provider with it suffices.
        BitSet[] remainingProviders = new BitSet[partCount];
        for (int part = 0; part < partCount; part++) {
            remainingProviders[part] = withInventories(part, providers);
        }
        var unmet = new BitSet(demands.size());
        boolean metAllBefore = true;
        // Whether the tree meets every demand so far that is not an amount.
        boolean metAllConditionsBefore = true;
        for (int index = 0; index < counts.size(); index++) {
            DemandCount count = counts.get(index);
            Demand demand = count.demand;
            // Whether the tree meets this demand in the sense of DemandCount.afterAllBefore, of alone and of suitable.
            boolean metWithOthers;
            boolean metAlone;
            boolean suitable;
            if (demand.isOfTree()) {
                metWithOthers = demand.isMetBy(tree);
                metAlone = metWithOthers;
                suitable = metWithOthers;
            } else {
                metWithOthers = !demand.isUnsuffixedRequired();
                metAlone = metWithOthers;
                suitable = metWithOthers;
                for (int part : demand.parts()) {
                    boolean anyFits = false;
                    boolean anyRemainingFits = false;
                    for (int i = 0; i < providers.length; i++) {
                        if (demand.isAmount() && metAllConditionsBefore && remainingProviders[part].get(i)) {
                            count.offer(providers[i], metAllBefore);
                        }
                        boolean fits = demand.isMetBy(providers[i], root);
                        anyFits |= fits;
                        anyRemainingFits |= fits && remainingProviders[part].get(i);
                        if (!demand.isUnsuffixedRequired() && !fits) {
                            remainingProviders[part].clear(i);
                        }
                    }
                    // An amount must be met by a provider that also meets the part's conditions.
                    boolean anySuitableFits = demand.isAmount() ? anyRemainingFits : anyFits;
                    metWithOthers = demand.isUnsuffixedRequired()
                            ? metWithOthers || anyRemainingFits
                            : metWithOthers && anyRemainingFits;
                    metAlone = demand.isUnsuffixedRequired() ? metAlone || anyFits : metAlone && anyFits;
                    suitable = demand.isUnsuffixedRequired() ? suitable || anySuitableFits : suitable
                            && anySuitableFits;
                }
            }
            count.alone += metAlone ? 1 : 0;
            count.suitable += suitable && (metAllConditionsBefore || !demand.isAmount()) ? 1 : 0;
            count.afterAllBefore += metAllBefore && metWithOthers ? 1 : 0;
            if (metAllBefore && !metWithOthers) {
                count.addRemoved(root);
            }
            if (!metAlone) {
                // The index in counts is the index in Demands, because rules, which have no count, come last.
                unmet.set(index);
            }
            metAllBefore &= metWithOthers;
            metAllConditionsBefore &= metWithOthers || demand.isAmount();
        }
        return unmet;
    }
}
