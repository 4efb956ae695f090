package io.berth.placement.db;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the metrics of a pool whose connections are all in use. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PoolMetersIT {
    @Inject
    @ReactiveDataSource("reads")
    Pool pool;

    @Test
    void countsConnectionsInUseAndThoseWaitingForOne() {
        // The pool sets its limit when it is used for the first time.
        pool.query("SELECT 1").execute().await().indefinitely();
        int limit = (int) meter("connections_limit");
        assertThat(limit).isEqualTo(4);
        double refused = meter("refused_total");
        List<CompletableFuture<SqlConnection>> connections = new ArrayList<>();
        for (int i = 0; i < limit + 2; i++) {
            connections.add(pool.getConnection().subscribeAsCompletionStage());
        }
        // The service's own periodic reads of the fleet may wait for a connection too.
        Await.eventually("at least two wait", () -> meter("connections_used") == limit && meter("waiting") >= 2);
        connections.forEach(connection -> connection.join().close().await().indefinitely());
        Await.eventually("none waits", () -> meter("connections_used") == 0 && meter("waiting") == 0);
        assertThat(meter("refused_total")).isEqualTo(refused);
    }

    @Test
    void usesReadCommittedWhateverTheDatabaseDefaultIs() {
        var isolation =
                pool.query("SELECT setting, source FROM pg_settings WHERE name = 'default_transaction_isolation'")
                        .execute().await().indefinitely().iterator().next();
        assertThat(isolation.getString("setting")).isEqualTo("read committed");
        assertThat(isolation.getString("source")).isEqualTo("client");
    }

    private static double meter(String what) {
        String line = "berth_database_pool_" + what + "{pool=\"reads\"} ";
        return given().get("/q/metrics").asString().lines()
                .filter(metric -> metric.startsWith(line))
                .mapToDouble(metric -> Double.parseDouble(metric.substring(line.length())))
                .findFirst().orElseThrow();
    }
}
