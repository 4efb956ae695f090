package io.berth.deploy.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Clients of the scheduler that ask for two instances at a time, each one request after the other. */
final class SelectLoad implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Longer than any timeout of the scheduler's own: the scheduler itself is never away. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(90);

    final Books books = new Books();
    /** Their requests ended with 503: sooner or later they hold nothing. */
    final Queue<UUID> refused = new ConcurrentLinkedQueue<>();
    private final Api scheduler;
    private final String trait;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
    private final AtomicLong slowestMs = new AtomicLong();

    /** @param trait what the hosts of this load are told by */
    SelectLoad(Api scheduler, String trait, int clientCount) {
        this.scheduler = scheduler;
        this.trait = trait;
        for (int i = 0; i < clientCount; i++) {
            clients.add(Thread.ofVirtual().start(this::work));
        }
    }

    private void work() {
        while (!ended.get()) {
            List<UUID> instances = List.of(UUID.randomUUID(), UUID.randomUUID());
            Api.Answer answer = scheduler.call("POST", "/v1/select_destinations", """
                    {"instance_uuids": ["%s", "%s"], "request_spec": {"project_id": "p", "user_id": "u",
                     "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 10,
                                "extra_specs": {"trait:%s": "required"}}}}"""
                    .formatted(instances.get(0), instances.get(1), trait), ANSWER_MAX);
            answers.computeIfAbsent(answer.status(), each -> new AtomicLong()).incrementAndGet();
            slowestMs.accumulateAndGet(answer.took().toMillis(), Math::max);
            switch (answer.status()) {
                case 200 -> selected(instances, answer);
                case 503 -> {
                    refused.addAll(instances);
                    ClaimLoad.pause(50);
                }
                default -> books.wrong("select: " + answer);
            }
        }
    }

    private void selected(List<UUID> instances, Api.Answer answer) {
        try {
            JsonNode selections = JSON.readTree(answer.body()).get("selections");
            for (int i = 0; i < instances.size(); i++) {
                UUID host = UUID.fromString(selections.get(i).get(0).get("compute_node_uuid").textValue());
                books.holds(instances.get(i), Map.of(host, 1));
            }
        } catch (JsonProcessingException e) {
            books.wrong("select: " + e.getMessage());
        }
    }

    long count(int status) {
        AtomicLong count = answers.get(status);
        return count == null ? 0 : count.get();
    }

    Duration awaitSelected(int more) {
        long wanted = count(200) + more;
        return Cloud.await("requests are served; answers so far " + answers, () -> count(200) >= wanted);
    }

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
        return "answers " + answers + ", slowest " + slowestMs + " ms, instances refused " + refused.size();
    }
}
