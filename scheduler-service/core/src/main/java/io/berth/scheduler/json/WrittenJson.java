package io.berth.scheduler.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes JSON documents into memory, with helpers for optional members. */
public final class WrittenJson {
    private static final JsonFactory JSON = new ObjectMapper().getFactory();

    private WrittenJson() {}

    /** Writes one value, or members of the current object. */
    public interface Writing {
        void write(JsonGenerator json) throws IOException;
    }

    /** Returns the document in UTF-8. */
    public static byte[] bytes(Writing value) {
        try (var bytes = new ByteArrayBuilder()) {
            try (JsonGenerator json = JSON.createGenerator(bytes)) {
                value.write(json);
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
    }

    /** Returns an object with these members in UTF-8. */
    public static byte[] objectBytes(Writing members) {
        return bytes(object(members));
    }

    /** Returns an object with these members as text. */
    public static String objectText(Writing members) {
        var text = new StringWriter(1024);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            object(members).write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return text.toString();
    }

    /** Writes each number, rounded towards zero, as a member of the current object. */
    public static void writeNumbers(JsonGenerator json, Map<String, ? extends Number> numbers) throws IOException {
        for (Map.Entry<String, ? extends Number> each : numbers.entrySet()) {
            json.writeNumberField(each.getKey(), each.getValue().longValue());
        }
    }

    /** Writes a string member, unless the text is null. */
    public static void writeIfAny(JsonGenerator json, String name, @Nullable String text) throws IOException {
        if (text != null) {
            json.writeStringField(name, text);
        }
    }

    /** Writes a number member, unless the number is null. */
    public static void writeIfAny(JsonGenerator json, String name, @Nullable Double number) throws IOException {
        if (number != null) {
            json.writeNumberField(name, number);
        }
    }

    private static Writing object(Writing members) {
        return json -> {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        };
    }
}
