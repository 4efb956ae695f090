package io.berth.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Seed;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.planning.DrainPlan;
import io.berth.scheduler.planning.DrainPlanner;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Carries out the drains that the planner forecasts and compares the moves. {@code -Dberth.test.clouds} sets the number
 * of random clouds, {@code -Dberth.test.seed} the seed of the first.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
@TestProfile(DrainsIT.ManyFilters.class)
class DrainsIT {
    public static final class ManyFilters implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return CapacityIT.MANY_FILTERS;
        }
    }

    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 3);
    private static final long SEED = Seed.of(DrainsIT.class);

    @Inject
    AnalysisJobs jobs;

    @Inject
    DrainPlanner drains;

    private DrainPlan plan(List<String> hosts) {
        return jobs
                .run(
                        new Deadline(Duration.ofSeconds(60)), "req-drain",
                        snapshot -> drains.plan(snapshot, hosts, Map.of()))
                .await().indefinitely();
    }

    /** Continues until a cloud whose instances have dedicated CPUs had moves. */
    @Test
    void theForecastMatchesTheMovesMadeOneByOne() {
        int movedPinned = 0;
        for (int i = 0; i < CLOUDS || movedPinned == 0; i++) {
            assertThat(i).isLessThan(CLOUDS + 50);
            boolean pinned = i == 0 || i >= CLOUDS;
            int moved = drain(new MovingCloud(SEED + i, pinned), "seed " + (SEED + i));
            movedPinned += pinned ? moved : 0;
        }
    }

    /** Returns how many instances moved. */
    private int drain(MovingCloud cloud, String seed) {
        int moved = 0;
        List<String> hosts = cloud.busiest().subList(0, 1 + cloud.random().nextInt(2));
        // The second drain begins on the fleet that the first one left.
        for (int i = 0; i < 2; i++) {
            DrainPlan forecast = plan(hosts);
            String about = seed + ": " + forecast;
            assertThat(forecast.gaps()).as(about).isEmpty();
            for (DrainPlan.Instance each : forecast.instances()) {
                String instance = each.uuid().toString();
                String host = cloud.move(instance, each.from().host(), cloud.without(instance, hosts));
                assertThat(each.to() == null ? null : each.to().host()).as(each + " in " + about).isEqualTo(host);
                moved += host == null ? 0 : 1;
            }
            for (DrainPlan.Host host : forecast.hosts()) {
                Map<String, Integer> left = new HashMap<>();
                host.left().forEach((name, amount) -> left.put(name, amount.intValue()));
                assertThat(MovingCloud.use(host.name())).as(about).isEqualTo(left);
            }
            hosts = cloud.busiest().subList(0, 1);
        }
        return moved;
    }
}
