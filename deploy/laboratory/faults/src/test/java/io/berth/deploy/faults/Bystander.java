package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A client like any other, that asks the same thing again and again while others misbehave. */
final class Bystander implements AutoCloseable {
    /** Longer than any limit of the services' own: what ends here was not answered at all. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(90);

    private final Api service;
    private final String path;
    private final Map<Integer, Integer> answers = new TreeMap<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread thread;
    private String firstRefusal;
    private long slowestMs;

    /** @param path answered with 200 whenever nothing is wrong */
    Bystander(Api service, String path) {
        this.service = service;
        this.path = path;
        thread = Thread.ofVirtual().start(() -> {
            while (!ended.get()) {
                ask();
                Await.pause(20);
            }
        });
    }

    private void ask() {
        Api.Response answer = service.call("GET", path, null, ANSWER_MAX);
        synchronized (this) {
            answers.merge(answer.status(), 1, Integer::sum);
            slowestMs = Math.max(slowestMs, answer.elapsed().toMillis());
            if (answer.status() != 200 && firstRefusal == null) {
                firstRefusal = answer.toString();
            }
        }
    }

    synchronized int served() {
        return answers.getOrDefault(200, 0);
    }

    /** So many more times from now on. */
    void awaitServed(int more) {
        int wanted = served() + more;
        Await.eventually(this + " is served", () -> served() >= wanted);
    }

    void checkAlwaysServed() {
        assertThat(firstRefusal).as("%s was refused or left without an answer", this).isNull();
    }

    @Override
    public void close() throws InterruptedException {
        ended.set(true);
        thread.join();
    }

    @Override
    public synchronized String toString() {
        return "bystander: answers " + answers + ", slowest " + slowestMs + " ms";
    }
}
