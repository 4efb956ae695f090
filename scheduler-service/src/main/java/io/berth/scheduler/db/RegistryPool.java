package io.berth.scheduler.db;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/**
 * Connections that give up. When the network swallows packets, the operating system goes on for a quarter of an hour;
 * these are closed once the server has been silent for longer than any statement may take ({@code statement_timeout}
 * and {@code idle-timeout} in application.properties, together below the silence), and longer than a transaction waits
 * for placement.
 */
@Singleton
final class RegistryPool implements PgPoolCreator {
    /** For TCP's handshake alone. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(33);
    /** For a free connection, and how many may wait for one. */
    private static final Duration TURN_MAX = Duration.ofSeconds(10);
    private static final int WAITERS_MAX = 1_000;

    @Override
    public Pool create(Input input) {
        input.pgConnectOptionsList().forEach(options -> options
                .setConnectTimeout((int) CONNECT_MAX.toMillis())
                .setTcpKeepAlive(true));
        return PgBuilder.pool()
                .with(input.poolOptions()
                        .setMaxWaitQueueSize(WAITERS_MAX)
                        .setConnectionTimeout((int) TURN_MAX.toSeconds()))
                .connectingTo(List.<SqlConnectOptions>copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .withConnectHandler(connection -> {
                    SilenceLimit.put(connection, SILENCE_MAX);
                    // Back into the pool.
                    connection.close();
                })
                .build();
    }
}
