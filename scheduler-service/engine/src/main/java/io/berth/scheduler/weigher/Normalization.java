package io.berth.scheduler.weigher;

/**
 * Raw values of one weigher on the scale of 0 to 1.
 * <br>Source: nova {@code weights.py} (normalize).
 */
final class Normalization {
    private Normalization() {}

    /**
     * From the lowest value (0) to the highest (1); all 0 if they are the same.
     *
     * @param minimum counts as the lowest value even if no host has it; negative infinity: there is none
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
