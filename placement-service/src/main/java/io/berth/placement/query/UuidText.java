package io.berth.placement.query;

import io.berth.model.text.UuidForm;
import io.berth.placement.http.Schema;
import java.util.UUID;

/** Parses uuids as clients write them. */
public final class UuidText {
    private UuidText() {}

    /** Parses the form that the service itself writes: 36 characters, lower case. Returns null for any other form. */
    public static UUID parseCanonical(String text) {
        return UuidForm.findCanonical(text).orElse(null);
    }

    /**
     * Parses any form that upstream accepts as a uuid, such as upper case, without dashes, or in braces. Returns null
     * for other texts.
     */
    public static UUID parseLenient(String text) {
        UUID canonical = parseCanonical(text);
        if (canonical != null || !Schema.isUuidLike(text)) {
            return canonical;
        }
        return UuidForm.findDigits(Schema.uuidDigits(text)).orElse(null);
    }
}
