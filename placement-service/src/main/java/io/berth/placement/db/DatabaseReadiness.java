package io.berth.placement.db;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready means: the database answers within two seconds and takes writes. */
@Readiness
@Singleton
public final class DatabaseReadiness implements AsyncHealthCheck {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    /** No params; one row. */
    private static final String IS_STANDBY = "SELECT pg_is_in_recovery()";

    private final Pool pool;

    DatabaseReadiness(Pool pool) {
        this.pool = pool;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return pool.query(IS_STANDBY).execute()
                .ifNoItem().after(ANSWER_MAX).fail()
                .map(rows -> rows.iterator().next().getBoolean(0)
                        ? down("a standby, which takes no writes")
                        : HealthCheckResponse.up("database"))
                .onFailure().recoverWithItem(failure -> down(
                        "no answer within " + ANSWER_MAX.toSeconds() + " s: " + failure.getClass().getSimpleName()));
    }

    private static HealthCheckResponse down(String reason) {
        return HealthCheckResponse.named("database").withData("reason", reason).down().build();
    }
}
