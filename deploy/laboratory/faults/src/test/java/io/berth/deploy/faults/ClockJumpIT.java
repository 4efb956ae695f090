package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests that the services' wall clocks may jump while PostgreSQL's does not: decisions by age use the database's clock,
 * and waits use a monotonic clock.
 */
class ClockJumpIT {
    /** Jumps of days, hours and seconds, forward and backward. */
    private static final List<Duration> JUMPS = List.of(
            Duration.ofHours(1), Duration.ofHours(-2), Duration.ofDays(400), Duration.ofSeconds(-30), Duration.ZERO);

    private final Cloud cloud = Cloud.shared();

    @Test
    void keepsHostsAliveAndClaimsUndelayedWhenTheClockJumps() throws Exception {
        var found = WallClock.findOne();
        assumeTrue(found.isPresent(), "skipped: no cc to compile the library that makes clocks jump");
        try (WallClock clock = found.get()) {
            Map<String, String> environment = new HashMap<>(clock.environment());
            environment.put("BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()));
            try (var placement = ServiceProcess.start(Packaged.PLACEMENT, environment)) {
                environment.put("BERTH_PLACEMENT_URL", placement.url());
                try (var scheduler = ServiceProcess.start(Packaged.SCHEDULER, environment)) {
                    walk(clock, new Api(placement.url()), new Api(scheduler.url()));
                }
            }
        }
    }

    private void walk(WallClock clock, Api placement, Api scheduler) throws Exception {
        SchedulerHosts hosts = SchedulerHosts.make(placement, 3);
        List<UUID> services = hosts.register(scheduler);
        var claims = new ClaimLoad(List.of(placement), Cloud.hosts(placement, 8), 4, cloud.seed());
        var selections = new SelectLoad(scheduler, hosts.trait(), 2);
        try (claims; selections) {
            claims.awaitAcknowledged(50);
            for (Duration jump : JUMPS) {
                clock.set(jump);
                Instant requestedAt = Instant.now();
                // The metric has whole seconds.
                assertThat(placement.wallClock()).as("the clock after %s", jump)
                        .isBetween(requestedAt.plus(jump).minusSeconds(2), Instant.now().plus(jump).plusSeconds(2));
                claims.awaitAcknowledged(50);
                selections.awaitAcknowledged(5);
                assertThat(placement.isReady()).as("placement is ready after %s", jump).isTrue();
                assertThat(scheduler.isReady()).as("the scheduler is ready after %s", jump).isTrue();
                SchedulerHosts.beat(scheduler, services);
            }
        }
        System.out.println("clock jumps: " + claims + "; selections " + selections);
        assertThat(claims.count(503) + selections.count(503)).as("refusals").isZero();
        try (Connection database = cloud.postgres().connect()) {
            claims.books.check(database);
            selections.books.check(database);
        }
    }
}
