package io.berth.placement.db;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.database.OneSnapshot;
import io.berth.database.SqlFault;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.wire.Wire;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link OneSnapshot} on a connection that breaks. */
@Tag("process")
class OneSnapshotIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);

    private final Vertx vertx = Vertx.vertx();
    private final Wire wire = Wire.to(PostgresForTests.port());
    private final Pool pool = Pool.newInstance(PgBuilder.pool()
            .with(new PoolOptions().setMaxSize(1))
            .connectingTo(PgConnectOptions.fromUri(PostgresForTests.url()).setPort(wire.port()))
            .using(vertx)
            .build());

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        wire.close();
    }

    private int read(Runnable afterwards) {
        return OneSnapshot.read(pool, connection -> connection.query("SELECT 7 AS seven").execute()
                .map(rows -> rows.iterator().next().getInteger("seven"))
                .invoke(afterwards))
                .await().atMost(ANSWER_MAX);
    }

    /** If the read succeeded, its caller would consider the connection healthy and use it again. */
    @Test
    void failsIfTheConnectionBreaksAfterTheLastRow() {
        assertThat(read(() -> {})).isEqualTo(7);
        assertThatThrownBy(() -> read(wire::cut))
                .satisfies(broken -> assertThat(SqlFault.of(broken)).isEqualTo(SqlFault.UNREACHABLE));
        wire.pass();
        // The pool may return the broken connection until it notices.
        eventually(() -> assertThatCode(() -> read(() -> {})).doesNotThrowAnyException());
    }
}
