package io.berth.placement.query;

import io.berth.model.text.UuidForm;
import io.berth.placement.http.Schema;
import java.util.UUID;

/** Uuids as clients write them. */
public final class UuidText {
    private UuidText() {}

    /**
     * Parses the form that the service itself writes: 36 characters, lower case. Null for any other form, which matches
     * nothing.
     */
    public static UUID parseCanonical(String text) {
        return UuidForm.findCanonical(text).orElse(null);
    }

    /** Any form that upstream takes for a uuid: upper case, without dashes, in braces. Null when it is none. */
    public static UUID parseLenient(String text) {
        UUID canonical = parseCanonical(text);
        if (canonical != null || !Schema.isUuidLike(text)) {
            return canonical;
        }
        return UuidForm.findDigits(Schema.uuidDigits(text)).orElse(null);
    }
}
