package io.berth.placement.query;

import io.berth.placement.http.Schema;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** Uuids as clients write them. */
public final class UuidText {
    private static final Pattern CANONICAL =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern DECORATION = Pattern.compile("urn:|uuid:|[-{}]");

    private UuidText() {}

    /** As the service itself writes them: 36 characters, lower case. Null for any other form: it names nothing. */
    public static UUID parseCanonical(String text) {
        return CANONICAL.matcher(text).matches() ? UUID.fromString(text) : null;
    }

    /** Any form that upstream takes for a uuid: upper case, without dashes, in braces. Null when it is none. */
    public static UUID parseLenient(String text) {
        if (!Schema.isUuidLike(text)) {
            return null;
        }
        String digits = DECORATION.matcher(text).replaceAll("").toLowerCase(Locale.ROOT);
        return new UUID(Long.parseUnsignedLong(digits, 0, 16, 16), Long.parseUnsignedLong(digits, 16, 32, 16));
    }
}
