package io.berth.scheduler.weigher;

import java.util.Arrays;

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

    /** The same of these positions alone, in this order. */
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
