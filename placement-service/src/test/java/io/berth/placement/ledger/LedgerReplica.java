package io.berth.placement.ledger;

import io.berth.deploy.postgres.PostgresForTests;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;

/** A ledger with connections of its own, as a second replica of the service has. */
final class LedgerReplica implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(40);

    final Ledger ledger;
    private final Pool pool;

    /** @param name the application name that PostgreSQL shows for its connections */
    LedgerReplica(Vertx vertx, String name, Ledger.Limits limits) {
        this(vertx, name, limits, PostgresForTests.server().port());
    }

    /** @param port where PostgreSQL is reached */
    LedgerReplica(Vertx vertx, String name, Ledger.Limits limits, int port) {
        PgConnectOptions options = PgConnectOptions.fromUri(PostgresForTests.server().url())
                .addProperty("search_path", "placement")
                .addProperty("application_name", name)
                .addProperty("lock_timeout", "10s")
                .addProperty("plan_cache_mode", "force_generic_plan")
                .setCachePreparedStatements(true);
        options.setPort(port);
        pool = PgBuilder.pool().with(new PoolOptions().setMaxSize(limits.workers())).connectingTo(options).using(vertx).build();
        ledger = new Ledger(pool, limits);
    }

    ClaimResult claim(Claim claim) {
        return ledger.submit(claim).await().atMost(ANSWER_MAX);
    }

    /** Begins at once, whether or not anybody waits for the answer. */
    Uni<ClaimResult> begin(Claim claim) {
        var answer = ledger.submit(claim).subscribeAsCompletionStage();
        return Uni.createFrom().completionStage(answer);
    }

    @Override
    public void close() {
        pool.close().toCompletionStage().toCompletableFuture().join();
    }
}
