package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Seed;
import io.berth.deploy.process.ServiceProcess;
import io.berth.identity.outgoing.Credentials;
import io.berth.scheduler.api.PackagedPlacement;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.RootCandidates;
import io.berth.scheduler.placement.feed.CandidatesParser;
import io.berth.scheduler.placement.inflight.AdmissionBalancer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests against a real Placement that every response in references equals the plain response to the same query. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class CandidatesFeedIT {
    private static final int HOSTS = 12;
    private static final int STEPS = 120;
    private static final int VCPUS = 3;

    private final Vertx vertx = Vertx.vertx();
    private final String trait = "CUSTOM_F" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final List<String> hosts = new ArrayList<>();
    private PlacementHttp http;
    private HttpPlacementClient client;

    @BeforeEach
    void start() {
        connect(PackagedPlacement.url());
        send(HttpMethod.PUT, "/traits/" + trait, null, 201);
        for (int i = 0; i < HOSTS; i++) {
            addHost();
        }
    }

    private void connect(String url) {
        http = new PlacementHttp(vertx, new PlacementConfig(
                url, "admin",
                Duration.ofMinutes(5), Duration.ofMinutes(5), 4, 100), Credentials.token("admin"), Optional.empty());
        client = new HttpPlacementClient(http, new CandidatesExchange(http, new FleetHeap(1L << 30)));
    }

    @AfterEach
    void stop() {
        http.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void addHost() {
        String uuid = UUID.randomUUID().toString();
        send(HttpMethod.POST, "/resource_providers", "{\"name\":\"%1$s\",\"uuid\":\"%1$s\"}".formatted(uuid), 200);
        send(HttpMethod.PUT, "/resource_providers/" + uuid + "/inventories",
                "{\"resource_provider_generation\":0,\"inventories\":{\"VCPU\":{\"total\":" + VCPUS + "}}}", 200);
        send(HttpMethod.PUT, "/resource_providers/" + uuid + "/traits",
                "{\"resource_provider_generation\":1,\"traits\":[\"" + trait + "\"]}", 200);
        hosts.add(uuid);
    }

    private PlacementHttp.Response send(HttpMethod method, String path, String body, int expected) {
        var answer = http.once(method, path, "1.36", body == null ? null : Buffer.buffer(body), "r")
                .await().atMost(Duration.ofMinutes(5));
        assertThat(answer.status()).as("%s %s: %s", method, path, answer.body()).isEqualTo(expected);
        return answer;
    }

    private AllocationCandidates read(String query) {
        var answer = client.allocationCandidates(query, "r").await().atMost(Duration.ofMinutes(5));
        return ((CandidatesResult.Found) answer).candidates();
    }

    private AllocationCandidates plain(String query) throws Exception {
        var answer = send(HttpMethod.GET, "/allocation_candidates?" + query, null, 200);
        return CandidatesParser.parseCandidates(answer.body().getBytes());
    }

    @Test
    void equalsPlainResponses() throws Exception {
        assertEqualsPlainResponses();
    }

    /**
     * Alternates between two replicas as HAProxy does. Trees are requested once, and later only those that one replica
     * changed and the other names.
     */
    @Test
    void reusesTreesOfReplicasThatTakeTurns() throws Exception {
        http.close();
        try (var second = ServiceProcess.start(Path.of("..", "placement-service"), PostgresForTests.url());
                var balancer = new AdmissionBalancer(PackagedPlacement.url(), second.url())) {
            connect(balancer.url());
            assertEqualsPlainResponses();
            assertThat(balancer.askedForTrees()).as("of %d responses", 2 * STEPS).isBetween(1, 4);
        }
    }

    private void assertEqualsPlainResponses() throws Exception {
        long seed = Seed.of(CandidatesFeedIT.class);
        var random = new Random(seed);
        List<UUID> consumers = new ArrayList<>();
        String all = "resources=VCPU%3A1&required=" + trait;
        AllocationCandidates before = read(all);
        int sameTrees = 0;
        for (int step = 0; step < STEPS; step++) {
            change(random, all, consumers);
            for (String query : List.of(all, all + "&limit=3")) {
                AllocationCandidates now = read(query);
                assertThat(now).as("step %d %s", step, query).isEqualTo(plain(query));
                if (query.equals(all)) {
                    for (RootCandidates root : now.roots()) {
                        sameTrees += before.roots().stream().anyMatch(old -> old.tree() == root.tree()) ? 1 : 0;
                    }
                    before = now;
                }
            }
        }
        assertThat(sameTrees).as("trees that stayed the same object").isGreaterThan(STEPS * HOSTS / 3);
    }

    private void change(Random random, String query, List<UUID> consumers) {
        int what = random.nextInt(20);
        if (what == 0) {
            addHost();
        } else if (what < 8 && !consumers.isEmpty()) {
            UUID consumer = consumers.remove(random.nextInt(consumers.size()));
            client.deleteAllocations(consumer, null, "r").await().atMost(Duration.ofMinutes(5));
        } else {
            AllocationCandidates candidates = read(query);
            if (!candidates.isEmpty()) {
                var root = candidates.roots().get(random.nextInt(candidates.roots().size()));
                UUID consumer = UUID.randomUUID();
                var claim = new Claim(consumer, root.requests().getFirst(), null, "p", "u");
                assertThat(client.putAllocations(claim, "r").await().atMost(Duration.ofMinutes(5)))
                        .isEqualTo(new ClaimResult.Claimed(consumer));
                consumers.add(consumer);
            }
        }
    }
}
