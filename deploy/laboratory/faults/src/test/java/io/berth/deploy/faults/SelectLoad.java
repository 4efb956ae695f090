package io.berth.deploy.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients of the scheduler that each request two instances at a time, one request after the other. */
final class SelectLoad extends Load {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Longer than any timeout of the scheduler, which itself is always running. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(90);

    final Books books = new Books();
    /** Instances whose requests ended with 503; their claims are released eventually. */
    final Queue<UUID> refused = new ConcurrentLinkedQueue<>();
    private final Api scheduler;
    private final String trait;

    /** @param trait the trait of the hosts of this load */
    SelectLoad(Api scheduler, String trait, int clientCount) {
        super(200);
        this.scheduler = scheduler;
        this.trait = trait;
        begin(clientCount, number -> this::work);
    }

    private void work() {
        List<UUID> instances = List.of(UUID.randomUUID(), UUID.randomUUID());
        Api.Response response = counted(scheduler.call("POST", "/v1/select_destinations", """
                {"instance_uuids": ["%s", "%s"], "request_spec": {"project_id": "p", "user_id": "u",
                 "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 10,
                            "extra_specs": {"trait:%s": "required"}}}}"""
                .formatted(instances.get(0), instances.get(1), trait), ANSWER_MAX));
        switch (response.status()) {
            case 200 -> selected(instances, response);
            case 503 -> {
                refused.addAll(instances);
                Await.pause(50);
            }
            default -> books.wrong("select: " + response);
        }
    }

    private void selected(List<UUID> instances, Api.Response response) {
        try {
            JsonNode selections = JSON.readTree(response.body()).get("selections");
            for (int i = 0; i < instances.size(); i++) {
                UUID host = UUID.fromString(selections.get(i).get(0).get("compute_node_uuid").textValue());
                books.holds(instances.get(i), Map.of(host, 1));
            }
        } catch (JsonProcessingException e) {
            books.wrong("select: " + e.getMessage());
        }
    }

    @Override
    public String toString() {
        return super.toString() + ", instances refused " + refused.size();
    }
}
