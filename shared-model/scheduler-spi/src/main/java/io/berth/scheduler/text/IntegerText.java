package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.regex.Pattern;

/** Parses integers as Python does: accepts surrounding blanks, a sign, and single underscores between digits. */
public final class IntegerText {
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+(_[0-9]+)*");
    /**
     * Maximum length in characters; a longer text is no integer. Sufficient for a long with leading zeros, and bounds
     * the work for hostile text.
     */
    private static final int LENGTH_MAX = 64;

    private IntegerText() {}

    /** Returns the integer; null if the text is null, not an integer, or out of the range of a long. */
    public static @Nullable Long parse(@Nullable String text) {
        if (text == null || text.length() > LENGTH_MAX) {
            return null;
        }
        String trimmed = text.strip();
        if (!INTEGER.matcher(trimmed).matches()) {
            return null;
        }
        try {
            return Long.valueOf(trimmed.replace("_", ""));
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }
}
