package io.berth.scheduler.weigher;

import java.util.Arrays;
import java.util.List;

/**
 * What one weigher made of the surviving hosts; arrays go by the order in which the hosts entered the weighing. They
 * may be shared with other steps and are not to be changed.
 *
 * @param raw after the weigher's own minimum
 * @param normalized 0 to 1
 * @param multiplier per host, aggregates heeded
 */
public record WeigherStep(String name, double[] raw, double[] normalized, double[] multiplier) {
    /** What the host at that position gains. */
    public double score(int host) {
        return multiplier[host] * normalized[host];
    }

    /** Adds the score of every host to its sum. */
    void addTo(double[] weights) {
        for (int i = 0; i < weights.length; i++) {
            weights[i] += multiplier[i] * normalized[i];
        }
    }

    /** The same step; a column that an earlier step has too, mostly one of zeros or ones, is that step's. */
    WeigherStep sharing(List<WeigherStep> earlier) {
        return new WeigherStep(name, shared(raw, earlier), shared(normalized, earlier), shared(multiplier, earlier));
    }

    private static double[] shared(double[] column, List<WeigherStep> earlier) {
        for (WeigherStep step : earlier) {
            for (double[] candidate : List.of(step.raw, step.normalized, step.multiplier)) {
                if (Arrays.equals(column, candidate)) {
                    return candidate;
                }
            }
        }
        return column;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WeigherStep step
                && name.equals(step.name)
                && Arrays.equals(raw, step.raw)
                && Arrays.equals(normalized, step.normalized)
                && Arrays.equals(multiplier, step.multiplier);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(raw) + name.hashCode();
    }
}
