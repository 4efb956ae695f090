package io.berth.deploy.steady;

import io.berth.deploy.steady.Entry.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Runs clients that claim one unit each on random hosts, for new consumers, and release one claim in three again. Keeps
 * a journal of all requests.
 */
final class SteadyClaims {
    private static final int HOSTS = 20;
    private static final int RELEASED_ONE_IN = 3;
    private static final int PAUSE_MS = 5;

    private final Replicas replicas;
    private final List<UUID> hosts = new ArrayList<>();
    private final Queue<Entry> journal = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unavailable = new AtomicInteger();

    SteadyClaims(Replicas replicas) {
        this.replicas = replicas;
    }

    /** Creates the hosts of the claims, each with practically endless capacity. */
    void createHosts() throws InterruptedException, IOException {
        for (int i = 0; i < HOSTS; i++) {
            UUID host = UUID.randomUUID();
            need(200, replicas.call("POST", "/resource_providers",
                    "{\"uuid\": \"%s\", \"name\": \"steady-%s\"}".formatted(host, host)));
            need(200, replicas.call("PUT", "/resource_providers/" + host + "/inventories", """
                    {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 10000000}}}"""));
            hosts.add(host);
        }
    }

    private static void need(int status, Replicas.Response answer) throws IOException {
        if (answer.status() != status) {
            throw new IOException("expected " + status + ": " + answer);
        }
    }

    /** Runs that many clients until {@code goOn} returns false, and waits until all have ended. */
    void run(int clients, BooleanSupplier goOn) throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                var random = new Random(i);
                running.add(threads.submit(() -> {
                    List<UUID> held = new ArrayList<>();
                    while (goOn.getAsBoolean()) {
                        if (!held.isEmpty() && random.nextInt(RELEASED_ONE_IN) == 0) {
                            release(held.remove(random.nextInt(held.size())));
                        } else {
                            claim(hosts.get(random.nextInt(HOSTS)), held);
                        }
                        Thread.sleep(PAUSE_MS);
                    }
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void claim(UUID host, List<UUID> held) throws InterruptedException {
        UUID consumer = UUID.randomUUID();
        long sentMs = System.currentTimeMillis();
        var answer = replicas.call("PUT", "/allocations/" + consumer, """
                {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "consumer_generation": null,
                 "consumer_type": "INSTANCE", "project_id": "steady", "user_id": "steady"}""".formatted(host));
        if (note(answer, Kind.CLAIMED, Kind.CLAIM_UNKNOWN, consumer, sentMs)) {
            held.add(consumer);
        }
    }

    private void release(UUID consumer) throws InterruptedException {
        long sentMs = System.currentTimeMillis();
        var answer = replicas.call("DELETE", "/allocations/" + consumer, null);
        note(answer, Kind.RELEASED, Kind.RELEASE_UNKNOWN, consumer, sentMs);
    }

    private boolean note(Replicas.Response answer, Kind done, Kind unknown, UUID consumer, long sentMs) {
        boolean isDone = answer.status() == 204;
        switch (answer.status()) {
            case 204 -> {}
            case 503 -> unavailable.incrementAndGet();
            case Replicas.UNANSWERED -> {}
            default -> wrong.add(done + " " + consumer + ": " + answer);
        }
        journal.add(new Entry(isDone ? done : unknown, consumer, sentMs, System.currentTimeMillis()));
        return isDone;
    }

    /** Returns the outcome of every request, in no particular order. */
    List<Entry> journal() {
        return List.copyOf(journal);
    }

    List<UUID> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns the responses that a working service does not give, one line each. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Returns the number of requests that every replica refused with 503, or for which none listened. */
    int unavailable() {
        return unavailable.get();
    }
}
