package io.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import jakarta.annotation.Nullable;
import java.io.IOException;

/**
 * Writes floating-point numbers as JSON. Options and metadata of hosts may hold infinity and NaN, which JSON cannot
 * express.
 */
public final class JsonNumbers {
    private JsonNumbers() {}

    /** Writes a member. Infinity becomes the greatest finite number with the same sign, NaN becomes null. */
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
