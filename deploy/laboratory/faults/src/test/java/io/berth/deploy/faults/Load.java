package io.berth.deploy.faults;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Clients that send one request after the other until they are stopped. Counts their responses. */
class Load implements AutoCloseable {
    private final int good;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Map<Integer, AtomicLong> statuses = new ConcurrentHashMap<>();
    private final AtomicLong slowestMs = new AtomicLong();

    /** @param good the status of a successful call */
    Load(int good) {
        this.good = good;
    }

    /** @param client returns the action that a client repeats, by the client's number */
    void begin(int count, IntFunction<Runnable> client) {
        for (int i = 0; i < count; i++) {
            Runnable turn = client.apply(i);
            clients.add(Thread.ofVirtual().start(() -> {
                while (!ended.get()) {
                    turn.run();
                }
            }));
        }
    }

    Api.Response counted(Api.Response response) {
        statuses.computeIfAbsent(response.status(), each -> new AtomicLong()).incrementAndGet();
        slowestMs.accumulateAndGet(response.elapsed().toMillis(), Math::max);
        return response;
    }

    /** Returns the number of responses with this status so far. */
    long count(int status) {
        AtomicLong count = statuses.get(status);
        return count == null ? 0 : count.get();
    }

    long slowestMs() {
        return slowestMs.get();
    }

    /** Waits until {@code more} further calls are acknowledged, and returns how long that took. */
    Duration awaitAcknowledged(int more) {
        long wanted = count(good) + more;
        return Await.eventually("calls are served; responses so far " + statuses, () -> count(good) >= wanted);
    }

    /** Returns when every client has received its last response. */
    @Override
    public void close() {
        ended.set(true);
        for (Thread client : clients) {
            try {
                client.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public String toString() {
        return "answers " + statuses + ", slowest " + slowestMs + " ms";
    }
}
