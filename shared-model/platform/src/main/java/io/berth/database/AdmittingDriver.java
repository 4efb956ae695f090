package io.berth.database;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.pgclient.impl.PgConnectionFactory;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A driver of the PostgreSQL client that treats a connection as not opened unless it is {@linkplain ConnectionAdmission
 * admitted}. Callers that wait for a connection then get the reason. A pool's connect handler could only close the
 * connection, without a reason. The driver also sets the {@link SilenceLimit} of each connection, and starts the watch
 * for failovers ({@link CurrentPrimary#watch}).
 */
final class AdmittingDriver extends PgDriver {
    private final Duration silenceMax;
    private final CurrentPrimary primary;

    /**
     * @param silenceMax maximum time without data from the server, see {@link SilenceLimit}
     */
    AdmittingDriver(Duration silenceMax, CurrentPrimary primary) {
        this.silenceMax = silenceMax;
        this.primary = primary;
    }

    @Override
    public ConnectionFactory createConnectionFactory(
            Vertx vertx, Supplier<? extends Future<? extends SqlConnectOptions>> databases) {
        var factory = new PgConnectionFactory((VertxInternal) vertx, databases) {
            @Override
            public Future<SqlConnection> connect(Context context, SqlConnectOptions options) {
                return super.connect(context, options).compose(connection -> {
                    SilenceLimit.install(connection, silenceMax);
                    return new ConnectionAdmission(primary, options.getProperties()).admit(connection);
                });
            }
        };
        primary.watch(vertx, factory::connect);
        return factory;
    }
}
