package io.berth.deploy.load.situation;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The hosts in a response of {@code GET /allocation_candidates} for a flat fleet, in which each host is one provider.
 * Draws a random host by searching for the next allocation request from a random position in the bytes, because parsing
 * the whole response would take the load generator more time than the service.
 */
final class Offers {
    private static final byte[] ALLOCATIONS = "\"allocations\"".getBytes(StandardCharsets.US_ASCII);
    private static final int UUID_CHARS = 36;

    private final byte[] response;
    /** The offset of the member "allocations" of the first allocation request; -1 if there is none. */
    private final int firstOffset;
    /** The offset of the same member of the last allocation request; -1 if there is none. */
    private final int lastOffset;
    /** The approximate number of bytes from the start of one allocation request to that of the next. */
    private final int requestBytes;

    Offers(byte[] response) {
        this.response = response;
        int end = response.length - ALLOCATIONS.length - UUID_CHARS;
        int offset = 0;
        while (offset < end && !isAt(offset)) {
            offset++;
        }
        this.firstOffset = offset < end ? offset : -1;
        offset = end - 1;
        while (offset >= 0 && !isAt(offset)) {
            offset--;
        }
        this.lastOffset = offset;
        int secondOffset = Math.min(firstOffset + 1, end);
        while (firstOffset >= 0 && secondOffset < lastOffset && !isAt(secondOffset)) {
            secondOffset++;
        }
        this.requestBytes = Math.max(1, secondOffset - firstOffset);
    }

    boolean isEmpty() {
        return firstOffset < 0;
    }

    /** Draws a host; all hosts have about the same probability. Must not be called if {@link #isEmpty} is true. */
    UUID draw(RandomGenerator random) {
        int offset = firstOffset + random.nextInt(lastOffset - firstOffset + requestBytes);
        while (offset <= lastOffset && !isAt(offset)) {
            offset++;
        }
        // Positions after the last allocation request count for the first one.
        offset = offset > lastOffset ? firstOffset : offset;
        int quote = offset + ALLOCATIONS.length;
        while (response[quote] != '"') {
            quote++;
        }
        return UUID.fromString(new String(response, quote + 1, UUID_CHARS, StandardCharsets.US_ASCII));
    }

    /** Returns whether the member "allocations" begins at the offset. */
    private boolean isAt(int offset) {
        for (int i = 0; i < ALLOCATIONS.length; i++) {
            if (response[offset + i] != ALLOCATIONS[i]) {
                return false;
            }
        }
        return true;
    }
}
