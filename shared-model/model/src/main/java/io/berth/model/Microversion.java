package io.berth.model;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A microversion of the Placement API, which may be one that the service does not support ({@link #isSupported}).
 * Ordered.
 */
public record Microversion(int major, int minor) implements Comparable<Microversion> {
    public static final Microversion MIN = new Microversion(1, 0);
    public static final Microversion MAX = new Microversion(1, 39);

    private static final Pattern FORM = Pattern.compile(
            "\\s*+([+-]?\\d++(?:_\\d++)*+)\\s*+\\.\\s*+([+-]?\\d++(?:_\\d++)*+)\\s*+");
    private static final BigInteger NUMBER_MAX = BigInteger.valueOf(99_999);

    /**
     * Parses two integers with a dot between them, as Python does: signs, leading zeros, surrounding blanks and an
     * underscore between digits are accepted. Empty for other texts. Negative numbers become -1 and numbers above
     * 99,999 become 99,999, neither of which is part of a supported version.
     */
    public static Optional<Microversion> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new Microversion(number(matcher.group(1)), number(matcher.group(2))))
                : Optional.empty();
    }

    private static int number(String text) {
        return new BigInteger(text.replace("_", "")).min(NUMBER_MAX).max(BigInteger.ONE.negate()).intValue();
    }

    /** Returns whether this is {@link #MIN}, {@link #MAX} or a microversion between them. */
    public boolean isSupported() {
        return compareTo(MIN) >= 0 && compareTo(MAX) <= 0;
    }

    /** Returns whether this is {@code 1.wantedMinor} or newer. */
    public boolean atLeast(int wantedMinor) {
        return major > 1 || (major == 1 && minor >= wantedMinor);
    }

    @Override
    public int compareTo(Microversion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
