package io.berth.database;

import io.smallrye.mutiny.TimeoutException;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.sql.SQLException;

/**
 * Classifies failures of PostgreSQL; SQLSTATEs are evaluated only here. Source: PostgreSQL, appendix A, and the
 * exceptions of the client.
 */
public enum SqlFault {
    UNIQUE_VIOLATION(null),
    FOREIGN_KEY_VIOLATION(null),
    /** The transaction may succeed if it is run again at once: {@link Deadlocks}. */
    DEADLOCK_OR_SERIALIZATION("rolled the request back because of a deadlock"),
    /** Another transaction holds a row or a table for longer than {@code lock_timeout}. */
    LOCKED("did not grant a lock in time"),
    /** The statement took longer than {@code statement_timeout}, or an operator ended it. */
    CANCELLED("did not finish a statement in time"),
    /** The server has no disk space, no memory, or a system error. It responds and refuses the work. */
    EXHAUSTED("has run out of a resource, such as disk space"),
    /** The server is a standby. */
    READ_ONLY("takes no writes"),
    /** The user has lost a right on a table, or on the schema. */
    RIGHT_LOST("refuses its user a right that Berth needs"),
    /** The schema, or something in it, has another name, or is gone. */
    TABLES_GONE("lacks the schema, a table or a column that Berth needs"),
    /** The login failed for a reason that concerns every session: a changed password, a missing database. */
    LOGIN_REFUSED("refuses the login"),
    /** There is no session (refused, lost, ended by the server, or none free in time), or there was no response. */
    AWAY("does not answer"),
    /** Any other failure, including those that do not come from PostgreSQL. */
    OTHER(null);

    private static final int CAUSES_MAX = 10;

    private final String why;

    SqlFault(String why) {
        this.why = why;
    }

    /**
     * Classifies a failure or its causes: Hibernate wraps the client's exception into one of JDBC's, which keeps only
     * the state.
     */
    public static SqlFault of(Throwable failure) {
        Throwable at = failure;
        for (int i = 0; at != null && i < CAUSES_MAX; i++, at = at.getCause()) {
            SqlFault fault = ofThis(at);
            if (fault != OTHER || at instanceof PgException) {
                return fault;
            }
        }
        return OTHER;
    }

    private static SqlFault ofThis(Throwable failure) {
        return switch (failure) {
            // Precedes VertxException, which it extends.
            case PgException refused -> of(refused.getSqlState());
            case SQLException refused -> of(refused.getSQLState());
            case IOException broken -> AWAY;
            case DatabaseUnavailable notAsked -> AWAY;
            case TimeoutException slow -> AWAY;
            case java.util.concurrent.TimeoutException slow -> AWAY;
            // The pool's failure if it has no connection in time.
            case NoStackTraceThrowable none -> AWAY;
            case ConnectionPoolTooBusyException busy -> AWAY;
            // "Connection closed" and "Timeout" of the client, which has no narrower types for them.
            case VertxException closed -> AWAY;
            default -> OTHER;
        };
    }

    /**
     * Returns the end of a message for a client or an operator that begins with "the database". Omits the server's own
     * text, which names tables and users.
     */
    public static String inWords(Throwable failure) {
        Throwable at = failure;
        for (int i = 0; at != null && i < CAUSES_MAX; i++, at = at.getCause()) {
            if (at instanceof DatabaseUnavailable known) {
                return known.getMessage();
            }
        }
        SqlFault fault = of(failure);
        return fault.isPassing() ? fault.why() : "returned an unexpected error; the log has it";
    }

    static SqlFault of(String sqlState) {
        return switch (sqlState) {
            case null -> OTHER;
            case "23505" -> UNIQUE_VIOLATION;
            case "23503" -> FOREIGN_KEY_VIOLATION;
            case "40P01", "40001" -> DEADLOCK_OR_SERIALIZATION;
            case "55P03" -> LOCKED;
            case "57014" -> CANCELLED;
            case "25006" -> READ_ONLY;
            case "42501" -> RIGHT_LOST;
            case "3F000", "42P01", "42703", "42704", "42883" -> TABLES_GONE;
            // Too many sessions; ended for sleeping in a transaction, or for its length.
            case "53300", "25P03", "25P04" -> AWAY;
            default -> switch (sqlState.substring(0, Math.min(2, sqlState.length()))) {
                // Connections; an operator, a shutdown or a crash.
                case "08", "57" -> AWAY;
                case "28", "3D" -> LOGIN_REFUSED;
                case "53", "58" -> EXHAUSTED;
                default -> OTHER;
            };
        };
    }

    public boolean isIn(Throwable failure) {
        return of(failure) == this;
    }

    /** Returns whether the same request may succeed later without a change. */
    public boolean isPassing() {
        return why != null;
    }

    /** Returns the end of a message that begins with "the database", for a {@linkplain #isPassing passing} fault. */
    public String why() {
        return why;
    }
}
