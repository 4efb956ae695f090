package io.berth.scheduler.heap;

import io.berth.context.CallerContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Limits the heap that all decisions in flight use together to 1/24 of the maximum heap. A decision that would exceed
 * the limit waits before its first query, in order of arrival. Two kinds of decisions may exceed the limit: a decision
 * that starts while no other holds bytes, and a decision that holds bytes and queries further candidates.
 *
 * <p>Most decisions query placement for at most a thousand candidates, but a request with hints about other instances,
 * or without a valid host among the first thousand candidates, queries all of them. Without the limit, 32 concurrent
 * requests for all candidates among 50,000 hosts exhausted the heap. Bytes are estimates. Thread-safe.
 */
@Singleton
public class DecisionHeap {
    /** Divisor of the maximum heap: decisions use 1/24 of it. */
    private static final int HEAP_DIVISOR = 24;
    /** Bytes per candidate host: placement's response, and the request's view of the host. */
    private static final int HOST_BYTES = 150;
    /** Bytes per host of one round: the results of filters and weighers for one instance of the request. */
    private static final int ROUND_BYTES = 100;
    /**
     * Maximum rounds of a request that are in memory at a time. A request for several instances holds its first, its
     * previous and its current round.
     */
    private static final int ROUNDS_MAX = 3;
    /** Bytes that a request for several instances keeps of each finished round. */
    private static final int INSTANCE_BYTES = 5_000;
    /** Maximum wait of a decision for bytes, after which the decision fails. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final long max;
    private final Duration waitMax;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private long heldBytes;

    private record Waiting(Share share, LongSupplier neededBytes, UniEmitter<? super Boolean> emitter) {}

    DecisionHeap() {
        this(Runtime.getRuntime().maxMemory() / HEAP_DIVISOR, WAIT_MAX);
    }

    /**
     * @param max maximum bytes of all decisions; a decision that needs more than this starts once no other decision
     *     holds bytes
     * @param waitMax maximum wait of a decision, after which {@link Share#acquire} fails
     */
    DecisionHeap(long max, Duration waitMax) {
        this.max = max;
        this.waitMax = waitMax;
    }

    /**
     * Returns the share of one decision, which holds no bytes yet.
     *
     * @param instances number of instances in the request, at least 1
     */
    public Share share(int instances) {
        return new Share(HOST_BYTES + ROUND_BYTES * (instances == 1 ? 1 : ROUNDS_MAX),
                (long) INSTANCE_BYTES * (instances - 1));
    }

    /** Returns the bytes that all decisions hold. */
    synchronized long heldBytes() {
        return heldBytes;
    }

    /** The bytes that one decision holds. The {@link DecisionHeap} guards all fields. */
    public final class Share {
        private final long bytesPerHost;
        /** Bytes that do not depend on the number of hosts. */
        private final long fixedBytes;
        private long bytes;
        /** Bytes of the candidates that placement returned for the queries so far. */
        private long candidateBytes;
        private boolean hasEnded;

        private Share(long bytesPerHost, long fixedBytes) {
            this.bytesPerHost = bytesPerHost;
            this.fixedBytes = fixedBytes;
        }

        /**
         * Acquires bytes for further candidate hosts. A share without bytes waits, in order of arrival, until enough
         * bytes are free or no decision holds any, and fails with TimeoutException after 30 s. A share that holds bytes
         * never waits and may exceed the maximum, because two shares that hold bytes and wait for each other would
         * deadlock.
         *
         * @param hosts returns the maximum number of further candidate hosts. Called again during the wait, because the
         *     fleet may grow; must not block
         * @return whether the share waited
         */
        public Uni<Boolean> acquire(IntSupplier hosts) {
            LongSupplier neededBytes = () -> fixedBytes + hosts.getAsInt() * bytesPerHost;
            synchronized (DecisionHeap.this) {
                long neededNow = neededBytes.getAsLong();
                if (!hasEnded && (bytes > 0 || (queue.isEmpty() && mayAcquire(neededNow)))) {
                    add(Math.max(0, candidateBytes + neededNow - bytes));
                    return Uni.createFrom().item(false);
                }
            }
            return Uni.createFrom().<Boolean>emitter(emitter -> enqueue(new Waiting(this, neededBytes, emitter)))
                    .ifNoItem().after(waitMax).fail()
                    .emitOn(CallerContext.executor());
        }

        /**
         * Replaces the bytes of the last {@link #acquire} by those of the candidates that placement returned.
         *
         * @param hosts number of candidate hosts of the last query
         */
        public void received(int hosts) {
            synchronized (DecisionHeap.this) {
                if (!hasEnded) {
                    candidateBytes += hosts * bytesPerHost;
                    add(fixedBytes + candidateBytes - bytes);
                }
            }
            wake();
        }

        /**
         * Releases all bytes at the end of the decision. A {@link #acquire} that waits, or is called later, gets no
         * bytes and fails after its maximum wait.
         */
        public void end() {
            synchronized (DecisionHeap.this) {
                hasEnded = true;
                releaseBytes();
            }
            wake();
        }

        /** Releases all bytes before the decision begins again: the next {@link #acquire} waits like the first one. */
        public void restart() {
            synchronized (DecisionHeap.this) {
                releaseBytes();
            }
            wake();
        }

        private void releaseBytes() {
            add(-bytes);
            candidateBytes = 0;
            queue.removeIf(waiting -> waiting.share == this);
        }

        private void add(long more) {
            bytes += more;
            heldBytes += more;
        }
    }

    private boolean mayAcquire(long bytes) {
        return heldBytes == 0 || heldBytes + bytes <= max;
    }

    private void enqueue(Waiting waiting) {
        synchronized (this) {
            if (waiting.share.hasEnded) {
                return;
            }
            queue.add(waiting);
        }
        wake();
    }

    private void wake() {
        List<Waiting> woken = new ArrayList<>();
        synchronized (this) {
            for (Waiting first = queue.peek(); first != null; first = queue.peek()) {
                long neededBytes = first.neededBytes.getAsLong();
                if (!mayAcquire(neededBytes)) {
                    break;
                }
                queue.remove();
                first.share.add(neededBytes);
                woken.add(first);
            }
        }
        woken.forEach(waiting -> waiting.emitter.complete(true));
    }
}
