package io.berth.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Runs the comparison of {@link CapacityIT} with the default filters, with which most requests are counted without
 * evaluating hosts.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class CapacityByDefaultIT {
    @Test
    void capacityEqualsTheNumberOfInstancesThatCanBePlaced() {
        for (long i = 0; i < CapacityIT.CLOUDS; i++) {
            CapacityIT.check(CapacityIT.SEED + i, false);
        }
    }

    /** A request for dedicated CPUs falls back to shared ones where no host has dedicated ones. */
    @Test
    void dedicatedAndSharedCandidatesShareOneDiskPool() {
        Fleet fleet = new Fleet();
        String pool = Providers.add(UUID.randomUUID().toString(), fleet.name("pool"), null,
                Map.of("DISK_GB", Map.of("total", 30)), List.of("MISC_SHARES_VIA_AGGREGATE"));
        Providers.join(pool, List.of(pool));
        for (String processors : List.of("PCPU", "VCPU")) {
            String uuid = Providers.add(UUID.randomUUID().toString(), fleet.name(processors), null,
                    Map.of(processors, Map.of("total", 4), "MEMORY_MB", Map.of("total", 2048)), List.of(fleet.trait()));
            Providers.join(uuid, List.of(pool));
        }
        String spec =
                fleet.spec(1, "").replace("\"extra_specs\": {", "\"extra_specs\": {\"hw:cpu_policy\": \"dedicated\", ");
        JsonPath counted = CapacityIT.count(spec, ", \"by\": [\"host\"]");
        assertThat(counted.getInt("requests[0].count")).as(counted.prettify()).isEqualTo(3);
        assertThat(CapacityIT.fill(spec)).isEqualTo(counted.getMap("requests[0].by.host"));
    }

    /**
     * A cloud with shared disks. The weigher of running builds would place the last instance elsewhere if it counted a
     * build that has ended.
     */
    @Test
    void ignoresBuildsThatHaveEnded() {
        CapacityIT.check(2026112506, false);
    }
}
