package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.regex.Pattern;

/** Parses integers as flavors may spell them: surrounding blanks, a sign, single underscores between digits. */
public final class IntegerText {
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+(_[0-9]+)*");
    /** The limit in characters: enough for a long with leading zeros, and a bound on the work for hostile text. */
    private static final int LENGTH_MAX = 64;

    private IntegerText() {}

    /** Returns null if the text is not an integer or does not fit a long. */
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
