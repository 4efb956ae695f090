package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.Alignment;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One pass of all weighers over the survivors of a round, at least two. Where an earlier ranking is given, repeatable
 * weighers are asked about the hosts that are new since, and columns that stay the same are shared with it.
 *
 * @param shape of the request, which repeatable weighers see
 * @param before null: nothing is known
 */
record Weighing(
        List<HostState> hosts,
        RequestSpec spec,
        RequestSpec shape,
        Options options,
        @Nullable Alignment alignment,
        @Nullable Ranking.Ranked before) {

    Ranking rank(List<HostWeigher> weighers) {
        double[] weights = new double[hosts.size()];
        var steps = new ArrayList<WeigherStep>(weighers.size());
        for (int w = 0; w < weighers.size(); w++) {
            HostWeigher weigher = weighers.get(w);
            int hindered = firstObstacle(weigher);
            if (hindered >= 0) {
                HostState host = hosts.get(hindered);
                return new Ranking.Failed(
                        hosts, steps, weigher.name(), host, weigher.obstacle(host, specFor(weigher), options));
            }
            WeigherStep known = carries(weigher) ? before.steps().get(w) : null;
            WeigherStep step = known == null ? weighed(weigher) : weighedAgain(weigher, known);
            step = step == known ? known : step.sharing(steps);
            step.addTo(weights);
            steps.add(step);
        }
        return new Ranking.Ranked(hosts, steps, new RankedHosts(hosts, weights));
    }

    private boolean carries(HostWeigher weigher) {
        return before != null && weigher instanceof Repeatable;
    }

    private RequestSpec specFor(HostWeigher weigher) {
        return weigher instanceof Repeatable ? shape : spec;
    }

    /** Position of the first host that cannot be weighed, -1 for none. Hosts of an earlier ranking could be. */
    private int firstObstacle(HostWeigher weigher) {
        RequestSpec asked = specFor(weigher);
        if (carries(weigher)) {
            for (int i : alignment.newPositions()) {
                if (weigher.obstacle(hosts.get(i), asked, options) != null) {
                    return i;
                }
            }
            return -1;
        }
        for (int i = 0; i < hosts.size(); i++) {
            if (weigher.obstacle(hosts.get(i), asked, options) != null) {
                return i;
            }
        }
        return -1;
    }

    private WeigherStep weighed(HostWeigher weigher) {
        double[] raw = new double[hosts.size()];
        double[] multiplier = new double[hosts.size()];
        RequestSpec asked = specFor(weigher);
        for (int i = 0; i < raw.length; i++) {
            raw[i] = weigher.raw(hosts.get(i), asked, options);
            multiplier[i] = weigher.multiplier(hosts.get(i), options);
        }
        Normalization.clamp(raw, weigher.minimum());
        return new WeigherStep(
                weigher.name(), raw, Normalization.normalize(raw, weigher.minimum()), multiplier);
    }

    private WeigherStep weighedAgain(HostWeigher weigher, WeigherStep known) {
        double[] raw = alignment.isInPlace() ? known.raw() : alignment.carried(known.raw());
        double[] multiplier = alignment.isInPlace() ? known.multiplier() : alignment.carried(known.multiplier());
        for (int i : alignment.newPositions()) {
            HostState host = hosts.get(i);
            raw = with(raw, known.raw(), i, Math.max(weigher.raw(host, shape, options), weigher.minimum()));
            multiplier = with(multiplier, known.multiplier(), i, weigher.multiplier(host, options));
        }
        if (raw == known.raw() && multiplier == known.multiplier()) {
            return known;
        }
        double[] normalized =
                raw == known.raw() ? known.normalized() : Normalization.normalize(raw, weigher.minimum());
        return new WeigherStep(known.name(), raw, normalized, multiplier);
    }

    /** The column with a value; a shared one is copied before it changes. */
    private static double[] with(double[] column, double[] shared, int position, double value) {
        if (Double.compare(column[position], value) == 0) {
            return column;
        }
        double[] own = column == shared ? Arrays.copyOf(column, column.length) : column;
        own[position] = value;
        return own;
    }
}
