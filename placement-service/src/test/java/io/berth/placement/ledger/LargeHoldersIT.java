package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests consumers that hold as much as one claim may name, on a service with 224 MB. */
@Tag("process")
@Tag("long")
class LargeHoldersIT {
    private static final int HOLDERS = 6;
    private static final int PROVIDERS = 50_000;

    /** Each claim reads the allocations of its consumer, and their inventories. */
    @Test
    void survivesConcurrentClaimsOfLargeConsumers() {
        String database = PostgresForTests.newDatabase();
        var environment = Map.of("BERTH_DATABASE_URL", database);
        ServiceProcess.start(Path.of(""), environment).close();
        PostgresForTests.run(database, """
                INSERT INTO placement.resource_providers (id, uuid, name, generation, root_id)
                SELECT i, gen_random_uuid(), 'host-' || i, 0, i FROM generate_series(1000001, 1000000 + %d) i;
                INSERT INTO placement.inventories
                       (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used)
                SELECT p.id, c.id, 1000, 0, 1, 1000, 1, 1, CASE c.name WHEN 'VCPU' THEN %d ELSE 0 END
                  FROM placement.resource_providers p, placement.resource_classes c
                 WHERE c.name IN ('VCPU', 'MEMORY_MB', 'DISK_GB')""".formatted(PROVIDERS, HOLDERS));
        List<UUID> holders = Stream.generate(UUID::randomUUID).limit(HOLDERS).toList();
        for (UUID holder : holders) {
            PostgresForTests.run(database, """
                    INSERT INTO placement.consumers (uuid, generation, project_id, user_id, consumer_type)
                    VALUES ('%1$s', 3, 'p', 'u', 'INSTANCE');
                    INSERT INTO placement.allocations (consumer_uuid, provider_id, resource_class_id, used)
                    SELECT '%1$s', p.id, r.id, 1
                      FROM placement.resource_providers p JOIN placement.resource_classes r ON r.name = 'VCPU'
                    """.formatted(holder));
        }
        PostgresForTests.run(database, "ANALYZE");
        try (var service = ServiceProcess.start(Path.of(""), environment)) {
            List<RawConnection> clients = holders.stream().map(holder -> releaseAll(service, holder)).toList();
            List<Integer> statuses = clients.stream().map(LargeHoldersIT::statusOf).toList();
            // A request that waits for too long gets 503 with Retry-After.
            assertThat(statuses).containsOnly(204, 503);
            eventually("a repeated request succeeds", () -> statuses.contains(204)
                    || statusOf(releaseAll(service, holders.getFirst())) == 204);
            for (int i = 0; i < HOLDERS; i++) {
                if (statuses.get(i) == 204) {
                    given().baseUri(service.url()).header("x-auth-token", "admin")
                            .get("/allocations/" + holders.get(i)).then().statusCode(200)
                            .body("allocations.size()", equalTo(0));
                }
            }
            assertThat(service.process().isAlive()).isTrue();
            assertThat(service.errors()).isEmpty();
        }
    }

    /** Returns the status of the response; 0 if there is none. */
    private static int statusOf(RawConnection client) {
        try (client) {
            var answer = client.readResponse();
            return answer == null ? 0 : answer.status();
        }
    }

    private static RawConnection releaseAll(ServiceProcess service, UUID holder) {
        String body = """
                {"allocations": {}, "project_id": "p", "user_id": "u", "consumer_generation": 3, "consumer_type": "INSTANCE"}""";
        return RawConnection.to(service.url()).send("PUT /allocations/" + holder + " HTTP/1.1\r\nHost: berth\r\n"
                + "x-auth-token: admin\r\nopenstack-api-version: placement 1.39\r\ncontent-type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }
}
