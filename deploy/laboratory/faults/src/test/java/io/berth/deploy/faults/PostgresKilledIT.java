package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests claims while all processes of PostgreSQL are killed and started again on the same data. */
class PostgresKilledIT {
    private static final int ROUNDS = Cloud.LONG ? 10 : 2;
    private static final List<String> READS =
            List.of("/resource_providers", "/allocation_candidates?resources=VCPU:1", "/traits");
    private static final Duration AWAY = Duration.ofSeconds(2);

    private final Cloud cloud = Cloud.shared();

    @Test
    void keepsEveryAcknowledgedClaimAndRecovers() throws Exception {
        ClaimLoad load = cloud.claims(16);
        Footprint before = Footprint.of(cloud.process(0));
        try (load; var lamp = new Lamp(cloud.placement(0))) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitAcknowledged(100);
                cloud.postgres().kill();
                Await.pause(AWAY.toMillis());
                for (String path : READS) {
                    Api.Response refused = cloud.placement(0).get(path);
                    assertThat(refused.isUnavailable()).as("%s: %s", path, refused).isTrue();
                }
                lamp.awaitRed();
                cloud.postgres().startAgain();
                System.out.printf("PostgreSQL killed: claims again after %d ms%n",
                        load.awaitAcknowledged(1).toMillis());
            }
            load.awaitAcknowledged(100);
            lamp.checkRedAndGreenAgain();
        }
        cloud.checkAfter(load);
        Footprint.checkAgainst(before, cloud.process(0));
        assertThat(load.count(503)).as("claims that the kill made fail").isPositive();
    }
}
