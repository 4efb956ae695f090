package io.berth.scheduler.weigher;

import java.util.Arrays;

/**
 * The values of one weigher for all weighed hosts, as arrays in the order of the weighed hosts. Steps may share arrays,
 * so callers must not change them.
 *
 * @param raw the raw values, raised to the weigher's minimum
 * @param normalized the normalized values, 0 to 1; a raw value that is infinite or not a number may become NaN
 * @param multiplier the multiplier for each host; the host's aggregates may override the option
 */
public record WeigherStep(String name, double[] raw, double[] normalized, double[] multiplier) {
    /**
     * Returns the weight that this weigher contributes to a host.
     *
     * @param host position of the host
     */
    public double score(int host) {
        return multiplier[host] * normalized[host];
    }

    /** Returns this step for only the hosts at these positions, in this order. */
    public WeigherStep atPositions(int[] positions) {
        return new WeigherStep(name, atPositions(raw, positions), atPositions(normalized, positions),
                atPositions(multiplier, positions));
    }

    private static double[] atPositions(double[] column, int[] positions) {
        return Arrays.stream(positions).mapToDouble(position -> column[position]).toArray();
    }

    /** Adds the contribution of this weigher to the weight of each host. */
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
