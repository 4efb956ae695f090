package io.berth.deploy.faults;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service whose database address leads to a standby, as it may for a while during a failover. */
class StandbyIT {
    private static final List<String> READS = List.of(
            "/resource_providers", "/allocations/" + UUID.randomUUID(), "/usages?project_id=p", "/traits",
            "/allocation_candidates?resources=VCPU:1");

    @TempDir
    Path folder;

    @Test
    void refusesStaleReadsOnAStandbyAndRecoversOnThePrimary() throws Exception {
        try (var postgres = Postgres.start(folder);
                var service = ServiceProcess.start(Packaged.PLACEMENT, postgres.url(postgres.port()))) {
            var placement = new Api(service.url());
            assertThat(placement.call("PUT", "/traits/CUSTOM_BEFORE", null).status()).isEqualTo(201);
            postgres.kill();
            Files.createFile(folder.resolve("data/standby.signal"));
            postgres.startAgain();
            for (int round = 0; round < 5; round++) {
                for (String path : READS) {
                    Api.Response refused = placement.get(path);
                    assertThat(refused.isUnavailable()).as("%s: %s", path, refused).isTrue();
                }
            }
            assertThat(placement.get("/q/health/ready").status()).isEqualTo(503);
            try (var connection = postgres.connect(); var statement = connection.createStatement()) {
                statement.execute("SELECT pg_promote()");
            }
            eventually("writes again", () -> placement.call("PUT", "/traits/CUSTOM_AFTER", null).status() == 201);
            eventually("reads again", () -> READS.stream().allMatch(path -> placement.get(path).status() == 200));
        }
    }
}
