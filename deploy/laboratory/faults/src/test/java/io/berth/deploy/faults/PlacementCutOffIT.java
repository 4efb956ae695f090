package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import io.berth.deploy.wire.Wire;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests faults of the network between scheduler and placement while instances are placed: connections are reset or
 * stalled, packets are dropped, or responses are delayed.
 */
class PlacementCutOffIT {
    private static final int HOSTS = 10;
    private static final Duration PLACEMENT_TIMEOUT = Duration.ofSeconds(3);
    private static final long LONGER_THAN_THE_TIMEOUT_MS = PLACEMENT_TIMEOUT.toMillis() + 1_000;

    private final Cloud cloud = Cloud.shared();

    @Test
    void releasesRefusedRequestsAndKeepsAcknowledgedOnes() throws Exception {
        String trait = SchedulerHosts.make(cloud.placement(0), HOSTS).trait();
        try (Wire wire = Wire.to(URI.create(cloud.url(0)).getPort());
                var scheduler = ServiceProcess.start(Packaged.SCHEDULER, Map.of(
                        "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()),
                        "BERTH_PLACEMENT_TIMEOUT", PLACEMENT_TIMEOUT.toString(),
                        "BERTH_PLACEMENT_URL", "http://127.0.0.1:" + wire.port()))) {
            var load = new SelectLoad(new Api(scheduler.url()), trait, 6);
            try (load) {
                load.awaitAcknowledged(20);
                Footprint before = Footprint.of(scheduler.process());
                for (int round = 0; round < (Cloud.LONG ? 10 : 2); round++) {
                    wire.cut();
                    Await.pause(700);
                    recovers(wire, load, "reset");
                }
                wire.stall();
                Await.pause(LONGER_THAN_THE_TIMEOUT_MS);
                recovers(wire, load, "stalled");
                wire.swallow();
                Await.pause(Cloud.LONG ? 60_000 : 3_000);
                recovers(wire, load, "swallowed");
                wire.delay(Duration.ofMillis(30));
                load.awaitAcknowledged(10);
                wire.pass();
                Footprint.checkAgainst(before, scheduler.process());
            }
            System.out.println("  " + load);
            assertThat(load.count(503)).as("requests that the faults made fail").isPositive();
            try (Connection database = cloud.postgres().connect()) {
                Set<UUID> refused = new HashSet<>(load.refused);
                Await.eventually("the claims of refused requests are released", () -> heldBy(database, refused) == 0);
                refused.forEach(instance -> load.books.holds(instance, Map.of()));
                load.books.check(database);
            }
        }
    }

    private static void recovers(Wire wire, SelectLoad load, String fault) {
        wire.pass();
        System.out.printf("placement %s: selections again after %d ms%n",
                fault, load.awaitAcknowledged(1).toMillis());
        load.awaitAcknowledged(10);
    }

    private static long heldBy(Connection database, Set<UUID> consumers) {
        String query = "SELECT count(*) FROM allocations WHERE consumer_uuid = ANY(?)";
        try (var statement = database.prepareStatement(query)) {
            statement.setArray(1, database.createArrayOf("uuid", consumers.toArray()));
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
