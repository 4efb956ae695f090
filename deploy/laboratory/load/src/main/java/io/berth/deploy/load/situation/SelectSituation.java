package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Answer;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Decisions of the scheduler, claims included: {@code POST /v1/select_destinations} for one small instance at a time.
 * Phases of a decision are counted where the service tells them ({@code Server-Timing}).
 */
record SelectSituation(String name) implements Situation {
    private static final Map<String, Integer> AMOUNTS = Map.of("VCPU", 1, "MEMORY_MB", 64, "DISK_GB", 1);
    private static final int DECISIONS_PER_HOST_MAX = 250;

    @Override
    public Target target(Stage stage) {
        return stage.scheduler();
    }

    @Override
    public Act begin(Stage stage) {
        return new Selecting(stage);
    }

    private final class Selecting implements Act {
        private final Stage stage;
        private final SplittableRandom random;
        private final Set<UUID> hosts;
        private final Claims claims;
        private final ArrayDeque<UUID> instances = new ArrayDeque<>();

        Selecting(Stage stage) {
            this.stage = stage;
            this.random = new SplittableRandom(stage.seed() ^ System.nanoTime());
            this.hosts = new HashSet<>(ClaimSituation.rootsOf(stage.fleet()));
            this.claims = new Claims(stage.books());
        }

        @Override
        public Traffic traffic() {
            return this::next;
        }

        private Exchange next() {
            if (claims.count() >= DECISIONS_PER_HOST_MAX * hosts.size()) {
                return null;
            }
            UUID instance = Claim.newConsumer(random);
            String body = """
                    {"instance_uuids":["%s"],"return_alternates":true,"request_spec":{"num_instances":1,\
                    "project_id":"bench-project","user_id":"bench-user","flavor":{"id":1,"name":"bench",\
                    "vcpus":%d,"memory_mb":%d,"root_gb":%d}}}"""
                    .formatted(instance, AMOUNTS.get("VCPU"), AMOUNTS.get("MEMORY_MB"), AMOUNTS.get("DISK_GB"));
            return Exchange.post(name, "/v1/select_destinations", body, answer -> judge(instance, answer));
        }

        private Outcome judge(UUID instance, Answer answer) {
            if (answer.status() != 200) {
                return answer.wrong(name);
            }
            String host = answer.json().path("selections").path(0).path(0).path("compute_node_uuid").asText();
            if (host.isEmpty() || !hosts.contains(UUID.fromString(host))) {
                return new Outcome.Wrong(name + ": selected no host of the fleet but '" + host + "'");
            }
            claims.hold(new Claim(instance, UUID.fromString(host), AMOUNTS));
            instances.add(instance);
            return Outcome.GOOD;
        }

        @Override
        public List<String> end() throws InterruptedException {
            List<String> problems = new ArrayList<>(claims.auditAndRelease(stage, List.of()));
            problems.addAll(stage.play(stage.scheduler(), this::forgetNext));
            return problems;
        }

        /** Takes an instance out of the scheduler's registry. */
        private Exchange forgetNext() {
            UUID instance = instances.poll();
            return instance == null ? null : Exchange.delete("forget", "/v1/instances/" + instance, answer ->
                    answer.status() == 204 || answer.status() == 404
                            ? Outcome.GOOD
                            : answer.wrong(HttpMethod.DELETE + " /v1/instances/" + instance));
        }
    }
}
