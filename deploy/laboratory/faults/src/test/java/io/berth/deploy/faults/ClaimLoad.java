package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Clients that claim and release at placement, each one call after the other, and write down what they were answered.
 * Some hosts are full most of the time, so that capacity is at stake.
 */
final class ClaimLoad implements AutoCloseable {
    private static final double RELEASES = 0.4;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(45);

    final Books books = new Books();
    private final List<Api> replicas;
    private final List<UUID> hosts;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
    private final AtomicLong slowestMs = new AtomicLong();

    /** @param replicas each client talks to all of them in turn */
    ClaimLoad(List<Api> replicas, List<UUID> hosts, int clientCount, long seed) {
        this.replicas = replicas;
        this.hosts = hosts;
        for (int i = 0; i < clientCount; i++) {
            var random = new Random(seed + i);
            clients.add(Thread.ofVirtual().start(() -> work(random)));
        }
    }

    private void work(Random random) {
        Map<UUID, Map<UUID, Integer>> mine = new HashMap<>();
        while (!ended.get()) {
            Api replica = replicas.get(random.nextInt(replicas.size()));
            boolean answered = !mine.isEmpty() && random.nextDouble() < RELEASES
                    ? release(replica, mine)
                    : claim(replica, mine, random);
            if (!answered) {
                pause(20);
            }
        }
    }

    private boolean claim(Api replica, Map<UUID, Map<UUID, Integer>> mine, Random random) {
        UUID consumer = UUID.randomUUID();
        Map<UUID, Integer> vcpus = new HashMap<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            vcpus.put(hosts.get(random.nextInt(hosts.size())), 1 + random.nextInt(3));
        }
        books.mayHold(consumer, Map.of(), vcpus);
        Api.Answer answer = replica.call("PUT", "/allocations/" + consumer, body(vcpus), ANSWER_MAX);
        count(answer);
        switch (answer.status()) {
            case 204 -> {
                books.holds(consumer, vcpus);
                mine.put(consumer, vcpus);
            }
            case 409 -> books.holds(consumer, Map.of());
            case 503, Api.NONE -> {
                return false;
            }
            default -> books.wrong("PUT: " + answer);
        }
        return true;
    }

    private boolean release(Api replica, Map<UUID, Map<UUID, Integer>> mine) {
        UUID consumer = mine.keySet().iterator().next();
        Map<UUID, Integer> vcpus = mine.remove(consumer);
        books.mayHold(consumer, vcpus, Map.of());
        Api.Answer answer = replica.call("DELETE", "/allocations/" + consumer, null, ANSWER_MAX);
        count(answer);
        switch (answer.status()) {
            case 204 -> books.holds(consumer, Map.of());
            case 503, Api.NONE -> {
                return false;
            }
            default -> books.wrong("DELETE of what was acknowledged: " + answer);
        }
        return true;
    }

    private static String body(Map<UUID, Integer> vcpus) {
        String allocations = vcpus.entrySet().stream()
                .map(each -> "\"%s\": {\"resources\": {\"VCPU\": %d}}".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
        return """
                {"allocations": {%s}, "project_id": "p", "user_id": "u", "consumer_type": "INSTANCE",
                 "consumer_generation": null}""".formatted(allocations);
    }

    private void count(Api.Answer answer) {
        answers.computeIfAbsent(answer.status(), each -> new AtomicLong()).incrementAndGet();
        slowestMs.accumulateAndGet(answer.took().toMillis(), Math::max);
    }

    /** Answers with this status so far. */
    long count(int status) {
        AtomicLong count = answers.get(status);
        return count == null ? 0 : count.get();
    }

    long slowestMs() {
        return slowestMs.get();
    }

    /** Waits until {@code more} further claims or releases are acknowledged, and says how long that took. */
    Duration awaitAcknowledged(int more) {
        long began = System.nanoTime();
        long wanted = count(204) + more;
        while (count(204) < wanted) {
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("claims go on again; answers so far " + answers).isLessThan(Cloud.PATIENCE);
            pause(20);
        }
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** Ends when every client has its last answer. */
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
        return "answers " + answers + ", slowest " + slowestMs + " ms, acknowledged and held " + books.acknowledged()
                + ", unanswered " + books.unanswered();
    }

    static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
