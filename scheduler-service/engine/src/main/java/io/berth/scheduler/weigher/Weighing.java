package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Constant;
import io.berth.scheduler.spi.ExactingWeigher;
import io.berth.scheduler.spi.HostWeigher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Runs all weighers over the hosts that passed the filters of a round, one weigher after the other.
 *
 * @param hosts at least two
 */
record Weighing(List<HostState> hosts, RequestSpec spec, Options options, WeigherTimes times) {

    Ranking rank(List<HostWeigher> weighers) {
        HostState[] hostArray = hosts.toArray(HostState[]::new);
        WeightColumns columns = new WeightColumns(hosts);
        double[] weights = new double[hosts.size()];
        var steps = new ArrayList<WeigherStep>(weighers.size());
        long stepStart = System.nanoTime();
        for (HostWeigher weigher : weighers) {
            if (weigher instanceof ExactingWeigher exacting) {
                for (HostState host : hosts) {
                    String obstacle = exacting.obstacle(host, spec, options);
                    if (obstacle != null) {
                        return new Ranking.Failed(hosts, steps, weigher.name(), host, obstacle);
                    }
                }
            }
            WeigherStep step = weigh(weigher, hostArray, columns);
            step.addTo(weights);
            steps.add(step);
            long stepEnd = System.nanoTime();
            times.weighed(weigher.name(), hosts.size(), stepEnd - stepStart);
            stepStart = stepEnd;
        }
        return new Ranking.Ranked(hosts, steps, new RankedHosts(hosts, weights));
    }

    private WeigherStep weigh(HostWeigher weigher, HostState[] hostArray, WeightColumns columns) {
        double minimum = weigher.minimum();
        double[] multiplier = columns.multipliers(weigher, options);
        ToDoubleFunction<HostState> measure = weigher.prepare(spec, options);
        boolean isConstant = measure instanceof Constant;
        double[] raw = new double[isConstant ? 1 : hostArray.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = Math.max(measure.applyAsDouble(hostArray[i]), minimum);
        }
        double[] normalized = Normalization.normalize(raw, minimum);
        return isConstant
                ? new WeigherStep(weigher.name(), columns.constant(raw[0]), columns.constant(normalized[0]), multiplier)
                : new WeigherStep(weigher.name(), raw, normalized, multiplier);
    }
}
