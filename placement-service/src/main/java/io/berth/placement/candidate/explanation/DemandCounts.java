package io.berth.placement.candidate.explanation;

import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Counts, for each demand, the trees that meet the demand alone, and the trees that meet the demand and all demands
 * before it. A tree meets a demand if any of its providers does, so this class does not detect conflicts between
 * groups. {@link #count} is called once for each tree; its cost is the number of the tree's providers times the number
 * of demands.
 */
final class DemandCounts {
    private final Demands demands;
    private final Neighbors neighbors;
    private final List<DemandCount> counts = new ArrayList<>();
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
            int of = part;
            classIds.add(counts.stream()
                    .map(count -> count.demand)
                    .filter(demand -> demand.isAmount() && Arrays.stream(demand.parts()).anyMatch(each -> each == of))
                    .mapToInt(Demand::classId)
                    .toArray());
        }
    }

    /**
     * Returns the indexes of the providers that have an inventory of each class of the part, independent of the part's
     * conditions; all indexes if no provider has.
     */
    private BitSet able(int part, Provider[] providers) {
        var able = new BitSet(providers.length);
        for (int i = 0; i < providers.length; i++) {
            boolean has = true;
            for (int classId : classIds.get(part)) {
                has &= providers[i].inventories().find(classId) >= 0;
            }
            able.set(i, has);
        }
        if (able.isEmpty()) {
            able.set(0, providers.length);
        }
        return able;
    }

    /** Returns the counts of all demands that are not rules, in the order of {@link Demands}. */
    List<DemandCount> list() {
        return counts;
    }

    /**
     * Counts the tree, and returns the indexes of the demands that the tree does not meet, even alone. As long as the
     * query contains one of these demands, the tree is not a candidate.
     */
    BitSet count(ProviderTree tree) {
        Provider root = tree.root();
        Provider[] providers = neighbors.of(tree);
        // For each part, the indexes of the providers that meet all demands of the part so far.
        BitSet[] open = new BitSet[partCount];
        for (int part = 0; part < partCount; part++) {
            open[part] = able(part, providers);
        }
        var unmet = new BitSet(demands.size());
        boolean alive = true;
        // Whether the tree meets every demand so far that is not an amount.
        boolean suits = true;
        for (int at = 0; at < counts.size(); at++) {
            DemandCount count = counts.get(at);
            Demand demand = count.demand;
            boolean met;
            boolean byItself;
            boolean suitable;
            if (demand.isOfTree()) {
                met = demand.isMetBy(tree);
                byItself = met;
                suitable = met;
            } else {
                met = !demand.isTogether();
                byItself = met;
                suitable = met;
                for (int part : demand.parts()) {
                    boolean any = false;
                    boolean anyOpen = false;
                    for (int i = 0; i < providers.length; i++) {
                        if (demand.isAmount() && suits && open[part].get(i)) {
                            count.offer(providers[i], alive);
                        }
                        boolean fits = demand.isMetBy(providers[i], root);
                        any |= fits;
                        anyOpen |= fits && open[part].get(i);
                        if (!demand.isTogether() && !fits) {
                            open[part].clear(i);
                        }
                    }
                    boolean anySuitable = demand.isAmount() ? anyOpen : any;
                    met = demand.isTogether() ? met || anyOpen : met && anyOpen;
                    byItself = demand.isTogether() ? byItself || any : byItself && any;
                    suitable = demand.isTogether() ? suitable || anySuitable : suitable && anySuitable;
                }
            }
            count.alone += byItself ? 1 : 0;
            count.suitable += suitable && (suits || !demand.isAmount()) ? 1 : 0;
            count.left += alive && met ? 1 : 0;
            if (alive && !met) {
                count.removes(root);
            }
            if (!byItself) {
                unmet.set(at);
            }
            alive &= met;
            suits &= met || demand.isAmount();
        }
        return unmet;
    }
}
