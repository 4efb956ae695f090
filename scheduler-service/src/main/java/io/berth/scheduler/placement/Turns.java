package io.berth.scheduler.placement;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets requests that are about to decide do so a few at a time, so that each sees what those before it are claiming. A
 * turn lasts from the answer to the first claim, {@value #TURN_MS} ms at the most. Nobody is refused a turn, and beyond
 * {@value #WAITING_MAX} waiting nobody waits. Any thread may call.
 */
final class Turns {
    static final long TURN_MS = 1_000;
    static final int WAITING_MAX = 10_000;

    /** Runs a task after so many milliseconds, unless what it answers is run before. */
    @FunctionalInterface
    interface Timer {
        Runnable after(long ms, Runnable task);
    }

    /** One turn, taken or waited for. Its identity counts. */
    private static final class Turn {
        private final String requestId;
        private final Runnable begin;
        /** Without it the timer would hold on to the whole decision long after its end. */
        private volatile Runnable callOff = () -> {};

        Turn(String requestId, Runnable begin) {
            this.requestId = requestId;
            this.begin = begin;
        }

        void begin(Timer timer, Runnable end) {
            callOff = timer.after(TURN_MS, end);
            begin.run();
        }
    }

    private final int atOnce;
    private final Timer timer;
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private final Map<String, Turn> taken = new HashMap<>();

    Turns(int atOnce, Timer timer) {
        this.atOnce = atOnce;
        this.timer = timer;
    }

    /** Completes when it is that request's turn; at once if it has it already. On the caller's Vert.x context. */
    Uni<Void> take(String requestId) {
        return Uni.createFrom().emitter(emitter -> {
            Context context = Vertx.currentContext();
            Turn turn = new Turn(requestId, () -> {
                if (context == null || context == Vertx.currentContext()) {
                    emitter.complete(null);
                } else {
                    context.runOnContext(ignored -> emitter.complete(null));
                }
            });
            boolean atOnceToo;
            synchronized (this) {
                atOnceToo = taken.containsKey(requestId) || waiting.size() >= WAITING_MAX;
                if (!atOnceToo) {
                    waiting.addLast(turn);
                }
            }
            if (atOnceToo) {
                turn.begin.run();
            } else {
                beginNext();
            }
        });
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
            while (taken.size() < atOnce && !waiting.isEmpty()) {
                Turn next = waiting.pollFirst();
                taken.put(next.requestId, next);
                begun.add(next);
            }
        }
        for (Turn turn : begun) {
            turn.begin(timer, () -> end(turn));
        }
    }
}
