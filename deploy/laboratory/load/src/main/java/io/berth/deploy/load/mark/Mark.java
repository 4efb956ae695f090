package io.berth.deploy.load.mark;

import java.util.Locale;

/**
 * A measured figure of Berth's performance and its target.
 *
 * @param label what was measured, in words
 * @param measured the measured figure with its unit; if the ratio is NaN, the reason, perhaps after the figure
 * @param reference what the figure is compared with, in words, followed by its own figure; empty if the target is
 *         absolute
 * @param compared the number that is compared with the target: the ratio of both figures, or the measured figure if the
 *         target is absolute; NaN if one of them could not be measured
 * @param target the target
 * @param atMost whether the target is a maximum; otherwise it is a minimum
 * @param decimals digits after the decimal point when the ratio or the target is shown; whole numbers are shown without
 */
public record Mark(
        String label, String measured, String reference, double compared, double target, boolean atMost, int decimals) {

    public static Mark atLeast(String label, String measured, String reference, double compared, double target) {
        return new Mark(label, measured, reference, compared, target, false, target >= 20 ? 0 : 2);
    }

    public static Mark atMost(String label, String measured, String reference, double compared, double target) {
        return new Mark(label, measured, reference, compared, target, true, target >= 20 ? 0 : 2);
    }

    /** Returns a mark that this run could not measure. */
    public static Mark notMeasured(String label, String reason, double target, boolean atMost) {
        return new Mark(label, reason, "", Double.NaN, target, atMost, 0);
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
        return (atMost ? compared <= target : compared >= target) ? Verdict.HOLDS : Verdict.MISSED;
    }

    public String comparedText() {
        return Double.isNaN(compared) ? "-" : number(compared);
    }

    public String targetText() {
        return (atMost ? "at most " : "at least ") + number(target);
    }

    private String number(double value) {
        return String.format(Locale.ROOT, "%,." + (value == Math.rint(value) ? 0 : decimals) + "f", value);
    }
}
