package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/** Estimates the heap bytes of JSON and of maps and lists of plain values. */
final class HeapEstimate {
    /**
     * Bytes of a string without its characters. The next constants are the bytes of an object or list, of a member of
     * an object without its name and value, and of an element of a list without its value.
     */
    private static final int TEXT_BYTES = 40;
    private static final int CONTAINER_BYTES = 64;
    private static final int ENTRY_BYTES = 48;
    private static final int ITEM_BYTES = 4;
    /** Bytes of any other value, such as a number, and of the JsonNode of a string. */
    private static final int OTHER_BYTES = 24;

    private HeapEstimate() {}

    /**
     * Returns the estimated heap bytes of a value.
     *
     * @param value null (0 bytes), a string, number, boolean or JsonNode, or a map by name or a list of such values
     */
    static long of(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case String text -> TEXT_BYTES + text.length();
            case JsonNode text when text.isTextual() -> OTHER_BYTES + of(text.textValue());
            case JsonNode object when object.isObject() -> CONTAINER_BYTES
                    + object.properties().stream().mapToLong(each -> entry(each.getKey(), each.getValue())).sum();
            case JsonNode list when list.isArray() -> list(list);
            case Map<?, ?> map -> CONTAINER_BYTES
                    + map.entrySet().stream().mapToLong(each -> entry(each.getKey(), each.getValue())).sum();
            case List<?> list -> list(list);
            default -> OTHER_BYTES;
        };
    }

    private static long entry(Object name, @Nullable Object value) {
        return ENTRY_BYTES + of(name) + of(value);
    }

    private static long list(Iterable<?> items) {
        long bytes = CONTAINER_BYTES;
        for (Object item : items) {
            bytes += ITEM_BYTES + of(item);
        }
        return bytes;
    }
}
