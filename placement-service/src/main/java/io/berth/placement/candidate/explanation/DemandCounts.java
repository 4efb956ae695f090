package io.berth.placement.candidate.explanation;

import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Counts, for each demand, the trees that meet it by itself, and the trees that remain after it and all demands before
 * it. A demand counts as met if any provider meets it, so conflicts between several groups are not noticed here. {@link
 * #count} is called once for each tree; its cost is the tree's providers times the demands.
 */
final class DemandCounts {
    private final Demands demands;
    private final Neighbors neighbors;
    private final List<DemandCount> counts = new ArrayList<>();
    private final int partCount;
    /** The classes that each part takes. */
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
     * Returns the providers that have all classes of the part, whatever its conditions are; all providers if none of
     * them does.
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

    List<DemandCount> list() {
        return counts;
    }

    /**
     * Counts the tree and returns the demands that no provider meets by itself. The tree is not a candidate as long as
     * the query has one of them.
     */
    BitSet count(ProviderTree tree) {
        Provider root = tree.root();
        Provider[] providers = neighbors.of(tree);
        // For each part the providers that meet the demands so far.
        BitSet[] open = new BitSet[partCount];
        for (int part = 0; part < partCount; part++) {
            open[part] = able(part, providers);
        }
        var unmet = new BitSet(demands.size());
        boolean alive = true;
        // Whether the tree satisfies every non-quantitative demand.
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
