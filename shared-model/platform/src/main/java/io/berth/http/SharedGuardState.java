package io.berth.http;

import io.vertx.core.http.HttpServerOptions;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The state that the connection guards of all connections of the process share: memory budgets, limits, and the
 * renderer of the service's error bodies. Small bodies, large bodies, small responses and large responses have a budget
 * of an eighth of the heap each; incomplete heads, short heads, long heads and waiting requests have a sixteenth each.
 */
public final class SharedGuardState {
    /** Divisor of the heap for one budget; the budgets for heads and waiting requests are half as large. */
    private static final int HEAP_DIVISOR = 8;
    private static final RefusalRenderer PLAIN_TEXT =
            (status, detail, method, accept, requestId) -> new RefusalRenderer.RenderedRefusal(
                    Map.of("content-type", "text/plain"), detail.getBytes(StandardCharsets.UTF_8));

    private final ByteBudget waiting;
    private final ByteBudget unfinishedHeads;
    private final ByteBudget shortHeads;
    private final ByteBudget longHeads;
    private final ByteBudget smallBodies;
    private final ByteBudget largeBodies;
    private final ByteBudget smallResponses;
    private final ByteBudget largeResponses;
    private volatile RefusalRenderer renderer = PLAIN_TEXT;
    private volatile @Nullable HttpServerOptions decoderOptions;
    private volatile long bodyBytesMax = Long.MAX_VALUE;
    private volatile long arrivesWithinMs = Long.MAX_VALUE;

    SharedGuardState(long heapBytes) {
        waiting = new ByteBudget(heapBytes / HEAP_DIVISOR / 2);
        unfinishedHeads = new ByteBudget(heapBytes / HEAP_DIVISOR / 2);
        shortHeads = new ByteBudget(heapBytes / HEAP_DIVISOR / 2);
        longHeads = new ByteBudget(heapBytes / HEAP_DIVISOR / 2);
        smallBodies = new ByteBudget(heapBytes / HEAP_DIVISOR);
        largeBodies = new ByteBudget(heapBytes / HEAP_DIVISOR);
        smallResponses = new ByteBudget(heapBytes / HEAP_DIVISOR);
        largeResponses = new ByteBudget(heapBytes / HEAP_DIVISOR);
    }

    /** Configures the guard before the service listens. */
    void configure(HttpServerOptions decoderOptions, RefusalRenderer renderer, BodyLimits bodies) {
        this.renderer = renderer;
        this.bodyBytesMax = bodies.largeBytesMax();
        this.arrivesWithinMs = bodies.arrivalTimeMax().toMillis();
        // Last, because connections are guarded as soon as the decoder's options are set (GuardInstaller).
        this.decoderOptions = decoderOptions;
    }

    /**
     * Returns the budget for requests that wait for the response of an earlier request on their connection. This budget
     * is separate, so that waiting requests never exclude the first request of another connection.
     */
    ByteBudget waiting() {
        return waiting;
    }

    /** Returns the budget for incomplete heads. Most heads arrive in one piece and do not use it. */
    ByteBudget unfinishedHeads() {
        return unfinishedHeads;
    }

    /** Returns the time limit, in milliseconds, from the first byte of a head to its last, and again for its body. */
    long arrivesWithinMs() {
        return arrivesWithinMs;
    }

    /**
     * Returns the budget for short heads of requests in flight: in a heap of 224 MB, about 14,000 heads of 1 KB. This
     * budget is separate, so that neither bodies nor long heads can exhaust it.
     */
    ByteBudget shortHeads() {
        return shortHeads;
    }

    /** Returns the budget for the heads of requests in flight that are not short. */
    ByteBudget longHeads() {
        return longHeads;
    }

    /** Returns the budget for the first {@link RequestReservation#SMALL_BYTES} of each body. */
    ByteBudget smallBodies() {
        return smallBodies;
    }

    /**
     * Returns the budget for the bytes of bodies beyond {@link RequestReservation#SMALL_BYTES}. This budget is
     * separate, so that a few large bodies do not exclude many small ones.
     */
    ByteBudget largeBodies() {
        return largeBodies;
    }

    /**
     * Returns the budget for chunks of responses of at most {@link RequestReservation#SMALL_BYTES} that are written and
     * not yet sent to the client's socket.
     */
    ByteBudget smallResponses() {
        return smallResponses;
    }

    /** Returns the budget for larger chunks of responses. */
    ByteBudget largeResponses() {
        return largeResponses;
    }

    /** Returns the maximum size of a body of any route, in bytes. */
    long bodyBytesMax() {
        return bodyBytesMax;
    }

    /** Returns the renderer of error bodies; before {@link #configure}, one for plain text. */
    RefusalRenderer renderer() {
        return renderer;
    }

    /** Returns the limits of Quarkus' HTTP decoder; null before {@link #configure}. */
    @Nullable
    HttpServerOptions decoderOptions() {
        return decoderOptions;
    }
}
