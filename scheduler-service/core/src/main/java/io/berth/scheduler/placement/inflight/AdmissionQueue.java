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
 * Admits a few requests at a time to decide, so that each request sees the claims of the requests whose turn has ended.
 * The turn of a request lasts until its first claim is announced or sent, or the request ends; {@value #TURN_MS} ms at
 * most. A request decides without a turn if it has waited for {@value #TURN_MS} ms, or if {@value #WAITING_MAX}
 * requests are waiting already. Requests that are cancelled while they wait are removed. Thread-safe.
 */
public final class AdmissionQueue {
    /** Maximum length of a turn, and maximum wait for one, in milliseconds. */
    static final long TURN_MS = 1_000;
    /** Maximum waiting requests; further ones decide at once, without a turn. */
    static final int WAITING_MAX = 10_000;

    /** Schedules a task. The returned action cancels the task. */
    @FunctionalInterface
    public interface Timer {
        /** @param ms delay in milliseconds */
        Runnable after(long ms, Runnable task);
    }

    /** The turn of one request, whether it waits or has begun. Compared by identity. */
    private static final class Turn {
        private final String requestId;
        /** Lets the request decide: completes the Uni of {@link #awaitTurn}. */
        private volatile Runnable letDecide = () -> {};
        /** Cancels the timer. Without that, the timer would keep the request in memory for the rest of its delay. */
        private volatile Runnable cancelTimer = () -> {};

        Turn(String requestId) {
            this.requestId = requestId;
        }

        void startTimer(Timer timer, Runnable onTimeout) {
            cancelTimer.run();
            cancelTimer = timer.after(TURN_MS, onTimeout);
        }
    }

    private final int turnsMax;
    private final Timer timer;
    /** Waiting turns in order of arrival. Guarded by this. */
    private final Set<Turn> waiting = new LinkedHashSet<>();
    /** Request id to the turn that has begun. Guarded by this. */
    private final Map<String, Turn> active = new HashMap<>();

    AdmissionQueue(int turnsMax, Timer timer) {
        this.turnsMax = turnsMax;
        this.timer = timer;
    }

    /**
     * Completes when the turn of a request begins, or when the request is to decide without a turn; at once if the
     * request has a turn already. Completes on the caller's Vert.x context, if there is one.
     */
    Uni<Void> awaitTurn(String requestId) {
        return Uni.createFrom().deferred(() -> {
            Turn turn = new Turn(requestId);
            return Uni.createFrom()
                    .<Void>emitter(emitter -> {
                        Context context = Vertx.currentContext();
                        turn.letDecide = () -> {
                            if (context == null || context == Vertx.currentContext()) {
                                emitter.complete(null);
                            } else {
                                context.runOnContext(ignored -> emitter.complete(null));
                            }
                        };
                        enqueue(turn);
                    })
                    .onCancellation().invoke(() -> cancel(turn));
        });
    }

    private void enqueue(Turn turn) {
        boolean skipsQueue;
        boolean waits;
        synchronized (this) {
            skipsQueue = active.containsKey(turn.requestId) || waiting.size() >= WAITING_MAX;
            waits = !skipsQueue && active.size() >= turnsMax;
            if (waits) {
                turn.startTimer(timer, () -> waitTimedOut(turn));
                waiting.add(turn);
            } else if (!skipsQueue) {
                active.put(turn.requestId, turn);
            }
        }
        if (skipsQueue) {
            turn.letDecide.run();
        } else if (!waits) {
            begin(turn);
        }
    }

    private void begin(Turn turn) {
        turn.startTimer(timer, () -> end(turn));
        turn.letDecide.run();
    }

    /**
     * Lets a request decide without a turn after it has waited for {@value #TURN_MS} ms. Without this limit, it could
     * wait that long for each request before it.
     */
    private void waitTimedOut(Turn turn) {
        boolean wasWaiting;
        synchronized (this) {
            wasWaiting = waiting.remove(turn);
        }
        if (wasWaiting) {
            turn.letDecide.run();
        }
    }

    /** Removes a request that was cancelled before its turn began, or just when it began. */
    private void cancel(Turn turn) {
        synchronized (this) {
            waiting.remove(turn);
        }
        turn.cancelTimer.run();
        end(turn);
    }

    /** Ends the turn of a request, if the request has one, and begins the next waiting turn. */
    void end(String requestId) {
        Turn ended;
        synchronized (this) {
            ended = active.remove(requestId);
        }
        if (ended != null) {
            ended.cancelTimer.run();
            beginNext();
        }
    }

    /** Ends a turn that has begun and has not ended, and begins the next waiting turn. */
    private void end(Turn turn) {
        synchronized (this) {
            if (!active.remove(turn.requestId, turn)) {
                return;
            }
        }
        beginNext();
    }

    private void beginNext() {
        List<Turn> begun = new ArrayList<>(1);
        synchronized (this) {
            var next = waiting.iterator();
            while (active.size() < turnsMax && next.hasNext()) {
                Turn turn = next.next();
                next.remove();
                active.put(turn.requestId, turn);
                begun.add(turn);
            }
        }
        begun.forEach(this::begin);
    }
}
