package io.berth.placement.candidate.response;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/**
 * A growing buffer of JSON text in UTF-8. The buffer grows by further chunks, without a copy of the present content.
 * Not thread-safe.
 */
public final class JsonBytes {
    /** The bytes of the first chunk. A further chunk is as large as all chunks before it, up to the largest size. */
    private static final int CHUNK_MIN = 500;
    /** The bytes of the largest chunk. */
    private static final int CHUNK_MAX = 64 * 1024;

    /** The content, in order. All chunks but the last are full. */
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] chunk = {};
    private int used;
    private long length;
    private byte lastByte;

    /** Returns the number of bytes written so far. */
    public long length() {
        return length;
    }

    /** Writes one ASCII character. */
    public JsonBytes put(char ascii) {
        if (used == chunk.length) {
            begin();
        }
        chunk[used++] = (byte) ascii;
        length++;
        lastByte = (byte) ascii;
        return this;
    }

    /**
     * Writes UTF-8 text.
     *
     * @param bytes at least one byte
     */
    public JsonBytes put(byte[] bytes) {
        for (int from = 0; from < bytes.length;) {
            if (used == chunk.length) {
                begin();
            }
            int count = Math.min(bytes.length - from, chunk.length - used);
            System.arraycopy(bytes, from, chunk, used, count);
            used += count;
            from += count;
        }
        length += bytes.length;
        lastByte = bytes[bytes.length - 1];
        return this;
    }

    /**
     * Writes ASCII text unchanged; the caller must add quotes and escapes.
     *
     * @param ascii at least one character
     */
    public JsonBytes put(String ascii) {
        return put(ascii.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes a number. */
    public JsonBytes put(long number) {
        if (number < 0 || number > 999) {
            return put(Long.toString(number));
        }
        // Writes small numbers without a temporary string, because a response may have several for each provider of the
        // fleet.
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

    /** Writes a comma, unless the next element is the first of its object or array. Call it before each element. */
    public JsonBytes beginElement() {
        return lastByte == '{' || lastByte == '[' ? this : put(',');
    }

    private void begin() {
        chunk = new byte[Math.clamp(length, CHUNK_MIN, CHUNK_MAX)];
        chunks.add(chunk);
        used = 0;
    }

    /**
     * Returns a copy of the content.
     *
     * @throws ArithmeticException if the content exceeds 2 GiB
     */
    public byte[] toByteArray() {
        byte[] all = new byte[Math.toIntExact(length)];
        int from = 0;
        for (byte[] part : chunks) {
            int count = part == chunk ? used : part.length;
            System.arraycopy(part, 0, all, from, count);
            from += count;
        }
        return all;
    }

    /** Returns the content in chunks of at most 64 KiB, which the caller must not modify. */
    Iterator<byte[]> parts() {
        return chunks.stream().map(part -> part == chunk ? Arrays.copyOf(part, used) : part).iterator();
    }
}
