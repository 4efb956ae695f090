package io.berth.placement.candidate.answer;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A growing buffer of JSON text in UTF-8. Grows by further chunks, so that a large answer is copied once, at the end.
 * For one thread.
 */
public final class JsonBytes {
    private final ByteArrayBuilder out = new ByteArrayBuilder();
    private long length;
    private byte last;

    /** Bytes written so far. */
    public long length() {
        return length;
    }

    public JsonBytes put(char ascii) {
        out.append(ascii);
        length++;
        last = (byte) ascii;
        return this;
    }

    /** @param bytes one at least */
    public JsonBytes put(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        length += bytes.length;
        last = bytes[bytes.length - 1];
        return this;
    }

    public JsonBytes put(String ascii) {
        return put(ascii.getBytes(StandardCharsets.ISO_8859_1));
    }

    public JsonBytes put(long number) {
        if (number < 0 || number > 999) {
            return put(Long.toString(number));
        }
        // Counts of whole fleets are written by it.
        if (number > 99) {
            put((char) ('0' + number / 100));
        }
        if (number > 9) {
            put((char) ('0' + number / 10 % 10));
        }
        return put((char) ('0' + number % 10));
    }

    /** In quotes, lower case with dashes. */
    public JsonBytes put(UUID uuid) {
        return put('"').put(uuid.toString()).put('"');
    }

    /** A comma, unless the next is the first of its object or array. */
    public JsonBytes next() {
        return last == '{' || last == '[' ? this : put(',');
    }

    /** All of it, at most 2 GiB; once. */
    public byte[] toByteArray() {
        return out.toByteArray();
    }
}
