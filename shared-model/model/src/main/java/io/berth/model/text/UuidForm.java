package io.berth.model.text;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Parses uuids strictly. {@link UUID#fromString} also accepts shortened forms. */
public final class UuidForm {
    private static final int LENGTH = 36;
    private static final Pattern DIGITS = Pattern.compile("[0-9a-fA-F]{32}");

    private UuidForm() {}

    /** Parses the usual form of 36 characters, in either case. Empty for any other form. */
    public static Optional<UUID> find(String text) {
        return find(text, true);
    }

    /** Parses the form that {@link UUID#toString} writes, in lower case. Empty for any other form. */
    public static Optional<UUID> findCanonical(String text) {
        return find(text, false);
    }

    /** Parses 32 hexadecimal digits in either case, with dashes anywhere among them. Empty for any other form. */
    public static Optional<UUID> findDigits(String text) {
        String digits = text.replace("-", "");
        return DIGITS.matcher(digits).matches()
                ? Optional.of(new UUID(
                        Long.parseUnsignedLong(digits, 0, 16, 16), Long.parseUnsignedLong(digits, 16, 32, 16)))
                : Optional.empty();
    }

    private static Optional<UUID> find(String text, boolean anyCase) {
        if (text.length() != LENGTH) {
            return Optional.empty();
        }
        long mostSignificant = 0;
        long leastSignificant = 0;
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return Optional.empty();
                }
                continue;
            }
            int digit = digit(c, anyCase);
            if (digit < 0) {
                return Optional.empty();
            }
            if (i < 18) {
                mostSignificant = mostSignificant << 4 | digit;
            } else {
                leastSignificant = leastSignificant << 4 | digit;
            }
        }
        return Optional.of(new UUID(mostSignificant, leastSignificant));
    }

    private static int digit(char c, boolean anyCase) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        return anyCase && c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    }
}
