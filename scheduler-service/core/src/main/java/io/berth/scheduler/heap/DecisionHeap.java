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
 * Limits the part of the heap that decisions in flight use together to a twenty-fourth. Most decisions query placement
 * for a thousand candidates. Requests with hints about other instances, and requests for which none of the first
 * thousand is valid, query all candidates: 32 such decisions at once over 50,000 hosts exhausted the memory of the
 * process. Decisions that do not fit wait in order of arrival. Bytes are estimates. Thread-safe.
 */
@Singleton
public class DecisionHeap {
    private static final int HEAP_PART = 24;
    /** Bytes per offered host: placement's response, and the request's view of the host. */
    private static final int HOST_BYTES = 150;
    /** Bytes per host: the results of filters and weighers for one instance. */
    private static final int ROUND_BYTES = 100;
    /**
     * Rounds of a request for several instances that are in memory at a time: the first, the previous and the current
     * one.
     */
    private static final int ROUNDS_MAX = 3;
    /** Bytes of a finished round that are kept, per instance. */
    private static final int INSTANCE_BYTES = 5_000;
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final long max;
    private final Duration waitMax;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private long taken;

    private record Waiting(Share share, LongSupplier bytes, UniEmitter<? super Boolean> emitter) {}

    DecisionHeap() {
        this(Runtime.getRuntime().maxMemory() / HEAP_PART, WAIT_MAX);
    }

    /**
     * @param max maximum bytes at a time; a decision that needs more is admitted when it is alone
     * @param waitMax maximum wait of a decision
     */
    DecisionHeap(long max, Duration waitMax) {
        this.max = max;
        this.waitMax = waitMax;
    }

    /**
     * Returns the share of one decision, which holds nothing yet.
     *
     * @param instances number of instances in its request
     */
    public Share share(int instances) {
        return new Share(HOST_BYTES + ROUND_BYTES * (instances == 1 ? 1 : ROUNDS_MAX), (long) INSTANCE_BYTES * (instances - 1));
    }

    synchronized long taken() {
        return taken;
    }

    /** The bytes that one decision holds. Guarded by the heap. */
    public final class Share {
        private final long bytesPerHost;
        private final long bytesAnyway;
        private long bytes;
        private long offeredBytes;
        private boolean isOver;

        private Share(long bytesPerHost, long bytesAnyway) {
            this.bytesPerHost = bytesPerHost;
            this.bytesAnyway = bytesAnyway;
        }

        /**
         * Acquires bytes, and waits if this share holds none. A share that holds some does not wait and may exceed the
         * maximum, because shares that wait for each other would deadlock. Fails with TimeoutException after 30 s.
         *
         * @param hosts number of hosts that may be offered, in addition to earlier ones. It is called again while
         *     waiting, because the fleet may have grown meanwhile
         * @return whether it had to wait
         */
        public Uni<Boolean> take(IntSupplier hosts) {
            LongSupplier wanted = () -> bytesAnyway + hosts.getAsInt() * bytesPerHost;
            synchronized (DecisionHeap.this) {
                long now = wanted.getAsLong();
                if (!isOver && (bytes > 0 || (queue.isEmpty() && mayTake(now)))) {
                    add(Math.max(0, offeredBytes + now - bytes));
                    return Uni.createFrom().item(false);
                }
            }
            return Uni.createFrom().<Boolean>emitter(emitter -> enqueue(new Waiting(this, wanted, emitter)))
                    .ifNoItem().after(waitMax).fail()
                    .emitOn(CallerContext.executor());
        }

        /** Corrects the share to the number of hosts that were actually offered, in addition to earlier ones. */
        public void offered(int hosts) {
            synchronized (DecisionHeap.this) {
                if (!isOver) {
                    offeredBytes += hosts * bytesPerHost;
                    add(bytesAnyway + offeredBytes - bytes);
                }
            }
            wake();
        }

        /** Releases everything, once, and stops waiting. */
        public void end() {
            synchronized (DecisionHeap.this) {
                isOver = true;
                giveBack();
            }
            wake();
        }

        /** Releases everything and starts over, so that the next acquisition waits as if nothing had been offered. */
        public void beginAnew() {
            synchronized (DecisionHeap.this) {
                giveBack();
            }
            wake();
        }

        private void giveBack() {
            add(-bytes);
            offeredBytes = 0;
            queue.removeIf(waiting -> waiting.share == this);
        }

        private void add(long more) {
            bytes += more;
            taken += more;
        }
    }

    private boolean mayTake(long bytes) {
        return taken == 0 || taken + bytes <= max;
    }

    private void enqueue(Waiting waiting) {
        synchronized (this) {
            if (waiting.share.isOver) {
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
                long wanted = first.bytes.getAsLong();
                if (!mayTake(wanted)) {
                    break;
                }
                queue.remove();
                first.share.add(wanted);
                woken.add(first);
            }
        }
        woken.forEach(waiting -> waiting.emitter.complete(true));
    }
}
