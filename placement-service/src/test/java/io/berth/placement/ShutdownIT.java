package io.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests SIGTERM during claims: acknowledged claims persist, and a client that follows readiness sees no failure. */
@Tag("process")
class ShutdownIT {
    private static final int CLIENTS = 16;
    private static final int CLAIMS_BEFORE = 300;
    private static final int STOP_SECONDS_MAX = 300;
    /** The exit status after SIGTERM. */
    private static final int TERMINATED = 143;

    private static ReplicaProcess remaining;
    private final String host = UUID.randomUUID().toString();
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<Api.Response> refused = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void startTheReplicaThatStays() {
        remaining = ReplicaProcess.start();
    }

    @AfterAll
    static void stop() {
        remaining.close();
    }

    @Tag("long")
    @Test
    void aProxyThatFollowsReadinessSeesNoFailure() throws Exception {
        try (var leaving = ReplicaProcess.start(Map.of("QUARKUS_SHUTDOWN_DELAY", "20S"))) {
            var isReady = new AtomicBoolean(true);
            stopUnderLoad(leaving, isReady::get, () -> {
                while (leaving.call("GET", "/q/health/ready", null).status() == 200) {
                    Await.pause(20);
                }
                isReady.set(false);
            });
        }
        assertThat(unanswered).isEmpty();
        assertThat(refused).isEmpty();
        assertEveryAcknowledgedClaimPersists();
        assertThat(used()).isEqualTo(acknowledged.size());
    }

    @Test
    void acknowledgedClaimsPersistIfClientsSendUntilTheProcessExits() throws Exception {
        try (var leaving = ReplicaProcess.start()) {
            stopUnderLoad(leaving, () -> leaving.process().isAlive(), () -> {});
        }
        assertThat(refused).allSatisfy(reply -> assertThat(reply.status()).as(reply.body()).isEqualTo(503));
        assertEveryAcknowledgedClaimPersists();
        // A claim without a response may have been written; one with 503 was not.
        assertThat(used()).isBetween((long) acknowledged.size(), (long) acknowledged.size() + unanswered.size());
    }

    /**
     * @param continues read by each client before each claim; the client stops if it is false
     * @param afterwards runs in this thread after SIGTERM
     */
    private void stopUnderLoad(ReplicaProcess leaving, BooleanSupplier continues, Runnable afterwards) throws Exception {
        remaining.call("POST", "/resource_providers", "{\"uuid\": \"%s\", \"name\": \"%s\"}".formatted(host, host));
        var room = remaining.call("PUT", "/resource_providers/" + host + "/inventories", """
                {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 1000000}}}""");
        assertThat(room.status()).as(room.body()).isEqualTo(200);
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> {
                    while (continues.getAsBoolean()) {
                        claim(leaving);
                    }
                }));
            }
            while (acknowledged.size() < CLAIMS_BEFORE) {
                assertThat(leaving.process().isAlive()).isTrue();
                Await.pause(20);
            }
            leaving.process().destroy();
            afterwards.run();
            for (Future<?> client : running) {
                client.get(STOP_SECONDS_MAX, TimeUnit.SECONDS);
            }
            assertThat(leaving.process().waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(leaving.process().exitValue()).isEqualTo(TERMINATED);
        }
    }

    private void claim(ReplicaProcess replica) {
        String consumer = UUID.randomUUID().toString();
        var reply = replica.call("PUT", "/allocations/" + consumer, """
                {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "consumer_generation": null,
                 "consumer_type": "INSTANCE", "project_id": "p", "user_id": "u"}""".formatted(host));
        switch (reply.status()) {
            case 204 -> acknowledged.add(consumer);
            case Api.NO_RESPONSE -> {
                unanswered.add(consumer);
                Await.pause(20);
            }
            default -> refused.add(reply);
        }
    }

    private void assertEveryAcknowledgedClaimPersists() {
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(CLAIMS_BEFORE);
        String allocations = remaining.call("GET", "/resource_providers/" + host + "/allocations", null).body();
        assertThat(acknowledged).allMatch(allocations::contains);
    }

    private long used() {
        String usages = remaining.call("GET", "/resource_providers/" + host + "/usages", null).body();
        return Long.parseLong(usages.replaceAll(".*\"VCPU\": ?(\\d+).*", "$1"));
    }
}
