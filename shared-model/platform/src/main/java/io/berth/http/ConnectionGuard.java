package io.berth.http;

import io.vertx.core.http.HttpServerOptions;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The state of the connection guard that all connections of the process share: memory budgets, and the service's error
 * texts. Each budget is an eighth of the heap; those for heads and for waiting requests are a sixteenth each.
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

    /** Configures the guard before the service listens. */
    void opens(HttpServerOptions limits, DoorWords words, BodyLimits bodies) {
        this.words = words;
        this.bodyBytesMax = bodies.large();
        this.arrivesWithinMs = bodies.arrivesWithin().toMillis();
        this.limits = limits;
    }

    /**
     * Returns the budget for requests that wait for an earlier one on their connection. It is separate, so that they
     * never exclude the first request of another connection.
     */
    Budget waiting() {
        return waiting;
    }

    /** Returns the budget for incomplete heads. Most heads arrive at once and never count here. */
    Budget unfinishedHeads() {
        return unfinishedHeads;
    }

    /** Returns the time limit, in milliseconds, from the first byte of a head to its last, and again for its body. */
    long arrivesWithinMs() {
        return arrivesWithinMs;
    }

    /**
     * Returns the budget for usual heads of started requests, enough for about 14,000 clients in the smallest heap.
     * Neither bodies nor long heads use it.
     */
    Budget shortHeads() {
        return shortHeads;
    }

    /** Returns the budget for unusually long heads. */
    Budget longHeads() {
        return longHeads;
    }

    /** Returns the budget for the first bytes of each body. */
    Budget smallBodies() {
        return smallBodies;
    }

    /**
     * Returns the budget for the bytes of bodies beyond {@link BodyShare#SMALL_BYTES}, so that a few large bodies leave
     * room for many small ones.
     */
    Budget largeBodies() {
        return largeBodies;
    }

    /**
     * Returns the budget for responses of at most {@link BodyShare#SMALL_BYTES} that are written and not yet read by
     * clients.
     */
    Budget smallAnswers() {
        return smallAnswers;
    }

    /** Returns the budget for larger responses. */
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
