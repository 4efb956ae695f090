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
 * <p>In a closed loop, each connection sends its next request when it has the response to the previous request. In an
 * open loop, requests are due at a fixed rate, whatever the service does; the latency of a request then counts from the
 * time at which the request was due, so that a stall of the service is in the latency of every delayed request (no
 * coordinated omission). Both loops end early after {@value #WRONG_MAX} wrong or missing responses.
 */
public record Driver(Vertx vertx, ClientConnections connections) {
    /** The number of wrong or missing responses after which a loop sends no more requests: the service is broken. */
    private static final int WRONG_MAX = 50;
    private static final long TICK_MS = 1;

    /**
     * Runs a closed loop, and waits until the traffic has ended or the time is up, and all requests have their
     * responses. Must not be called on an event loop.
     */
    public Measurements closedLoop(Traffic traffic, Duration durationMax) throws InterruptedException {
        return run(new ClosedLoop(traffic, durationMax.toNanos()));
    }

    /**
     * Runs an open loop, and waits until the traffic has ended or the time is up, and all requests have their
     * responses. A request that is not sent within twice the duration, because no connection was free, or before the
     * loop ends early, stays unsent; its latency counts as the longest of all. If the traffic ends, no request counts
     * as unsent. Must not be called on an event loop.
     *
     * @param perSecond requests that are due per second
     */
    public Measurements openLoop(Traffic traffic, Duration duration, double perSecond) throws InterruptedException {
        return run(new OpenLoop(traffic, duration.toNanos(), perSecond));
    }

    private Measurements run(Loop loop) throws InterruptedException {
        connections.loop().runOnContext(_ -> loop.guard(loop::begin));
        try {
            return loop.done.future().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private abstract static class Loop {
        final Traffic traffic;
        final Measurements measurements = new Measurements();
        final Promise<Measurements> done = Promise.promise();
        final long beganNs = System.nanoTime();

        Loop(Traffic traffic) {
            this.traffic = traffic;
        }

        abstract void begin();

        final void end(long unsent, long longestNs) {
            measurements.end((System.nanoTime() - beganNs) / 1e9, unsent, longestNs);
            done.tryComplete(measurements);
        }

        /** Runs a part of the loop. An exception, which is a bug of this program, ends the measurement. */
        final void guard(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException bug) {
                done.tryFail(bug);
            }
        }

        final boolean isServiceBroken() {
            return measurements.wrongCount() >= WRONG_MAX;
        }
    }

    private void send(Loop loop, Exchange exchange, long startNs, Runnable onResponse) {
        connections.send(exchange).onComplete(response -> loop.guard(() -> {
            if (response.succeeded()) {
                loop.measurements.recordResponse(exchange, response.result(), System.nanoTime() - startNs);
            } else {
                loop.measurements.recordMissingResponse(exchange, response.cause());
            }
            onResponse.run();
        }));
    }

    private final class ClosedLoop extends Loop {
        private final long durationMaxNs;
        private int openConnections = connections.connections();

        ClosedLoop(Traffic traffic, long durationMaxNs) {
            super(traffic);
            this.durationMaxNs = durationMaxNs;
        }

        @Override
        void begin() {
            for (int i = connections.connections(); i > 0; i--) {
                sendNext();
            }
        }

        private void sendNext() {
            long nowNs = System.nanoTime();
            Exchange next = nowNs - beganNs >= durationMaxNs || isServiceBroken() ? null : traffic.next();
            if (next != null) {
                send(this, next, nowNs, this::sendNext);
            } else if (--openConnections == 0) {
                end(0, 0);
            }
        }
    }

    private final class OpenLoop extends Loop {
        private final long durationNs;
        private final double intervalNs;
        /**
         * The due times (System.nanoTime) of the requests that are due and not yet sent, oldest first; at most the rate
         * times the duration.
         */
        private final ArrayDeque<Long> dueTimesNs = new ArrayDeque<>();
        private long dueCount;
        private int requestsInProgress;
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
            long elapsedNs = System.nanoTime() - beganNs;
            long nextDueNs;
            while ((nextDueNs = (long) (dueCount * intervalNs)) <= Math.min(elapsedNs, durationNs - 1)) {
                dueTimesNs.add(beganNs + nextDueNs);
                dueCount++;
            }
            sendDue();
            boolean isOver =
                    isTrafficEnded || nextDueNs >= durationNs && dueTimesNs.isEmpty() || elapsedNs > 2 * durationNs
                            || isServiceBroken();
            if (isOver && requestsInProgress == 0) {
                vertx.cancelTimer(timer);
                // Only requests that still wait are unsent, not those whose responses arrived after the duration.
                end(isTrafficEnded ? 0 : dueTimesNs.size(),
                        dueTimesNs.isEmpty() ? 0 : System.nanoTime() - dueTimesNs.element());
            }
        }

        private void sendDue() {
            boolean mayStart = System.nanoTime() - beganNs <= 2 * durationNs && !isServiceBroken();
            while (mayStart && !isTrafficEnded && requestsInProgress < connections.connections()
                    && !dueTimesNs.isEmpty()) {
                long startNs = dueTimesNs.remove();
                Exchange next = traffic.next();
                if (next == null) {
                    isTrafficEnded = true;
                    dueTimesNs.clear();
                    return;
                }
                requestsInProgress++;
                send(this, next, startNs, () -> {
                    requestsInProgress--;
                    sendDue();
                });
            }
        }
    }
}
