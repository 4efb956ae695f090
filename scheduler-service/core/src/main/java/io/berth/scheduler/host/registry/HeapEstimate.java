package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/** Estimates the heap bytes of JSON and of maps and lists of plain values. */
final class HeapEstimate {
    /** Bytes of a string without its characters; the other constants are bytes of one object or element, too. */
    private static final int TEXT = 40;
    private static final int CONTAINER = 64;
    private static final int ENTRY = 48;
    private static final int ITEM = 4;
    private static final int OTHER = 24;

    private HeapEstimate() {}

    /** @param value null (0 bytes), a string, number, boolean or JsonNode, or a map by name or a list of such values */
    static long of(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case String text -> TEXT + text.length();
            case JsonNode text when text.isTextual() -> OTHER + of(text.textValue());
            case JsonNode object when object.isObject() -> CONTAINER
                    + object.properties().stream().mapToLong(each -> entry(each.getKey(), each.getValue())).sum();
            case JsonNode list when list.isArray() -> list(list);
            case Map<?, ?> map -> CONTAINER
                    + map.entrySet().stream().mapToLong(each -> entry(each.getKey(), each.getValue())).sum();
            case List<?> list -> list(list);
            default -> OTHER;
        };
    }

    private static long entry(Object name, @Nullable Object value) {
        return ENTRY + of(name) + of(value);
    }

    private static long list(Iterable<?> items) {
        long bytes = CONTAINER;
        for (Object item : items) {
            bytes += ITEM + of(item);
        }
        return bytes;
    }
}
