package io.berth.placement.query;

import io.berth.placement.http.Schema;
import java.math.BigInteger;
import java.util.UUID;

/** Uuids as clients write them. */
public final class UuidText {
    private static final int CANONICAL_LENGTH = 36;

    private UuidText() {}

    /**
     * Null unless the text is the canonical lower-case form with dashes: in paths and references to providers
     * upstream compares texts, so no other form names a provider.
     */
    public static UUID canonical(String text) {
        if (text.length() != CANONICAL_LENGTH || !Schema.isUuidLike(text)) {
            return null;
        }
        UUID uuid = parse(text);
        return uuid.toString().equals(text) ? uuid : null;
    }

    /** Any form that {@link Schema#isUuidLike} takes; anything else is a bug of the caller. */
    public static UUID parse(String uuidLike) {
        String digits = uuidLike.replace("urn:", "").replace("uuid:", "").replaceAll("[{}-]", "");
        return new UUID(new BigInteger(digits.substring(0, 16), 16).longValue(), new BigInteger(digits.substring(16), 16).longValue());
    }
}
