package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;
import java.util.Set;

/** Parses booleans as flavors and device tags spell them; case and surrounding blanks do not matter. */
public final class BooleanText {
    private static final Set<String> TRUE = Set.of("1", "t", "true", "on", "y", "yes");
    private static final Set<String> FALSE = Set.of("0", "f", "false", "off", "n", "no");

    private BooleanText() {}

    /** Returns false for everything that is not a spelling of true. */
    public static boolean isTrue(@Nullable Object value) {
        return value != null && TRUE.contains(normal(value));
    }

    /** Returns the boolean; null if the value spells neither true nor false. */
    public static @Nullable Boolean find(@Nullable Object value) {
        if (isTrue(value)) {
            return true;
        }
        return value != null && FALSE.contains(normal(value)) ? false : null;
    }

    private static String normal(Object value) {
        return value.toString().strip().toLowerCase(Locale.ROOT);
    }
}
