package io.berth.placement.query;

import io.berth.model.text.UuidForm;
import io.berth.placement.http.Schema;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** Parses uuids in requests. */
public final class UuidText {
    private UuidText() {}

    /** Parses the canonical form: 36 characters, lower case with dashes. Returns null for any other text. */
    public static @Nullable UUID parseCanonical(String text) {
        return UuidForm.findCanonical(text).orElse(null);
    }

    /**
     * Parses any form that upstream accepts as a uuid, such as upper case, without dashes, or in braces. Returns null
     * for any other text.
     */
    public static @Nullable UUID parseLenient(String text) {
        UUID canonical = parseCanonical(text);
        if (canonical != null || !Schema.isUuidLike(text)) {
            return canonical;
        }
        return UuidForm.findDigits(Schema.uuidDigits(text)).orElse(null);
    }
}
