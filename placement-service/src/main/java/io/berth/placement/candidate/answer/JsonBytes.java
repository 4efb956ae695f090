package io.berth.placement.candidate.answer;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A growing buffer of JSON text in UTF-8. Grows by further chunks, so that a large answer is copied once, at the end.
 * For one thread.
 */
final class JsonBytes {
    private final ByteArrayBuilder out = new ByteArrayBuilder();
    private long length;
    private byte last;

    /** Bytes written so far. */
    long length() {
        return length;
    }

    JsonBytes put(char ascii) {
        out.append(ascii);
        length++;
        last = (byte) ascii;
        return this;
    }

    /** @param bytes one at least */
    JsonBytes put(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        length += bytes.length;
        last = bytes[bytes.length - 1];
        return this;
    }

    JsonBytes put(String ascii) {
        return put(ascii.getBytes(StandardCharsets.ISO_8859_1));
    }

    JsonBytes put(long number) {
        return put(Long.toString(number));
    }

    /** In quotes, lower case with dashes. */
    JsonBytes put(UUID uuid) {
        return put('"').put(uuid.toString()).put('"');
    }

    /** A comma, unless the next is the first of its object or array. */
    JsonBytes next() {
        return last == '{' || last == '[' ? this : put(',');
    }

    /** All of it, at most 2 GiB; once. */
    byte[] toByteArray() {
        return out.toByteArray();
    }
}
