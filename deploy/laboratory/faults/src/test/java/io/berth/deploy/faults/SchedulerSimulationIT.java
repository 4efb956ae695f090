package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import java.sql.Connection;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests clients that concurrently place, move, reschedule and delete instances through two schedulers, while schedulers
 * are killed and placement is unreachable. Some clients write only to placement, as nova does. {@code
 * -Dberth.test.seed} repeats a run, except for timing; {@code -Dberth.test.runs} makes that many runs with consecutive
 * seeds.
 */
@Tag("long")
class SchedulerSimulationIT {
    private static final int RUNS = Integer.getInteger("berth.test.runs", Cloud.LONG ? 30 : 1);
    private static final int STEPS = 24;

    @Test
    void tablesMatchTheResponsesUnderConcurrentCommandsAndFaults() throws Exception {
        long first = Seed.of(SchedulerSimulationIT.class);
        try (var cloud = new SimulatedCloud(); Connection database = cloud.connect()) {
            for (long seed = first; seed < first + RUNS; seed++) {
                Map<String, Integer> happened = new Simulation(cloud, database, seed).run(STEPS);
                System.out.println("  " + happened);
                assertThat(happened.getOrDefault("Select done", 0)).as("of " + happened).isGreaterThan(STEPS / 4);
            }
        }
    }
}
