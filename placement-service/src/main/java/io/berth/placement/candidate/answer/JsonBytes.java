package io.berth.placement.candidate.answer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A growing buffer of JSON text in UTF-8. Grows by further chunks, so that a large answer is copied once, at the end.
 * For one thread.
 */
final class JsonBytes {
    private static final int CHUNK_MIN = 4 * 1024;
    private static final int CHUNK_MAX = 1024 * 1024;
    private static final int UUID_LENGTH = 36;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final List<byte[]> full = new ArrayList<>();
    private final List<Integer> fullLengths = new ArrayList<>();
    private byte[] chunk = new byte[CHUNK_MIN];
    private int filled;
    private long length;

    /** Bytes written so far. */
    long length() {
        return length + filled;
    }

    JsonBytes put(char ascii) {
        reserve(1);
        chunk[filled++] = (byte) ascii;
        return this;
    }

    JsonBytes put(byte[] bytes) {
        reserve(bytes.length);
        System.arraycopy(bytes, 0, chunk, filled, bytes.length);
        filled += bytes.length;
        return this;
    }

    JsonBytes put(String ascii) {
        int count = ascii.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            chunk[filled++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    JsonBytes put(long number) {
        return put(Long.toString(number));
    }

    /** In quotes, lower case with dashes. */
    JsonBytes put(UUID uuid) {
        reserve(UUID_LENGTH + 2);
        chunk[filled++] = '"';
        long high = uuid.getMostSignificantBits();
        long low = uuid.getLeastSignificantBits();
        hex(high >>> 32, 8);
        chunk[filled++] = '-';
        hex(high >>> 16, 4);
        chunk[filled++] = '-';
        hex(high, 4);
        chunk[filled++] = '-';
        hex(low >>> 48, 4);
        chunk[filled++] = '-';
        hex(low, 12);
        chunk[filled++] = '"';
        return this;
    }

    private void hex(long value, int digits) {
        for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
            chunk[filled++] = HEX[(int) (value >>> shift) & 0xF];
        }
    }

    private void reserve(int bytes) {
        if (chunk.length - filled < bytes) {
            full.add(chunk);
            fullLengths.add(filled);
            length += filled;
            chunk = new byte[Math.max(bytes, Math.min(chunk.length * 2, CHUNK_MAX))];
            filled = 0;
        }
    }

    /** A copy of all of it; at most 2 GiB. */
    byte[] toByteArray() {
        byte[] all = new byte[Math.toIntExact(length())];
        int at = 0;
        for (int i = 0; i < full.size(); i++) {
            System.arraycopy(full.get(i), 0, all, at, fullLengths.get(i));
            at += fullLengths.get(i);
        }
        System.arraycopy(chunk, 0, all, at, filled);
        return all;
    }
}
