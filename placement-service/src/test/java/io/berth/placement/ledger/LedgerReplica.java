package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import org.eclipse.microprofile.config.ConfigProvider;

/** A ledger with connections of its own, like that of a second replica of the service. */
final class LedgerReplica implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);

    final Ledger ledger;
    /** Metrics of its claims by result, and of its batches that ran again by cause. */
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Pool pool;

    /** @param name the application name that PostgreSQL shows for its connections */
    LedgerReplica(Vertx vertx, String name, Ledger.Limits limits) {
        this(vertx, name, limits, PostgresForTests.port());
    }

    /** @param port where PostgreSQL is reached */
    LedgerReplica(Vertx vertx, String name, Ledger.Limits limits, int port) {
        this(vertx, name, limits, port, lockTimeout());
    }

    private LedgerReplica(Vertx vertx, String name, Ledger.Limits limits, int port, String lockTimeout) {
        PgConnectOptions options = PgConnectOptions.fromUri(PostgresForTests.url())
                .addProperty("search_path", "placement")
                .addProperty("application_name", name)
                .addProperty("lock_timeout", lockTimeout)
                .addProperty("plan_cache_mode", "force_generic_plan")
                .setCachePreparedStatements(true);
        options.setPort(port);
        pool = PgBuilder.pool().with(new PoolOptions().setMaxSize(limits.workers())).connectingTo(options).using(vertx)
                .build();
        ledger = new Ledger(vertx, pool, generous(limits), new LedgerMetrics(meters));
    }

    /** A replica whose batches wait for locks in the database without a limit. */
    static LedgerReplica patient(Vertx vertx, String name, Ledger.Limits limits) {
        return new LedgerReplica(vertx, name, limits, PostgresForTests.port(), "0");
    }

    /** Lets claims wait as long as a slow machine takes, unless the test sets its own limit. */
    private static Ledger.Limits generous(Ledger.Limits limits) {
        return limits.waitMax().equals(Ledger.Limits.DEFAULT.waitMax())
                ? new Ledger.Limits(
                        limits.batchMax(), limits.queueMax(), limits.workers(), limits.repeatsMax(), ANSWER_MAX)
                : limits;
    }

    private static String lockTimeout() {
        return ConfigProvider.getConfig().getValue(
                "quarkus.datasource.ledger.reactive.additional-properties.\"lock_timeout\"", String.class);
    }

    ClaimResult claim(Claim claim) {
        return ledger.submit(claim).await().atMost(ANSWER_MAX);
    }

    /** Begins the claim at once, even if no caller waits for the result. */
    Uni<ClaimResult> begin(Claim claim) {
        var answer = ledger.submit(claim).subscribeAsCompletionStage();
        return Uni.createFrom().completionStage(answer);
    }

    /**
     * Returns the number of batches that ran again.
     *
     * @param cause label of the metric
     */
    int repeats(String cause) {
        return (int) meters.get("berth.ledger.repeats").tag("cause", cause).counter().count();
    }

    /**
     * Returns when a claim of this replica waits for a lock on a provider: in the database, or in memory after its
     * batch was rolled back.
     */
    void awaitWaiting() {
        eventually("a claim waits for a provider's lock",
                () -> PostgresForTests.countWaitingForLock("resource_providers") > 0 || repeats("locked") > 0);
    }

    @Override
    public void close() {
        pool.close().toCompletionStage().toCompletableFuture().join();
    }
}
