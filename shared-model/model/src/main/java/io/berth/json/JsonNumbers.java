package io.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import jakarta.annotation.Nullable;
import java.io.IOException;

/**
 * Writes numbers of decisions as JSON. Options and metadata may hold infinity and "not a number", which JSON cannot
 * express.
 */
public final class JsonNumbers {
    private JsonNumbers() {}

    /** Writes a member: infinity as the greatest finite number, with its sign; "not a number" as null. */
    public static void write(JsonGenerator json, String name, double value) throws IOException {
        Double finite = finite(value);
        if (finite == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, finite);
        }
    }

    private static @Nullable Double finite(double value) {
        return Double.isNaN(value) ? null : Double.valueOf(Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
    }
}
