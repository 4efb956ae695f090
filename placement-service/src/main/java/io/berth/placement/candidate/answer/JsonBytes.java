package io.berth.placement.candidate.answer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/**
 * A growing buffer of JSON text in UTF-8. It grows by adding chunks, so that a large response is not copied. Not
 * thread-safe.
 */
public final class JsonBytes {
    private static final int CHUNK_MIN = 500;
    private static final int CHUNK_MAX = 64 * 1024;

    /** All chunks are full but the last. */
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] chunk = {};
    private int used;
    private long length;
    private byte last;

    /** Returns the bytes written so far. */
    public long length() {
        return length;
    }

    public JsonBytes put(char ascii) {
        if (used == chunk.length) {
            begin();
        }
        chunk[used++] = (byte) ascii;
        length++;
        last = (byte) ascii;
        return this;
    }

    /** @param bytes at least one */
    public JsonBytes put(byte[] bytes) {
        for (int from = 0; from < bytes.length;) {
            if (used == chunk.length) {
                begin();
            }
            int some = Math.min(bytes.length - from, chunk.length - used);
            System.arraycopy(bytes, from, chunk, used, some);
            used += some;
            from += some;
        }
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
        // Writes small numbers without a string, because a response may have some for each provider of the fleet.
        if (number > 99) {
            put((char) ('0' + number / 100));
        }
        if (number > 9) {
            put((char) ('0' + number / 10 % 10));
        }
        return put((char) ('0' + number % 10));
    }

    /** Writes the uuid in quotes, in lower case with dashes. */
    public JsonBytes put(UUID uuid) {
        return put('"').put(uuid.toString()).put('"');
    }

    /** Writes a comma, unless the next element is the first of its object or array. */
    public JsonBytes next() {
        return last == '{' || last == '[' ? this : put(',');
    }

    private void begin() {
        chunk = new byte[Math.clamp(length, CHUNK_MIN, CHUNK_MAX)];
        chunks.add(chunk);
        used = 0;
    }

    /** Copies everything into one array, at most 2 GiB. */
    public byte[] toByteArray() {
        byte[] all = new byte[Math.toIntExact(length)];
        int from = 0;
        for (byte[] each : chunks) {
            int some = each == chunk ? used : each.length;
            System.arraycopy(each, 0, all, from, some);
            from += some;
        }
        return all;
    }

    /** Returns everything in parts of at most 64 KB, which must not be modified. */
    Iterator<byte[]> parts() {
        return chunks.stream().map(each -> each == chunk ? Arrays.copyOf(each, used) : each).iterator();
    }
}
