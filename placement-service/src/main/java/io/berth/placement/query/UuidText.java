package io.berth.placement.query;

import io.berth.placement.http.Schema;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** Uuids as clients write them. */
public final class UuidText {
    private static final Pattern DECORATION = Pattern.compile("urn:|uuid:|[-{}]");
    private static final int LENGTH = 36;

    private UuidText() {}

    /** As the service itself writes them: 36 characters, lower case. Null for any other form: it names nothing. */
    public static UUID parseCanonical(String text) {
        if (text.length() != LENGTH) {
            return null;
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return null;
                }
                continue;
            }
            int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0) {
                return null;
            }
            if (i < 18) {
                high = high << 4 | digit;
            } else {
                low = low << 4 | digit;
            }
        }
        return new UUID(high, low);
    }

    /** Any form that upstream takes for a uuid: upper case, without dashes, in braces. Null when it is none. */
    public static UUID parseLenient(String text) {
        UUID canonical = parseCanonical(text);
        if (canonical != null || !Schema.isUuidLike(text)) {
            return canonical;
        }
        String digits = DECORATION.matcher(text).replaceAll("").toLowerCase(Locale.ROOT);
        return new UUID(Long.parseUnsignedLong(digits, 0, 16, 16), Long.parseUnsignedLong(digits, 16, 32, 16));
    }
}
