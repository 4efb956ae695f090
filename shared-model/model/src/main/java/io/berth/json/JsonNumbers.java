package io.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import jakarta.annotation.Nullable;
import java.io.IOException;

/**
 * Numbers of decisions as JSON, which knows neither infinity nor "not a number": options and metadata may hold both.
 */
public final class JsonNumbers {
    private JsonNumbers() {}

    /** Infinity as the greatest number there is, with its sign; null for what is no number. */
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
