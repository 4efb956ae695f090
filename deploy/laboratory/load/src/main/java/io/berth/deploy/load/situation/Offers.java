package io.berth.deploy.load.situation;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The hosts that a response of {@code GET /allocation_candidates} offers. Draws one at a time by parsing at a random
 * position of the bytes, because parsing all of them would make the generator the slowest part of the run. For flat
 * hosts and JSON responses.
 */
final class Offers {
    private static final byte[] ALLOCATIONS = "\"allocations\"".getBytes(StandardCharsets.US_ASCII);
    private static final int UUID_CHARS = 36;

    private final byte[] answer;
    /** The offsets at which the first and the last allocation request name their providers; -1 if there is none. */
    private final int first;
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

    /** Draws a host, each about as likely as any other; not for empty offers. */
    UUID draw(RandomGenerator random) {
        int at = first + random.nextInt(last - first + stride);
        while (at <= last && !isAt(at)) {
            at++;
        }
        // After the last request the share of the first one begins.
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
