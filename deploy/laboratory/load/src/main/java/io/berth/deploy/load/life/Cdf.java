package io.berth.deploy.load.life;

/**
 * A cumulative distribution that was read off a published chart: ascending positive values, each with the percentage of
 * cases at or below it. Between two points, the logarithm of the value is uniformly distributed. No case lies outside
 * the first and the last point.
 */
final class Cdf {
    private static final int MEAN_STEPS = 10_000;

    private final double[] values;
    private final double[] percents;

    private Cdf(double[] values, double[] percents) {
        this.values = values;
        this.percents = percents;
    }

    /**
     * Returns the distribution through these points.
     *
     * @param points pairs of a value and its percentage, ascending; the last percentage is 100
     * @throws IllegalArgumentException if the points do not ascend, or do not end at 100 percent
     */
    static Cdf of(double... points) {
        double[] values = new double[points.length / 2];
        double[] percents = new double[points.length / 2];
        for (int i = 0; i < values.length; i++) {
            values[i] = points[2 * i];
            percents[i] = points[2 * i + 1];
            if (i > 0 && (values[i] <= values[i - 1] || percents[i] < percents[i - 1])) {
                throw new IllegalArgumentException("the points must ascend, but do not at " + values[i]);
            }
        }
        if (percents[percents.length - 1] != 100) {
            throw new IllegalArgumentException("the last point must be at 100 percent, not "
                    + percents[percents.length - 1]);
        }
        return new Cdf(values, percents);
    }

    /**
     * Returns the value that {@code percent} percent of the cases do not exceed.
     *
     * @param percent 0 to 100
     */
    double quantile(double percent) {
        int upper = 0;
        while (percents[upper] < percent) {
            upper++;
        }
        if (upper == 0) {
            return values[0];
        }
        double fraction = (percent - percents[upper - 1]) / (percents[upper] - percents[upper - 1]);
        return values[upper - 1] * Math.pow(values[upper] / values[upper - 1], fraction);
    }

    /** Returns the mean value, computed numerically. */
    double mean() {
        double sum = 0;
        for (int i = 0; i < MEAN_STEPS; i++) {
            sum += quantile(100 * (i + 0.5) / MEAN_STEPS);
        }
        return sum / MEAN_STEPS;
    }
}
