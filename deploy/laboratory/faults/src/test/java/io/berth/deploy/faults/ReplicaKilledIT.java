package io.berth.deploy.faults;

import org.junit.jupiter.api.Test;

/** Tests claims through two placement replicas while one of them is killed and started again. */
class ReplicaKilledIT {
    private static final int ROUNDS = Cloud.LONG ? 10 : 2;

    private final Cloud cloud = Cloud.shared();

    @Test
    void writesEachClaimOfAKilledReplicaWhollyOrNotAtAll() throws Exception {
        ClaimLoad load = cloud.claims(16);
        Footprint other = Footprint.of(cloud.process(1));
        try (load) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitAcknowledged(100);
                cloud.process(0).destroyForcibly().waitFor();
                // Its transactions end with its connections: no other transaction waits for its locks.
                System.out.printf("replica killed: 100 claims by the other in %d ms%n",
                        load.awaitAcknowledged(100).toMillis());
                cloud.startAgain(0);
                cloud.awaitReady(0);
            }
            load.awaitAcknowledged(100);
        }
        cloud.checkAfter(load);
        Footprint.checkAgainst(other, cloud.process(1));
    }
}
