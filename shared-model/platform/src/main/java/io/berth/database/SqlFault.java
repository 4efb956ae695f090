package io.berth.database;

import io.smallrye.mutiny.TimeoutException;
import io.vertx.core.VertxException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.sql.SQLException;

/**
 * The kinds of failures of PostgreSQL and of its client, by SQLSTATE or by exception. Source: PostgreSQL, appendix A,
 * and the exceptions of the Vert.x client.
 */
public enum SqlFault {
    UNIQUE_VIOLATION,
    FOREIGN_KEY_VIOLATION,
    NOT_NULL_VIOLATION,
    /** The transaction may succeed if it is run again at once, which {@link Deadlocks} does. */
    DEADLOCK_OR_SERIALIZATION("rolled the request back because of a deadlock"),
    /** The statement waited for a lock for longer than {@code lock_timeout}. */
    LOCKED("did not grant a lock in time"),
    /** The statement took longer than {@code statement_timeout}, or an operator ended it. */
    CANCELLED("did not finish a statement in time"),
    /**
     * The server has no disk space, no memory, or a system error. The server responds, but cannot run the statement.
     */
    EXHAUSTED("has run out of a resource, such as disk space"),
    /** The transaction is read-only, usually because the server is a standby. */
    READ_ONLY("takes no writes"),
    /** Berth's database user lacks a privilege on a table, or on the schema. */
    PRIVILEGE_MISSING("refuses its user a right that Berth needs"),
    /** The schema, a table, a column, a function or a type does not exist. */
    TABLES_MISSING("lacks the schema, a table or a column that Berth needs"),
    /** The login failed for a reason that concerns every session: a changed password, a missing database. */
    LOGIN_REFUSED("refuses the login"),
    /**
     * No session was available (refused, lost, ended by the server, or none free in time), or no response arrived, or
     * Berth did not use the database, for example because too many callers wait, or the connection leads to a standby
     * or lacks a required setting ({@link DatabaseUnavailable}).
     */
    UNREACHABLE("does not answer"),
    /** Any other failure, including those that do not come from PostgreSQL. */
    OTHER;

    /** Maximum number of exceptions that are examined in a chain of causes. */
    private static final int CAUSES_MAX = 10;

    private final boolean isTemporary;
    private final String description;

    /** Creates a kind that may be permanent, with a general description. */
    SqlFault() {
        this.isTemporary = false;
        this.description = "returned an unexpected error; the log has it";
    }

    /**
     * Creates a {@linkplain #isTemporary temporary} kind: the same request may succeed later.
     *
     * @param why description, as the end of a message that begins with "the database"
     */
    SqlFault(String why) {
        this.isTemporary = true;
        this.description = why;
    }

    /**
     * Returns the kind of a failure, or of the first classified one among its causes. Causes matter because Hibernate
     * wraps the client's exception in exceptions of JDBC, which may lack an SQLSTATE.
     */
    public static SqlFault of(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < CAUSES_MAX; i++, cause = cause.getCause()) {
            SqlFault fault = classify(cause);
            // A PgException is the server's own response, so its causes would not classify it better.
            if (fault != OTHER || cause instanceof PgException) {
                return fault;
            }
        }
        return OTHER;
    }

    private static SqlFault classify(Throwable failure) {
        return switch (failure) {
            // PgException extends VertxException, so this case is first.
            case PgException refused -> of(refused.getSqlState());
            case SQLException refused -> of(refused.getSQLState());
            case IOException broken -> UNREACHABLE;
            case DatabaseUnavailable notAsked -> UNREACHABLE;
            case TimeoutException slow -> UNREACHABLE;
            case java.util.concurrent.TimeoutException slow -> UNREACHABLE;
            // A pool fails with this type if no connection is free in time.
            case NoStackTraceThrowable none -> UNREACHABLE;
            case ConnectionPoolTooBusyException busy -> UNREACHABLE;
            // The client's "Connection closed" and "Timeout" have no more specific type.
            case VertxException closed -> UNREACHABLE;
            default -> OTHER;
        };
    }

    /**
     * Describes a failure for a client or an operator, as the end of a message that begins with "the database": by the
     * reason of a {@link DatabaseUnavailable} among its causes, otherwise by its kind. Omits the server's message,
     * which names tables and users.
     */
    public static String inWords(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < CAUSES_MAX; i++, cause = cause.getCause()) {
            if (cause instanceof DatabaseUnavailable known) {
                return known.reason();
            }
        }
        return of(failure).description();
    }

    static SqlFault of(@Nullable String sqlState) {
        return switch (sqlState) {
            case null -> OTHER;
            case "23505" -> UNIQUE_VIOLATION;
            case "23503" -> FOREIGN_KEY_VIOLATION;
            case "23502" -> NOT_NULL_VIOLATION;
            case "40P01", "40001" -> DEADLOCK_OR_SERIALIZATION;
            case "55P03" -> LOCKED;
            case "57014" -> CANCELLED;
            case "25006" -> READ_ONLY;
            case "42501" -> PRIVILEGE_MISSING;
            case "3F000", "42P01", "42703", "42704", "42883" -> TABLES_MISSING;
            // 53300 is too many connections; 25P03 and 25P04 end sessions with idle or long transactions.
            case "53300", "25P03", "25P04" -> UNREACHABLE;
            default -> switch (sqlState.substring(0, Math.min(2, sqlState.length()))) {
                // Class 08 is connection exceptions; class 57 is an operator's intervention, a shutdown or a crash.
                case "08", "57" -> UNREACHABLE;
                case "28", "3D" -> LOGIN_REFUSED;
                case "53", "58" -> EXHAUSTED;
                default -> OTHER;
            };
        };
    }

    /** Returns whether the failure is of this kind. */
    public boolean isKindOf(Throwable failure) {
        return of(failure) == this;
    }

    /** Returns whether the same request may succeed later without a change to it. */
    public boolean isTemporary() {
        return isTemporary;
    }

    /** Describes the fault as the end of a message that begins with "the database". */
    public String description() {
        return description;
    }
}
