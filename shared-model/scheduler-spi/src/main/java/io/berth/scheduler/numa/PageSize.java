package io.berth.scheduler.numa;

import io.berth.scheduler.text.DerivedValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the page size that a flavor or image requests. The result is a size in KiB, or one of three negative codes for
 * a size that depends on the host.
 */
public final class PageSize {
    /** The code for the smallest size that the host cell has. */
    public static final int SMALL = -1;
    /** The code for the largest size that fits, except the smallest size of the host cell. */
    public static final int LARGE = -2;
    /** The code for the largest size that fits. */
    public static final int ANY = -3;

    private static final Pattern KIB = Pattern.compile("[0-9]+");
    private static final Pattern WITH_UNIT = Pattern.compile("(\\+?[0-9]*\\.?[0-9]+)(?:([KMGT])i?)?(b|bit|B)");
    private static final String PREFIXES = "KMGT";
    private static final BigDecimal KIB_IN_BYTES = BigDecimal.valueOf(1024);
    private static final BigDecimal BITS_IN_BYTE = BigDecimal.valueOf(8);
    /**
     * Maximum length of a size in characters, which bounds the arithmetic for hostile text; a longer text is refused.
     */
    private static final int LENGTH_MAX = 32;

    private PageSize() {}

    /**
     * Returns the word for a code in a flavor: small, large or any. Throws IllegalArgumentException for any other
     * number.
     */
    public static String word(int code) {
        return switch (code) {
            case SMALL -> "small";
            case LARGE -> "large";
            case ANY -> "any";
            default -> throw new IllegalArgumentException("no code of a page size: " + code);
        };
    }

    /**
     * Parses the words small, large and any, a number of KiB, or a size with a unit such as {@code 2MB}; refuses any
     * other text. Prefixes are binary (M is 2^20); B means bytes, b and bit mean bits. Fractions of a KiB are cut.
     */
    public static DerivedValue<Integer> parse(String text) {
        return switch (text) {
            case "small" -> new DerivedValue.Value<>(SMALL);
            case "large" -> new DerivedValue.Value<>(LARGE);
            case "any" -> new DerivedValue.Value<>(ANY);
            default -> parseSize(text);
        };
    }

    private static DerivedValue<Integer> parseSize(String text) {
        var refused = new DerivedValue.Refused<Integer>(
                "a memory page size must be small, large, any, a number of KiB or a size such as 2MB");
        if (text.length() > LENGTH_MAX) {
            return refused;
        }
        if (KIB.matcher(text).matches()) {
            return new DerivedValue.Value<>(clampToInt(new BigDecimal(text)));
        }
        Matcher size = WITH_UNIT.matcher(text);
        if (!size.matches()) {
            return refused;
        }
        BigDecimal bytes = new BigDecimal(size.group(1));
        if (!size.group(3).equals("B")) {
            bytes = bytes.divide(BITS_IN_BYTE);
        }
        if (size.group(2) != null) {
            bytes = bytes.multiply(KIB_IN_BYTES.pow(PREFIXES.indexOf(size.group(2)) + 1));
        }
        BigDecimal wholeBytes = bytes.setScale(0, RoundingMode.CEILING);
        return new DerivedValue.Value<>(clampToInt(wholeBytes.divide(KIB_IN_BYTES, 0, RoundingMode.FLOOR)));
    }

    /** Limits the size in KiB to the largest int, about 2 TiB, which is larger than the pages of any host. */
    private static int clampToInt(BigDecimal kib) {
        return kib.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
    }
}
