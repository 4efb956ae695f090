package io.berth.deploy.load.mark;

import java.util.Locale;

/**
 * A measured figure of Berth's performance and its target.
 *
 * @param label what was measured, in words
 * @param measured the measured figure with its unit; if the comparison is impossible, the reason, which may follow the
 *         figure
 * @param reference the figure with which the measured figure is compared, in words and with its value; empty if the
 *         target is for the measured figure itself
 * @param compared the number that is compared with the target: the ratio of the two figures, or the measured figure
 *         itself if there is no reference; NaN if it could not be measured
 * @param isMaximum whether the target is a maximum; otherwise it is a minimum
 */
public record Mark(
        String label, String measured, String reference, double compared, double target, boolean isMaximum) {
    public static Mark atLeast(String label, String measured, String reference, double compared, double target) {
        return new Mark(label, measured, reference, compared, target, false);
    }

    public static Mark atMost(String label, String measured, String reference, double compared, double target) {
        return new Mark(label, measured, reference, compared, target, true);
    }

    /** Returns a mark that this run could not measure. */
    public static Mark notMeasured(String label, String reason, double target, boolean isMaximum) {
        return new Mark(label, reason, "", Double.NaN, target, isMaximum);
    }

    /** The result of comparing a figure with its target. */
    public enum Verdict {
        HOLDS("holds"),
        MISSED("missed"),
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    public Verdict verdict() {
        if (Double.isNaN(compared)) {
            return Verdict.NOT_MEASURED;
        }
        return (isMaximum ? compared <= target : compared >= target) ? Verdict.HOLDS : Verdict.MISSED;
    }

    public String comparedText() {
        return Double.isNaN(compared) ? "-" : number(compared);
    }

    public String targetText() {
        return (isMaximum ? "at most " : "at least ") + number(target);
    }

    /** Renders a number with two decimals if it is not whole and the target is below 20, otherwise without decimals. */
    private String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) || target >= 20 ? "%,.0f" : "%,.2f", value);
    }
}
