package io.berth.placement.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.OddDefaults;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Starts the service on a database with unusual defaults, which must not change what it reads and writes. */
@Tag("process")
class DatabaseDefaultsIT {
    @Test
    void servesRequestsWhateverTheDatabaseDefaultsAre() {
        try (var service = ServiceProcess.start(Path.of(""), OddDefaults.newDatabase())) {
            var placement = new Api(service.url());
            UUID host = UUID.randomUUID();
            UUID instance = UUID.randomUUID();
            expect(200, placement.call("POST", "/resource_providers", """
                    {"uuid": "%s", "name": "hôte-π"}""".formatted(host)));
            expect(200, placement.call("PUT", "/resource_providers/" + host + "/inventories", """
                    {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8, "allocation_ratio": 1.1}}}"""));
            expect(204, placement.call("PUT", "/allocations/" + instance, """
                    {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "consumer_generation": null,
                     "project_id": "p", "user_id": "u", "consumer_type": "INSTANCE"}""".formatted(host)));
            assertThat(placement.get("/resource_providers").body()).contains("hôte-π");
            assertThat(placement.get("/resource_providers/" + host + "/inventories").body())
                    .contains("\"allocation_ratio\":1.1");
            for (String path : List.of(
                    "/allocations/" + instance, "/usages?project_id=p", "/traits", "/resource_classes",
                    "/allocation_candidates?resources=VCPU:1", "/berth/v1/audit", "/q/health/ready")) {
                expect(200, placement.get(path));
            }
            assertThat(service.errors()).isEmpty();
        }
    }

    private static void expect(int status, Api.Response answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    }
}
