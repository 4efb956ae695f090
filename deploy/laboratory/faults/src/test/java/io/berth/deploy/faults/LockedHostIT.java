package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Tests that claims on other hosts continue while another transaction locks the row of one provider for a long time.
 */
class LockedHostIT {
    private static final int HOSTS = 50;
    private static final int WAITING = 8;
    private static final int ACKNOWLEDGED_MEANWHILE_MIN = 1_000;
    /** Longer than {@code lock_timeout} of the ledger's connections. */
    private static final long HELD_MS_MIN = 15_000;

    private final Cloud cloud = Cloud.shared();

    @Test
    void claimsOnOtherHostsContinueWhileOneHostIsLocked() throws Exception {
        cloud.awaitReady(0);
        List<UUID> hosts = new ArrayList<>(Cloud.hosts(cloud.placement(0), HOSTS));
        UUID locked = hosts.removeLast();
        var load = new ClaimLoad(List.of(cloud.placement(0), cloud.placement(1)), hosts, 16, cloud.seed());
        try (load; var threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = cloud.postgres().connect(); var statement = other.createStatement()) {
            load.awaitAcknowledged(100);
            other.setAutoCommit(false);
            statement.execute("SELECT id FROM resource_providers WHERE uuid = '" + locked + "' FOR UPDATE");
            long heldSince = System.nanoTime();
            List<Future<Api.Response>> waiting = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                waiting.add(threads.submit(() -> cloud.placement(0).call("PUT", "/allocations/" + UUID.randomUUID(), """
                        {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "project_id": "p", "user_id": "u",
                         "consumer_type": "INSTANCE", "consumer_generation": null}""".formatted(locked))));
            }
            long before = load.count(204);
            load.awaitAcknowledged(ACKNOWLEDGED_MEANWHILE_MIN);
            Await.pause(Math.max(0, HELD_MS_MIN - (System.nanoTime() - heldSince) / 1_000_000));
            System.out.printf("one of %d hosts locked: %d claims and releases on the others meanwhile; %s%n",
                    HOSTS, load.count(204) - before, load);
            other.rollback();
            for (Future<Api.Response> each : waiting) {
                assertThat(each.get().status()).as("%s", each.get()).isIn(204, 503);
            }
            load.awaitAcknowledged(50);
        }
        assertThat(load.count(503) + load.count(Api.NO_RESPONSE)).as("failed claims on other hosts").isZero();
        cloud.checkAfter(load);
    }
}
