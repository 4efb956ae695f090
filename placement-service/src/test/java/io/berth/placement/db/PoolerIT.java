package io.berth.placement.db;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.deploy.postgres.ParameterDroppingProxy;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Starts the service behind a pooler that drops start-up parameters of connections. */
@Tag("process")
class PoolerIT {
    private static final String REFUSAL = "the database does not keep the start-up parameters of connections (%s";

    private static String by(ParameterDroppingProxy pooler) {
        return PostgresForTests.newDatabase().replace(":" + PostgresForTests.port() + "/", ":" + pooler.port() + "/");
    }

    @Test
    void stopsBeforeMigratingIfThePoolerDropsTheSchema() {
        try (var pooler = ParameterDroppingProxy.inFrontOf(PostgresForTests.port(),
                Set.of("search_path", "statement_timeout"))) {
            Throwable refused = catchThrowable(() -> ServiceProcess.start(Path.of(""), by(pooler)).close());
            assertThat(refused).rootCause().message()
                    .contains(REFUSAL.formatted("search_path is '\"$user\", public', not 'placement'"))
                    .doesNotContain("\tat ", "Migrating");
            assertThat(refused.getCause().getMessage().lines().filter(line -> line.contains(" ERROR "))).hasSize(1);
        }
    }

    @Test
    void stopsIfThePoolerDropsTheStatementTimeout() throws InterruptedException {
        String refusal = REFUSAL.formatted("statement_timeout is '0', not '");
        try (var pooler = ParameterDroppingProxy.inFrontOf(PostgresForTests.port(), Set.of("statement_timeout"));
                var service = ServiceProcess.start(Path.of(""), by(pooler))) {
            assertThat(service.process().waitFor()).isEqualTo(1);
            eventually("the error is logged", () -> service.errors().stream().anyMatch(line -> line.contains(refusal)));
        } catch (IllegalStateException before) {
            // The service may or may not listen before its pools have connected.
            assertThat(before).rootCause().message().contains(refusal);
        }
    }
}
