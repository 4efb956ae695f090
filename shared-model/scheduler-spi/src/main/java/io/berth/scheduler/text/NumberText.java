package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.regex.Pattern;

/**
 * Parses floating-point numbers as Python does: accepts surrounding blanks, a sign, an exponent, single underscores
 * between digits, infinity and nan. Rejects hexadecimal numbers and type suffixes, which Java's parser accepts.
 */
public final class NumberText {
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(D(\\.D?)?|\\.D)([eE][+-]?D)?".replace("D", "(?:[0-9]+(?:_[0-9]+)*)"));
    private static final Pattern NAMED = Pattern.compile("(?i)([+-]?)(inf|infinity|nan)");
    /** Maximum length in characters, which bounds the work for hostile text; a longer text is no number. */
    private static final int LENGTH_MAX = 1024;

    private NumberText() {}

    /** Returns the number, which may be infinite or NaN; null if the text is not a number. */
    public static @Nullable Double parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return null;
        }
        String trimmed = text.strip();
        if (DECIMAL.matcher(trimmed).matches()) {
            return Double.valueOf(trimmed.replace("_", ""));
        }
        var named = NAMED.matcher(trimmed);
        if (!named.matches()) {
            return null;
        }
        if (named.group(2).equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        return named.group(1).equals("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
}
