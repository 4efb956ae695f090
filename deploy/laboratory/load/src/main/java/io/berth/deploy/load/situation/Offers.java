package io.berth.deploy.load.situation;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The hosts in a response of {@code GET /allocation_candidates}. Draws a random host by searching for the next
 * allocation request from a random position in the bytes, because parsing the whole response would cost the generator
 * more than the service. Only for fleets of the shape flat.
 */
final class Offers {
    private static final byte[] ALLOCATIONS = "\"allocations\"".getBytes(StandardCharsets.US_ASCII);
    private static final int UUID_CHARS = 36;

    private final byte[] answer;
    /** The offset of the member "allocations" of the first allocation request; -1 if there is none. */
    private final int first;
    /** The offset of the same member of the last allocation request; -1 if there is none. */
    private final int last;
    /** The approximate number of bytes from the start of one allocation request to that of the next. */
    private final int stride;

    Offers(byte[] answer) {
        this.answer = answer;
        int end = answer.length - ALLOCATIONS.length - UUID_CHARS;
        int at = 0;
        while (at < end && !isAt(at)) {
            at++;
        }
        this.first = at < end ? at : -1;
        at = end - 1;
        while (at >= 0 && !isAt(at)) {
            at--;
        }
        this.last = at;
        int second = Math.min(first + 1, end);
        while (first >= 0 && second < last && !isAt(second)) {
            second++;
        }
        this.stride = Math.max(1, second - first);
    }

    boolean isEmpty() {
        return first < 0;
    }

    /** Draws a host; all have about the same probability. Call it only if {@link #isEmpty} is false. */
    UUID draw(RandomGenerator random) {
        int at = first + random.nextInt(last - first + stride);
        while (at <= last && !isAt(at)) {
            at++;
        }
        // Positions after the last request count for the first one.
        at = at > last ? first : at;
        int begin = at + ALLOCATIONS.length;
        while (answer[begin] != '"') {
            begin++;
        }
        return UUID.fromString(new String(answer, begin + 1, UUID_CHARS, StandardCharsets.US_ASCII));
    }

    private boolean isAt(int at) {
        for (int i = 0; i < ALLOCATIONS.length; i++) {
            if (answer[at + i] != ALLOCATIONS[i]) {
                return false;
            }
        }
        return true;
    }
}
