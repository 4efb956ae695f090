package io.berth.scheduler.api;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** As {@link CapacityIT}, with the filters that are enabled by default: most requests are counted without asking hosts. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class CapacityByDefaultIT {
    @Test
    void equalsPlacingOneAfterTheOther() {
        for (long i = 0; i < CapacityIT.CLOUDS; i++) {
            CapacityIT.check(CapacityIT.SEED + i, false);
        }
    }

    /** Shared disks; who weighs builds under way, of which none is left, places the last one elsewhere. */
    @Test
    void countsNoBuildThatHasEnded() {
        CapacityIT.check(2026112506, false);
    }
}
