package io.berth.placement.db;

import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/**
 * Connections that give up. When the network swallows packets, the operating system goes on for a quarter of an hour;
 * these are closed once the server has been silent for longer than any statement may take, and whoever waits for them
 * is told. How long a statement may take and when a connection at rest is closed (before its silence could count) is
 * in application.properties: {@code idle-timeout} + {@code statement_timeout} must stay below the silence.
 */
final class PoolCreators {
    /** For TCP's handshake alone. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
    /** For a free connection of the pool. */
    private static final Duration TURN_MAX = Duration.ofSeconds(20);

    private PoolCreators() {}

    /** Hibernate's and of all that is not below. */
    @Singleton
    static final class Shared implements PgPoolCreator {
        static final Duration SILENCE_MAX = Duration.ofSeconds(33);

        @Override
        public Pool create(Input input) {
            return PoolCreators.create(input, SILENCE_MAX, 1_000);
        }
    }

    /** The fleet's, asked every second: a silence is noticed soon. */
    @Singleton
    @ReactiveDataSource("fleet")
    static final class Fleet implements PgPoolCreator {
        static final Duration SILENCE_MAX = Duration.ofSeconds(9);

        @Override
        public Pool create(Input input) {
            return PoolCreators.create(input, SILENCE_MAX, 100);
        }
    }

    @Singleton
    @ReactiveDataSource("ledger")
    static final class Ledger implements PgPoolCreator {
        static final Duration SILENCE_MAX = Duration.ofSeconds(18);

        @Override
        public Pool create(Input input) {
            return PoolCreators.create(input, SILENCE_MAX, 100);
        }
    }

    /** @param waitersMax who may wait for a connection; beyond it callers fail at once */
    private static Pool create(PgPoolCreator.Input input, Duration silenceMax, int waitersMax) {
        input.pgConnectOptionsList().forEach(options -> options
                .setConnectTimeout((int) CONNECT_MAX.toMillis())
                .setTcpKeepAlive(true));
        return PgBuilder.pool()
                .with(input.poolOptions()
                        .setMaxWaitQueueSize(waitersMax)
                        .setConnectionTimeout((int) TURN_MAX.toSeconds()))
                .connectingTo(List.<SqlConnectOptions>copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .withConnectHandler(connection -> {
                    SilenceLimit.put(connection, silenceMax);
                    // Back into the pool.
                    connection.close();
                })
                .build();
    }
}
