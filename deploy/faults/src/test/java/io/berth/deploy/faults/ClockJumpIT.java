package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The services' wall clocks jump, and PostgreSQL's does not: whatever is decided by age is decided by the database's
 * clock, and whatever waits does so by a clock that cannot jump. Uses Debian's faketime.
 */
class ClockJumpIT {
    private static final Path FAKETIME = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    /** Less than the smallest jump. */
    private static final Duration GOES_ON_WITHIN = Duration.ofSeconds(25);
    private static final long CLOCK_IS_READ_EVERY_MS = 1_000;
    /** Days, hours and seconds, both ways. */
    private static final List<String> JUMPS = List.of("+3600", "-7200", "+400d", "-30", "+0");

    private final Cloud cloud = Cloud.shared();

    @Test
    void neitherTakesHostsForDeadNorDelaysAClaim() throws Exception {
        assumeTrue(Files.exists(FAKETIME), "skipped: clocks jump by " + FAKETIME + ", Debian's package faketime");
        Path clock = Files.createTempFile("berth-faults-clock", null);
        jump(clock, "+0");
        Map<String, String> environment = new HashMap<>(Map.of(
                "LD_PRELOAD", FAKETIME.toString(),
                "FAKETIME_TIMESTAMP_FILE", clock.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port())));
        try (var placement = ServiceProcess.start(Path.of("..", "..", "placement-service"), environment)) {
            environment.put("BERTH_PLACEMENT_URL", placement.url());
            try (var scheduler = ServiceProcess.start(Path.of("..", "..", "scheduler-service"), environment)) {
                walk(clock, new Api(placement.url()), new Api(scheduler.url()));
            }
        } finally {
            Files.delete(clock);
        }
    }

    private void walk(Path clock, Api placement, Api scheduler) throws Exception {
        SchedulerHosts hosts = SchedulerHosts.make(placement, 3);
        List<UUID> services = hosts.register(scheduler);
        var claims = new ClaimLoad(List.of(placement), Cloud.hosts(placement, 8), 8, cloud.seed());
        var selections = new SelectLoad(scheduler, hosts.trait(), 2);
        try (claims; selections) {
            claims.awaitAcknowledged(50, Duration.ofSeconds(30));
            for (String jump : JUMPS) {
                jump(clock, jump);
                ClaimLoad.pause(2 * CLOCK_IS_READ_EVERY_MS);
                claims.awaitAcknowledged(50, GOES_ON_WITHIN);
                selections.awaitSelected(5, GOES_ON_WITHIN);
                assertThat(placement.isReady()).as("placement is ready after %s", jump).isTrue();
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

    private static void jump(Path clock, String by) throws IOException {
        Path written = Files.writeString(Path.of(clock + ".new"), by + "\n");
        Files.move(written, clock, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
