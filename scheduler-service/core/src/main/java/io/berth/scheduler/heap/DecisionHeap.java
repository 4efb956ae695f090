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
 * The part of the heap that decisions on their way may take together, a twenty-fourth. Most ask placement for a thousand
 * candidates; requests near other instances, and those that none of the first thousand will do for, ask for all there are,
 * and 32 of those at once over 50,000 hosts ended the process. What finds no room waits, first come first served. Bytes
 * are reckoned. Any thread may call.
 */
@Singleton
public class DecisionHeap {
    private static final int HEAP_PART = 24;
    /** For each host that placement offers: placement's response, and what the request sees of the host. */
    private static final int HOST_BYTES = 150;
    /** For each host: what filters and weighers said of one instance. */
    private static final int ROUND_BYTES = 100;
    /** Rounds of several instances that are whole at a time: the first, the one before, and the one under way. */
    private static final int ROUNDS_MAX = 3;
    /** For each instance: what is kept of its round. */
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
     * @param max bytes that may be taken at a time; a single decision that wants more gets it when it is alone
     * @param waitMax for which a decision waits
     */
    DecisionHeap(long max, Duration waitMax) {
        this.max = max;
        this.waitMax = waitMax;
    }

    /**
     * For one decision; it takes nothing yet.
     *
     * @param instances of its request
     */
    public Share share(int instances) {
        return new Share(HOST_BYTES + ROUND_BYTES * (instances == 1 ? 1 : ROUNDS_MAX), (long) INSTANCE_BYTES * (instances - 1));
    }

    synchronized long taken() {
        return taken;
    }

    /** What one decision takes. Guarded by the heap. */
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
         * Waits for room, where this has none yet; what it takes more goes beyond what may be taken, as it could wait for
         * others that wait for it. Fails with TimeoutException after 30 s.
         *
         * @param hosts that may be offered, beside those that were. Asked again while it waits: more is known of the fleet then
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

        /** So many hosts were offered in fact, beside those before. */
        public void offered(int hosts) {
            synchronized (DecisionHeap.this) {
                if (!isOver) {
                    offeredBytes += hosts * bytesPerHost;
                    add(bytesAnyway + offeredBytes - bytes);
                }
            }
            wake();
        }

        /** Gives back whatever was taken, once, and waits no longer. */
        public void end() {
            synchronized (DecisionHeap.this) {
                isOver = true;
                giveBack();
            }
            wake();
        }

        /** Gives back whatever was taken, and takes a turn of its own for what comes now, as if nothing had been offered. */
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
