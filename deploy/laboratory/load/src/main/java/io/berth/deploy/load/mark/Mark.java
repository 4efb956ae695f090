package io.berth.deploy.load.mark;

import java.util.Locale;

/**
 * One target of a run.
 *
 * @param what was measured
 * @param measured the figure with its unit
 * @param against what it is compared with, with its figure; empty if the wanted figure is absolute
 * @param ratio the figure that decides, compared with {@code wanted}; NaN if it could not be measured
 * @param wanted the minimum, or the maximum if {@code atMost}
 * @param decimals digits of the ratio after the point
 */
public record Mark(
        String what, String measured, String against, double ratio, double wanted, boolean atMost, int decimals) {

    public static Mark atLeast(String what, String measured, String against, double ratio, double wanted) {
        return new Mark(what, measured, against, ratio, wanted, false, wanted >= 20 ? 0 : 2);
    }

    public static Mark atMost(String what, String measured, String against, double ratio, double wanted) {
        return new Mark(what, measured, against, ratio, wanted, true, wanted >= 20 ? 0 : 2);
    }

    /** Returns the mark of a figure that this run could not measure. */
    public static Mark notMeasured(String what, String why, double wanted, boolean atMost) {
        return new Mark(what, why, "", Double.NaN, wanted, atMost, 0);
    }

    /** The result. */
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
        if (Double.isNaN(ratio)) {
            return Verdict.NOT_MEASURED;
        }
        return (atMost ? ratio <= wanted : ratio >= wanted) ? Verdict.HOLDS : Verdict.MISSED;
    }

    public String ratioText() {
        return Double.isNaN(ratio) ? "-" : number(ratio);
    }

    public String wantedText() {
        return (atMost ? "at most " : "at least ") + number(wanted);
    }

    private String number(double value) {
        return String.format(Locale.ROOT, "%,." + (value == Math.rint(value) ? 0 : decimals) + "f", value);
    }
}
