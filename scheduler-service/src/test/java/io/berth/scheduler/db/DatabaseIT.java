package io.berth.scheduler.db;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.deploy.postgres.OddDefaults;
import io.berth.deploy.postgres.ParameterDroppingProxy;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Starts the scheduler on databases with unusual defaults, behind a pooler, and without its schema. */
@Tag("process")
class DatabaseIT {
    private static ServiceProcess start(String databaseUrl) {
        return ServiceProcess.start(
                Path.of(""), Map.of("BERTH_DATABASE_URL", databaseUrl, "BERTH_PLACEMENT_SYNC_ENABLED", "false"));
    }

    private static Api.Response register(Api scheduler, String host) {
        return scheduler.call("PUT", "/v1/services/" + UUID.randomUUID(), "{\"host\": \"%s\"}".formatted(host));
    }

    @Test
    void worksWithUnusualDatabaseDefaults() {
        try (var service = start(OddDefaults.newDatabase())) {
            var scheduler = new Api(service.url());
            assertThat(register(scheduler, "hôte-π").status()).isEqualTo(201);
            assertThat(scheduler.get("/v1/services").body()).contains("hôte-π");
            assertThat(scheduler.get("/v1/decisions").status()).isEqualTo(200);
            eventually("the scheduler is ready", scheduler::isReady);
            assertThat(service.errors()).isEmpty();
        }
    }

    @Test
    void refusesToStartBehindAPoolerThatDropsStartUpParameters() {
        try (var pooler = ParameterDroppingProxy.inFrontOf(PostgresForTests.port(),
                Set.of("search_path", "statement_timeout"))) {
            String url = PostgresForTests.newDatabase()
                    .replace(":" + PostgresForTests.port() + "/", ":" + pooler.port() + "/");
            assertThat(catchThrowable(() -> start(url).close())).rootCause().message()
                    .contains("the database does not keep the start-up parameters of connections (search_path is")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void reportsAMissingSchema() {
        String url = PostgresForTests.newDatabase();
        try (var service = start(url)) {
            var scheduler = new Api(service.url());
            eventually("the scheduler is ready", scheduler::isReady);
            PostgresForTests.run(url, "ALTER SCHEMA scheduler RENAME TO elsewhere");
            String cause = "the database lacks the schema, a table or a column that Berth needs";
            for (Api.Response response : new Api.Response[] {register(scheduler, "h1"), scheduler.get("/v1/services")}) {
                assertThat(response.isUnavailable()).as("%s", response).isTrue();
                assertThat(response.body()).contains(cause);
            }
            assertThat(scheduler.get("/q/health/ready").body()).contains(cause);
            assertThat(service.errors()).isEmpty();
        }
    }
}
