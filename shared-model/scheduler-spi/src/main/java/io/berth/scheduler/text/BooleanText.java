package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;
import java.util.Set;

/** Parses booleans of flavors, images and device tags. Case and surrounding blanks are ignored. */
public final class BooleanText {
    private static final Set<String> TRUE = Set.of("1", "t", "true", "on", "y", "yes");
    private static final Set<String> FALSE = Set.of("0", "f", "false", "off", "n", "no");

    private BooleanText() {}

    /** Returns true for 1, t, true, on, y and yes; false for any other value and null. */
    public static boolean isTrue(@Nullable Object value) {
        return value != null && TRUE.contains(normalize(value));
    }

    /** Returns the boolean; null if the value is neither a spelling of true nor 0, f, false, off, n or no. */
    public static @Nullable Boolean find(@Nullable Object value) {
        if (isTrue(value)) {
            return true;
        }
        return value != null && FALSE.contains(normalize(value)) ? false : null;
    }

    private static String normalize(Object value) {
        return value.toString().strip().toLowerCase(Locale.ROOT);
    }
}
