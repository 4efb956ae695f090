package io.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collection;

/** Writes lists, item by item. */
public final class JsonLists {
    private JsonLists() {}

    /** Writes one value of a list, or what stands in an object or a list that is one. */
    @FunctionalInterface
    public interface ItemWriter<T> {
        void write(T item) throws IOException;
    }

    /** A value: a list. */
    public static <T> void writeArray(JsonGenerator json, Iterable<T> items, ItemWriter<T> value) throws IOException {
        json.writeStartArray();
        for (T item : items) {
            value.write(item);
        }
        json.writeEndArray();
    }

    /** A member: a list. */
    public static <T> void writeArray(JsonGenerator json, String name, Iterable<T> items, ItemWriter<T> value)
            throws IOException {
        json.writeFieldName(name);
        writeArray(json, items, value);
    }

    /** A member: a list of texts. */
    public static void writeTexts(JsonGenerator json, String name, Iterable<?> texts) throws IOException {
        writeArray(json, name, texts, text -> json.writeString(text.toString()));
    }

    /** The same; no member where there are none. */
    public static void writeTextsIfAny(JsonGenerator json, String name, Collection<?> texts) throws IOException {
        if (!texts.isEmpty()) {
            writeTexts(json, name, texts);
        }
    }

    /** A member: a list of objects, of each its members. */
    public static <T> void writeObjects(JsonGenerator json, String name, Iterable<T> items, ItemWriter<T> members)
            throws IOException {
        writeArray(json, name, items, item -> {
            json.writeStartObject();
            members.write(item);
            json.writeEndObject();
        });
    }

    /** A member: a list of lists, of each its values. */
    public static <T> void writeRows(JsonGenerator json, String name, Iterable<T> items, ItemWriter<T> values)
            throws IOException {
        writeArray(json, name, items, item -> {
            json.writeStartArray();
            values.write(item);
            json.writeEndArray();
        });
    }
}
