package io.berth.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A microversion of the Placement API, {@code 1.0} to {@code 1.39}. Ordered. */
public record Microversion(int major, int minor) implements Comparable<Microversion> {
    public static final Microversion MIN = new Microversion(1, 0);
    public static final Microversion MAX = new Microversion(1, 39);

    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,4}|0)\\.(\\d{1,5})");

    /** Empty when the text is not two numbers with a dot between. */
    public static Optional<Microversion> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new Microversion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    public boolean isSupported() {
        return compareTo(MIN) >= 0 && compareTo(MAX) <= 0;
    }

    /** True from {@code 1.minor} on. */
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
