package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.spi.HostWeigher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates arrays with one number for each host of a round, in the order of the hosts. Many arrays have the same number
 * for all hosts; arrays with the same constant are shared. The metadata of aggregates are read once for all hosts that
 * share one list object of aggregates.
 */
final class WeightColumns {
    private final int size;
    private final Map<Double, double[]> constants = new HashMap<>();
    /** For each host, the index of its list of aggregates in {@link #aggregates}. */
    private final int[] groups;

    /** The distinct list objects of the hosts' aggregates. */
    private final List<List<HostAggregate>> aggregates = new ArrayList<>();

    WeightColumns(List<HostState> hosts) {
        size = hosts.size();
        groups = new int[size];
        IdentityHashMap<List<HostAggregate>, Integer> groupByAggregates = new IdentityHashMap<>();
        for (int i = 0; i < size; i++) {
            List<HostAggregate> hostAggregates = hosts.get(i).aggregates();
            Integer group = groupByAggregates.get(hostAggregates);
            if (group == null) {
                group = aggregates.size();
                groupByAggregates.put(hostAggregates, group);
                aggregates.add(hostAggregates);
            }
            groups[i] = group;
        }
    }

    /** Returns an array of this number for all hosts. Arrays are shared, so the caller must not change them. */
    double[] constant(double number) {
        return constants.computeIfAbsent(number, _ -> {
            double[] column = new double[size];
            Arrays.fill(column, number);
            return column;
        });
    }

    /** Returns the multiplier of a weigher for each host. The caller must not change the array. */
    double[] multipliers(HostWeigher weigher, Options options) {
        double[] byGroup = new double[aggregates.size()];
        boolean isConstant = true;
        for (int group = 0; group < byGroup.length; group++) {
            byGroup[group] = weigher.multiplier(aggregates.get(group), options);
            isConstant = isConstant && Double.compare(byGroup[group], byGroup[0]) == 0;
        }
        if (isConstant) {
            return constant(byGroup[0]);
        }
        double[] column = new double[size];
        for (int i = 0; i < size; i++) {
            column[i] = byGroup[groups[i]];
        }
        return column;
    }
}
