package io.berth.http;

import io.vertx.core.http.HttpServerOptions;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The state of the connection guard that all connections of the process share: memory budgets, and the service's error
 * texts. Each budget is an eighth of the heap; those for heads and for waiting requests are a sixteenth.
 */
public final class ConnectionGuard {
    private static final int SHARE_OF_HEAP = 8;
    private static final DoorWords BARE = (status, detail, method, accept, requestId) -> new DoorWords.Worded(
            Map.of("content-type", "text/plain"), detail.getBytes(StandardCharsets.UTF_8));

    private final Budget waiting;
    private final Budget unfinishedHeads;
    private final Budget shortHeads;
    private final Budget longHeads;
    private final Budget smallBodies;
    private final Budget largeBodies;
    private final Budget smallAnswers;
    private final Budget answers;
    private volatile DoorWords words = BARE;
    private volatile HttpServerOptions limits;
    private volatile long bodyBytesMax = Long.MAX_VALUE;
    private volatile long arrivesWithinMs = Long.MAX_VALUE;

    ConnectionGuard(long heapBytes) {
        waiting = new Budget(heapBytes / SHARE_OF_HEAP / 2);
        unfinishedHeads = new Budget(heapBytes / SHARE_OF_HEAP / 2);
        shortHeads = new Budget(heapBytes / SHARE_OF_HEAP / 2);
        longHeads = new Budget(heapBytes / SHARE_OF_HEAP / 2);
        smallBodies = new Budget(heapBytes / SHARE_OF_HEAP);
        largeBodies = new Budget(heapBytes / SHARE_OF_HEAP);
        smallAnswers = new Budget(heapBytes / SHARE_OF_HEAP);
        answers = new Budget(heapBytes / SHARE_OF_HEAP);
    }

    /** Before the service listens. */
    void opens(HttpServerOptions limits, DoorWords words, BodyLimits bodies) {
        this.words = words;
        this.bodyBytesMax = bodies.large();
        this.arrivesWithinMs = bodies.arrivesWithin().toMillis();
        this.limits = limits;
    }

    /** Requests that wait for the one before them on their connection. They never keep out what is the first of another. */
    Budget waiting() {
        return waiting;
    }

    /** Heads of which more is to come: most arrive at once, and never count here. */
    Budget unfinishedHeads() {
        return unfinishedHeads;
    }

    /** The time from the first byte of a head to its last, and again for its body. */
    long arrivesWithinMs() {
        return arrivesWithinMs;
    }

    /**
     * Heads of requests that are begun, of some 14,000 clients at once in the smallest heap: neither bodies nor long ones
     * keep them out.
     */
    Budget shortHeads() {
        return shortHeads;
    }

    /** The same of unusual ones. */
    Budget longHeads() {
        return longHeads;
    }

    /** The first bytes of each body. */
    Budget smallBodies() {
        return smallBodies;
    }

    /**
     * Returns the budget for bodies beyond {@link BodyShare#SMALL_BYTES}: many small ones still fit besides a few large
     * ones.
     */
    Budget largeBodies() {
        return largeBodies;
    }

    /** Answers of at most {@link BodyShare#SMALL_BYTES} that are written and not yet taken by clients. */
    Budget smallAnswers() {
        return smallAnswers;
    }

    /** The same of larger ones. */
    Budget answers() {
        return answers;
    }

    /** Returns the largest limit of any route. */
    long bodyBytesMax() {
        return bodyBytesMax;
    }

    DoorWords words() {
        return words;
    }

    /** Returns null before {@link #opens}. */
    @Nullable
    HttpServerOptions limits() {
        return limits;
    }
}
