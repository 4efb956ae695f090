package io.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collection;

/** Writes lists as JSON, item by item. */
public final class JsonLists {
    private JsonLists() {}

    /**
     * Writes one item of a list: a whole value, or only the content of an object or list that the calling method has
     * begun.
     */
    @FunctionalInterface
    public interface ItemWriter<T> {
        void write(T item) throws IOException;
    }

    /** Writes a list as a value. */
    public static <T> void writeArray(JsonGenerator json, Iterable<T> items, ItemWriter<T> value) throws IOException {
        json.writeStartArray();
        for (T item : items) {
            value.write(item);
        }
        json.writeEndArray();
    }

    /** Writes a member whose value is a list. */
    public static <T> void writeArray(JsonGenerator json, String name, Iterable<T> items, ItemWriter<T> value)
            throws IOException {
        json.writeFieldName(name);
        writeArray(json, items, value);
    }

    /** Writes a member whose value is a list of texts. */
    public static void writeTexts(JsonGenerator json, String name, Iterable<?> texts) throws IOException {
        writeArray(json, name, texts, text -> json.writeString(text.toString()));
    }

    /** Writes a member whose value is a list of texts; no member for an empty list. */
    public static void writeTextsIfAny(JsonGenerator json, String name, Collection<?> texts) throws IOException {
        if (!texts.isEmpty()) {
            writeTexts(json, name, texts);
        }
    }

    /**
     * Writes a member whose value is a list of objects.
     *
     * @param members writes the members of one object
     */
    public static <T> void writeObjects(JsonGenerator json, String name, Iterable<T> items, ItemWriter<T> members)
            throws IOException {
        writeArray(json, name, items, item -> {
            json.writeStartObject();
            members.write(item);
            json.writeEndObject();
        });
    }

    /**
     * Writes a member whose value is a list of lists.
     *
     * @param values writes the values of one inner list
     */
    public static <T> void writeRows(JsonGenerator json, String name, Iterable<T> items, ItemWriter<T> values)
            throws IOException {
        writeArray(json, name, items, item -> {
            json.writeStartArray();
            values.write(item);
            json.writeEndArray();
        });
    }
}
