package io.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.fleet.FleetFeed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SmokeTest {
    @Inject
    FleetFeed feed;

    @Test
    void loadsTheStandardNames() {
        var view = feed.fresh().await().indefinitely();
        assertThat(view.traits().find("COMPUTE_STATUS_DISABLED")).isNotNull();
        assertThat(view.resourceClasses().find("VCPU").id()).isZero();
    }
}
