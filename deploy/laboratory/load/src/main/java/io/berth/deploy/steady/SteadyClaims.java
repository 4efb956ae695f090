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
 * Runs clients that claim one VCPU at a time on random hosts, each claim for a new consumer. One request in three, at
 * random, releases a claim of the same client instead, if it has one. Keeps a journal of all requests.
 */
final class SteadyClaims {
    private static final int HOSTS = 20;
    private static final int REQUESTS_PER_RELEASE = 3;
    private static final int PAUSE_MS = 5;

    private final Replicas replicas;
    private final List<UUID> hosts = new ArrayList<>();
    private final Queue<Entry> journal = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrongResponses = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unavailable = new AtomicInteger();

    SteadyClaims(Replicas replicas) {
        this.replicas = replicas;
    }

    /** Creates the hosts of the claims, each with more capacity than a run can claim. */
    void createHosts() throws InterruptedException, IOException {
        for (int i = 0; i < HOSTS; i++) {
            UUID host = UUID.randomUUID();
            requireStatus(200, replicas.call("POST", "/resource_providers",
                    "{\"uuid\": \"%s\", \"name\": \"steady-%s\"}".formatted(host, host)));
            requireStatus(200, replicas.call("PUT", "/resource_providers/" + host + "/inventories", """
                    {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 10000000}}}"""));
            hosts.add(host);
        }
    }

    private static void requireStatus(int status, Replicas.Response response) throws IOException {
        if (response.status() != status) {
            throw new IOException("expected " + status + ": " + response);
        }
    }

    /**
     * Runs {@code clients} clients in parallel while {@code mayContinue} returns true, and waits until all have ended.
     */
    void run(int clients, BooleanSupplier mayContinue) throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> clientRuns = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                var random = new Random(i);
                clientRuns.add(threads.submit(() -> {
                    List<UUID> claimedConsumers = new ArrayList<>();
                    while (mayContinue.getAsBoolean()) {
                        if (!claimedConsumers.isEmpty() && random.nextInt(REQUESTS_PER_RELEASE) == 0) {
                            release(claimedConsumers.remove(random.nextInt(claimedConsumers.size())));
                        } else {
                            claim(hosts.get(random.nextInt(HOSTS)), claimedConsumers);
                        }
                        Thread.sleep(PAUSE_MS);
                    }
                    return null;
                }));
            }
            for (Future<?> client : clientRuns) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void claim(UUID host, List<UUID> claimedConsumers) throws InterruptedException {
        UUID consumer = UUID.randomUUID();
        long sentMs = System.currentTimeMillis();
        var response = replicas.call("PUT", "/allocations/" + consumer, """
                {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "consumer_generation": null,
                 "consumer_type": "INSTANCE", "project_id": "steady", "user_id": "steady"}""".formatted(host));
        if (addToJournal(response, Kind.CLAIMED, Kind.CLAIM_UNKNOWN, consumer, sentMs)) {
            claimedConsumers.add(consumer);
        }
    }

    private void release(UUID consumer) throws InterruptedException {
        long sentMs = System.currentTimeMillis();
        var response = replicas.call("DELETE", "/allocations/" + consumer, null);
        addToJournal(response, Kind.RELEASED, Kind.RELEASE_UNKNOWN, consumer, sentMs);
    }

    /** Adds the outcome of a request to the journal. Returns whether the request succeeded. */
    private boolean addToJournal(Replicas.Response response, Kind successKind, Kind unknownKind, UUID consumer,
            long sentMs) {
        boolean isDone = response.status() == 204;
        switch (response.status()) {
            case 204 -> {}
            case 503 -> unavailable.incrementAndGet();
            case Replicas.UNANSWERED -> {}
            default -> wrongResponses.add(successKind + " " + consumer + ": " + response);
        }
        journal.add(new Entry(isDone ? successKind : unknownKind, consumer, sentMs, System.currentTimeMillis()));
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
        return List.copyOf(wrongResponses);
    }

    /** Returns the number of requests that every replica refused with 503 or with a refused connection. */
    int unavailable() {
        return unavailable.get();
    }
}
