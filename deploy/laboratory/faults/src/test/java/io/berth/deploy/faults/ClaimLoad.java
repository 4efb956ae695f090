package io.berth.deploy.faults;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Clients that claim and release allocations at placement, one call at a time, and record the responses. Some hosts are
 * full most of the time, which tests the capacity limits.
 */
final class ClaimLoad extends Load {
    private static final double RELEASES = 0.4;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(45);

    final Books books = new Books();
    private final List<Api> replicas;
    private final List<UUID> hosts;

    /** @param replicas each call goes to a random one of them */
    ClaimLoad(List<Api> replicas, List<UUID> hosts, int clientCount, long seed) {
        super(204);
        this.replicas = replicas;
        this.hosts = hosts;
        begin(clientCount, number -> {
            var random = new Random(seed + number);
            Map<UUID, Map<UUID, Integer>> mine = new HashMap<>();
            return () -> work(random, mine);
        });
    }

    private void work(Random random, Map<UUID, Map<UUID, Integer>> mine) {
        Api replica = replicas.get(random.nextInt(replicas.size()));
        boolean isServed = !mine.isEmpty() && random.nextDouble() < RELEASES
                ? release(replica, mine)
                : claim(replica, mine, random);
        if (!isServed) {
            Await.pause(20);
        }
    }

    private boolean claim(Api replica, Map<UUID, Map<UUID, Integer>> mine, Random random) {
        UUID consumer = UUID.randomUUID();
        Map<UUID, Integer> vcpus = new HashMap<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            vcpus.put(hosts.get(random.nextInt(hosts.size())), 1 + random.nextInt(3));
        }
        books.mayHold(consumer, Map.of(), vcpus);
        Api.Response response = counted(replica.call("PUT", "/allocations/" + consumer, body(vcpus), ANSWER_MAX));
        switch (response.status()) {
            case 204 -> {
                books.holds(consumer, vcpus);
                mine.put(consumer, vcpus);
            }
            case 409 -> books.holds(consumer, Map.of());
            case 503, Api.NO_RESPONSE -> {
                return false;
            }
            default -> books.wrong("PUT: " + response);
        }
        return true;
    }

    private boolean release(Api replica, Map<UUID, Map<UUID, Integer>> mine) {
        UUID consumer = mine.keySet().iterator().next();
        Map<UUID, Integer> vcpus = mine.remove(consumer);
        books.mayHold(consumer, vcpus, Map.of());
        Api.Response response = counted(replica.call("DELETE", "/allocations/" + consumer, null, ANSWER_MAX));
        switch (response.status()) {
            case 204 -> books.holds(consumer, Map.of());
            case 503, Api.NO_RESPONSE -> {
                return false;
            }
            default -> books.wrong("DELETE of an acknowledged claim: " + response);
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

    @Override
    public String toString() {
        return super.toString() + ", acknowledged and held " + books.acknowledged()
                + ", unanswered " + books.unanswered();
    }
}
