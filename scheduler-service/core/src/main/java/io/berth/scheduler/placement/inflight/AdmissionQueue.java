package io.berth.scheduler.placement.inflight;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets requests decide a few at a time, so that each sees what those before it are claiming. A turn lasts from the
 * response to the first claim, {@value #TURN_MS} ms at most. A request that has waited as long as a turn may last
 * decides without one; so do requests beyond {@value #WAITING_MAX} waiting ones. Cancelled requests are removed.
 * Thread-safe.
 */
public final class AdmissionQueue {
    static final long TURN_MS = 1_000;
    static final int WAITING_MAX = 10_000;

    /** Runs a task after that many milliseconds, unless the returned action runs before. */
    @FunctionalInterface
    public interface Timer {
        Runnable after(long ms, Runnable task);
    }

    /** One turn, taken or waited for, compared by identity. */
    private static final class Turn {
        private final String requestId;
        private volatile Runnable begin = () -> {};
        /** Cancels the timer, which would otherwise retain the whole decision long after its end. */
        private volatile Runnable callOff = () -> {};

        Turn(String requestId) {
            this.requestId = requestId;
        }

        void timed(Timer timer, Runnable over) {
            callOff.run();
            callOff = timer.after(TURN_MS, over);
        }
    }

    private final int atOnce;
    private final Timer timer;
    /** In order of arrival. */
    private final Set<Turn> waiting = new LinkedHashSet<>();
    private final Map<String, Turn> taken = new HashMap<>();

    AdmissionQueue(int atOnce, Timer timer) {
        this.atOnce = atOnce;
        this.timer = timer;
    }

    /**
     * Completes when it is that request's turn; at once if it already has it. Completes on the caller's Vert.x
     * context.
     */
    Uni<Void> take(String requestId) {
        return Uni.createFrom().deferred(() -> {
            Turn turn = new Turn(requestId);
            return Uni.createFrom()
                    .<Void>emitter(emitter -> {
                        Context context = Vertx.currentContext();
                        turn.begin = () -> {
                            if (context == null || context == Vertx.currentContext()) {
                                emitter.complete(null);
                            } else {
                                context.runOnContext(ignored -> emitter.complete(null));
                            }
                        };
                        come(turn);
                    })
                    .onCancellation().invoke(() -> leave(turn));
        });
    }

    private void come(Turn turn) {
        boolean asItIs;
        boolean waits;
        synchronized (this) {
            asItIs = taken.containsKey(turn.requestId) || waiting.size() >= WAITING_MAX;
            waits = !asItIs && taken.size() >= atOnce;
            if (waits) {
                turn.timed(timer, () -> waitedEnough(turn));
                waiting.add(turn);
            } else if (!asItIs) {
                taken.put(turn.requestId, turn);
            }
        }
        if (asItIs) {
            turn.begin.run();
        } else if (!waits) {
            begin(turn);
        }
    }

    private void begin(Turn turn) {
        turn.timed(timer, () -> end(turn));
        turn.begin.run();
    }

    /**
     * Lets a request decide without a turn after it waited for one turn's time: the requests before it may each take
     * that long.
     */
    private void waitedEnough(Turn turn) {
        boolean waited;
        synchronized (this) {
            waited = waiting.remove(turn);
        }
        if (waited) {
            turn.begin.run();
        }
    }

    /** Handles a request that was cancelled while it waited, or before it claimed. */
    private void leave(Turn turn) {
        synchronized (this) {
            waiting.remove(turn);
        }
        turn.callOff.run();
        end(turn);
    }

    /** Ends that request's turn, if it has one. */
    void end(String requestId) {
        Turn ended;
        synchronized (this) {
            ended = taken.remove(requestId);
        }
        if (ended != null) {
            ended.callOff.run();
            beginNext();
        }
    }

    private void end(Turn turn) {
        synchronized (this) {
            if (!taken.remove(turn.requestId, turn)) {
                return;
            }
        }
        beginNext();
    }

    private void beginNext() {
        List<Turn> begun = new ArrayList<>(1);
        synchronized (this) {
            var next = waiting.iterator();
            while (taken.size() < atOnce && next.hasNext()) {
                Turn turn = next.next();
                next.remove();
                taken.put(turn.requestId, turn);
                begun.add(turn);
            }
        }
        begun.forEach(this::begin);
    }
}
