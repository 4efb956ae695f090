package io.berth.scheduler.weigher;

import java.util.Arrays;

/**
 * The values of one weigher for the surviving hosts; the arrays follow the order in which the hosts entered the
 * weighing. Steps may share arrays, so callers must not change them.
 *
 * @param raw after the weigher's own minimum
 * @param normalized 0 to 1
 * @param multiplier per host, with the overrides of aggregates applied
 */
public record WeigherStep(String name, double[] raw, double[] normalized, double[] multiplier) {
    /** Returns the weight that this weigher adds to the host at that position. */
    public double score(int host) {
        return multiplier[host] * normalized[host];
    }

    /** Returns this step for these positions only, in this order. */
    public WeigherStep of(int[] positions) {
        return new WeigherStep(name, of(raw, positions), of(normalized, positions), of(multiplier, positions));
    }

    private static double[] of(double[] column, int[] positions) {
        return Arrays.stream(positions).mapToDouble(position -> column[position]).toArray();
    }

    /** Adds the score of every host to its sum. */
    void addTo(double[] weights) {
        for (int i = 0; i < weights.length; i++) {
            weights[i] += multiplier[i] * normalized[i];
        }
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
