package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests faults of the network between placement and PostgreSQL under claims: packets are dropped, connections are
 * reset, or responses are delayed.
 */
class DatabaseCutOffIT {
    /** Two replicas with 8 + 1 + 3 connections each, plus lost connections that PostgreSQL has not noticed yet. */
    private static final int SESSIONS_MAX = 48;

    private final Cloud cloud = Cloud.shared();

    @AfterEach
    void restoreTheNetwork() {
        cloud.wire().pass();
    }

    @Test
    void refusesAtOnceWhilePacketsAreDroppedAndRecoversAfterwards() throws Exception {
        ClaimLoad load = cloud.claims(16);
        Footprint before = Footprint.of(cloud.process(0));
        try (load; var lamp = new Lamp(cloud.placement(0))) {
            cloud.wire().swallow();
            Api.Response first = cloud.placement(0).get("/resource_providers");
            assertThat(first.isUnavailable()).as("%s", first).isTrue();
            for (int i = 0; i < 5; i++) {
                Api.Response read = cloud.placement(0).get("/resource_providers");
                assertThat(read.isUnavailable()).as("%s", read).isTrue();
                Api.Response claim = cloud.placement(0).call("DELETE", "/allocations/" + UUID.randomUUID(), null);
                assertThat(claim.isUnavailable()).as("%s", claim).isTrue();
                Api.Response write = cloud.placement(0).call("PUT", "/traits/CUSTOM_SWALLOWED", null);
                assertThat(write.isUnavailable()).as("%s", write).isTrue();
                Await.pause(300);
            }
            lamp.awaitRed();
            Await.pause(Cloud.LONG ? 60_000 : 5_000);
            cloud.wire().pass();
            System.out.printf("swallowed: claims again after %d ms%n",
                    load.awaitAcknowledged(1).toMillis());
            load.awaitAcknowledged(100);
            lamp.checkRedAndGreenAgain();
        }
        cloud.checkAfter(load);
        Footprint.checkAgainst(before, cloud.process(0));
        try (Connection database = cloud.postgres().connect()) {
            assertThat(Books.count(database, """
                    SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"""))
                    .as("sessions of PostgreSQL").isLessThan(SESSIONS_MAX);
        }
    }

    @Test
    void refusesAtOnceWhileConnectionsAreResetAndRecoversAfterwards() throws Exception {
        ClaimLoad load = cloud.claims(16);
        try (load; var lamp = new Lamp(cloud.placement(0))) {
            for (int round = 0; round < (Cloud.LONG ? 20 : 3); round++) {
                cloud.wire().cut();
                Await.pause(500);
                Api.Response read = cloud.placement(0).get("/resource_providers");
                assertThat(read.isUnavailable()).as("%s", read).isTrue();
                lamp.awaitRed();
                cloud.wire().pass();
                System.out.printf("reset: claims again after %d ms%n",
                        load.awaitAcknowledged(1).toMillis());
                load.awaitAcknowledged(50);
            }
            lamp.checkRedAndGreenAgain();
        }
        cloud.checkAfter(load);
    }

    @Test
    void refusesNoRequestWhileTheNetworkIsSlow() throws Exception {
        ClaimLoad load = cloud.claims(16);
        long refused = load.count(503);
        try (load) {
            cloud.wire().delay(Duration.ofMillis(40));
            load.awaitAcknowledged(200);
            cloud.wire().pass();
        }
        assertThat(load.count(503)).as("refusals").isEqualTo(refused);
        cloud.checkAfter(load);
    }
}
