package io.berth.placement.http;

import io.berth.placement.db.DatabaseUnavailable;
import io.smallrye.mutiny.TimeoutException;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.sql.SQLException;

/** Tells a database that is away or overloaded from a bug. */
final class DatabaseFaults {
    private static final int CAUSES_MAX = 10;

    private DatabaseFaults() {}

    static boolean isUnavailable(Throwable failure) {
        Throwable at = failure;
        for (int i = 0; at != null && i < CAUSES_MAX; i++, at = at.getCause()) {
            switch (at) {
                case PgException pg -> {
                    return isUnavailable(pg.getSqlState());
                }
                // Hibernate's wrapper keeps nothing of the client's exception but the state.
                case SQLException sql -> {
                    return isUnavailable(sql.getSQLState());
                }
                case IOException io -> {
                    return true;
                }
                case DatabaseUnavailable notAsked -> {
                    return true;
                }
                case TimeoutException slow -> {
                    return true;
                }
                case NoStackTraceThrowable noConnectionInTime -> {
                    return true;
                }
                case ConnectionPoolTooBusyException busy -> {
                    return true;
                }
                case VertxException closed -> {
                    // "Connection closed" and "Timeout" of the client; it has no narrower types for them.
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }

    /** Classes 08 connection, 53 resources, 57 operator intervention, 58 system error; 25006: read-only (a standby). */
    private static boolean isUnavailable(String sqlState) {
        return sqlState != null
                && (sqlState.startsWith("08") || sqlState.startsWith("53") || sqlState.startsWith("57")
                        || sqlState.startsWith("58") || sqlState.equals("25006"));
    }
}
