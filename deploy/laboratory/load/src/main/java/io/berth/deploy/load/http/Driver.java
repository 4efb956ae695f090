package io.berth.deploy.load.http;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;

/**
 * Sends the requests of a {@link Traffic} over all connections of a {@link ClientConnections} and waits for the
 * responses.
 *
 * <p>Closed loop: each connection sends its next request when it has the response to the previous one. Open loop:
 * requests are due at a fixed rate, whatever the service does. A request's latency counts from when it was due, so that
 * a stall of the service shows in the latency of every request that it delays (no coordinated omission).
 */
public record Driver(Vertx vertx, ClientConnections wire) {
    /** The number of wrong responses after which a loop sends no more requests: the service is broken. */
    private static final int WRONG_MAX = 50;
    private static final long TICK_MS = 1;

    /**
     * Runs a closed loop, and waits until the traffic has ended or the time is up, and all requests have their
     * responses. Call it on no event loop.
     */
    public Measurements closedLoop(Traffic traffic, Duration atMost) throws InterruptedException {
        return run(new ClosedLoop(traffic, atMost.toNanos()));
    }

    /**
     * Runs an open loop, and waits until the traffic has ended or the time is up, and all requests have their
     * responses. A request that is not sent within twice the duration, because no connection was free, stays unsent;
     * its latency counts as the longest. Call it on no event loop.
     *
     * @param perSecond requests that are due per second
     */
    public Measurements openLoop(Traffic traffic, Duration duration, double perSecond) throws InterruptedException {
        return run(new OpenLoop(traffic, duration.toNanos(), perSecond));
    }

    private Measurements run(Loop loop) throws InterruptedException {
        wire.loop().runOnContext(_ -> loop.guard(loop::begin));
        try {
            return loop.done.future().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private abstract static class Loop {
        final Traffic traffic;
        final Measurements measured = new Measurements();
        final Promise<Measurements> done = Promise.promise();
        final long began = System.nanoTime();

        Loop(Traffic traffic) {
            this.traffic = traffic;
        }

        abstract void begin();

        final void end(long unsent, long longestNs) {
            measured.ended((System.nanoTime() - began) / 1e9, unsent, longestNs);
            done.tryComplete(measured);
        }

        /** Runs a part of the loop; an exception, which is a bug of this program, ends the measurement. */
        final void guard(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException bug) {
                done.tryFail(bug);
            }
        }

        final boolean isHopeless() {
            return measured.wrongCount() >= WRONG_MAX;
        }
    }

    private void send(Loop loop, Exchange exchange, long since, Runnable then) {
        wire.send(exchange).onComplete(sent -> loop.guard(() -> {
            if (sent.succeeded()) {
                loop.measured.answered(exchange, sent.result(), System.nanoTime() - since);
            } else {
                loop.measured.failed(exchange, sent.cause());
            }
            then.run();
        }));
    }

    private final class ClosedLoop extends Loop {
        private final long atMostNs;
        private int openConnections = wire.connections();

        ClosedLoop(Traffic traffic, long atMostNs) {
            super(traffic);
            this.atMostNs = atMostNs;
        }

        @Override
        void begin() {
            for (int i = wire.connections(); i > 0; i--) {
                step();
            }
        }

        private void step() {
            long now = System.nanoTime();
            Exchange next = now - began >= atMostNs || isHopeless() ? null : traffic.next();
            if (next != null) {
                send(this, next, now, this::step);
            } else if (--openConnections == 0) {
                end(0, 0);
            }
        }
    }

    private final class OpenLoop extends Loop {
        private final long durationNs;
        private final double intervalNs;
        /**
         * The due times (System.nanoTime) of requests that are due and not yet sent, oldest first; at most the rate
         * times the duration.
         */
        private final ArrayDeque<Long> waiting = new ArrayDeque<>();
        private long dueCount;
        private int inFlight;
        private boolean isTrafficEnded;
        private long timer;

        OpenLoop(Traffic traffic, long durationNs, double perSecond) {
            super(traffic);
            this.durationNs = durationNs;
            this.intervalNs = 1e9 / perSecond;
        }

        @Override
        void begin() {
            timer = vertx.setPeriodic(TICK_MS, _ -> guard(this::tick));
            tick();
        }

        private void tick() {
            long elapsed = System.nanoTime() - began;
            long due;
            while ((due = (long) (dueCount * intervalNs)) <= Math.min(elapsed, durationNs - 1)) {
                waiting.add(began + due);
                dueCount++;
            }
            issue();
            boolean isOver =
                    isTrafficEnded || due >= durationNs && waiting.isEmpty() || elapsed > 2 * durationNs
                            || isHopeless();
            if (isOver && inFlight == 0) {
                vertx.cancelTimer(timer);
                // Requests whose responses arrived after the duration are not unsent: only waiting ones are.
                end(isTrafficEnded ? 0 : waiting.size(), waiting.isEmpty() ? 0 : System.nanoTime() - waiting.element());
            }
        }

        private void issue() {
            boolean mayStart = System.nanoTime() - began <= 2 * durationNs && !isHopeless();
            while (mayStart && !isTrafficEnded && inFlight < wire.connections() && !waiting.isEmpty()) {
                long since = waiting.remove();
                Exchange next = traffic.next();
                if (next == null) {
                    isTrafficEnded = true;
                    waiting.clear();
                    return;
                }
                inFlight++;
                send(this, next, since, () -> {
                    inFlight--;
                    issue();
                });
            }
        }
    }
}
