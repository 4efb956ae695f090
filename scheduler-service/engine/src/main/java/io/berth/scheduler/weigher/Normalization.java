package io.berth.scheduler.weigher;

/**
 * Scales the raw values of one weigher to the range of 0 to 1.
 * <br>Source: nova {@code weights.py} (normalize).
 */
final class Normalization {
    private Normalization() {}

    /**
     * Maps the lowest value to 0 and the highest to 1, linearly; maps all values to 0 if the lowest and the highest are
     * equal.
     *
     * @param raw the raw values of all hosts, none below {@code minimum}
     * @param minimum counts as the lowest value even if no host has it; negative infinity if there is no bound
     */
    static double[] normalize(double[] raw, double minimum) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double value : raw) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        low = minimum == Double.NEGATIVE_INFINITY ? low : minimum;
        double[] normalized = new double[raw.length];
        if (low != high) {
            for (int i = 0; i < raw.length; i++) {
                normalized[i] = (raw[i] - low) / (high - low);
            }
        }
        return normalized;
    }
}
