package io.berth.placement.db;

import io.vertx.pgclient.PgException;
import java.sql.SQLException;

/** Why PostgreSQL refused a statement: the SQLSTATEs that callers tell apart. Source: PostgreSQL, appendix A. */
public enum SqlFault {
    UNIQUE_VIOLATION,
    FOREIGN_KEY_VIOLATION,
    /** The transaction may succeed when run again. */
    DEADLOCK_OR_SERIALIZATION,
    /** Also what is not PostgreSQL's. */
    OTHER;

    private static final int CAUSES_MAX = 10;

    /** Looks through wrappers: Hibernate turns the client's exception into one of JDBC's. */
    public static SqlFault of(Throwable failure) {
        Throwable at = failure;
        for (int i = 0; at != null && i < CAUSES_MAX; i++, at = at.getCause()) {
            if (at instanceof PgException refused) {
                return of(refused.getSqlState());
            }
            if (at instanceof SQLException refused) {
                return of(refused.getSQLState());
            }
        }
        return OTHER;
    }

    private static SqlFault of(String sqlState) {
        return switch (sqlState) {
            case "23505" -> UNIQUE_VIOLATION;
            case "23503" -> FOREIGN_KEY_VIOLATION;
            case "40P01", "40001" -> DEADLOCK_OR_SERIALIZATION;
            case null, default -> OTHER;
        };
    }

    public boolean isIn(Throwable failure) {
        return of(failure) == this;
    }
}
