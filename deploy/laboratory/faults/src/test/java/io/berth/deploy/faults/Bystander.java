package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A well-behaved client that repeats one request while other clients misbehave. */
final class Bystander implements AutoCloseable {
    /** Longer than any limit of the services, so a request that times out got no response at all. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(90);

    private final Api service;
    private final String path;
    private final Map<Integer, Integer> responses = new TreeMap<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread thread;
    private String firstRefusal;
    private long slowestMs;

    /** @param path a path whose response is 200 in normal operation */
    Bystander(Api service, String path) {
        this.service = service;
        this.path = path;
        thread = Thread.ofVirtual().start(() -> {
            while (!ended.get()) {
                sendRequest();
                Await.pause(20);
            }
        });
    }

    private void sendRequest() {
        Api.Response reply = service.call("GET", path, null, ANSWER_MAX);
        synchronized (this) {
            responses.merge(reply.status(), 1, Integer::sum);
            slowestMs = Math.max(slowestMs, reply.elapsed().toMillis());
            if (reply.status() != 200 && firstRefusal == null) {
                firstRefusal = reply.toString();
            }
        }
    }

    synchronized int served() {
        return responses.getOrDefault(200, 0);
    }

    /** Waits for this many further responses with 200. */
    void awaitServed(int more) {
        int wanted = served() + more;
        Await.eventually(this + " is served", () -> served() >= wanted);
    }

    void checkAlwaysServed() {
        assertThat(firstRefusal).as("%s was refused or got no response", this).isNull();
    }

    @Override
    public void close() throws InterruptedException {
        ended.set(true);
        thread.join();
    }

    @Override
    public synchronized String toString() {
        return "bystander: answers " + responses + ", slowest " + slowestMs + " ms";
    }
}
