package io.berth.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how SQL errors are classified. */
class SqlFaultTest {
    @ParameterizedTest(name = "{0} ({1}) is {2}")
    @CsvSource({
        "23505, unique_violation,                    UNIQUE_VIOLATION",
        "23503, foreign_key_violation,               FOREIGN_KEY_VIOLATION",
        "23502, not_null_violation,                  NOT_NULL_VIOLATION",
        "40001, serialization_failure,               DEADLOCK_OR_SERIALIZATION",
        "40P01, deadlock_detected,                   DEADLOCK_OR_SERIALIZATION",
        "55P03, lock_not_available,                  LOCKED",
        "57014, query_canceled,                      CANCELLED",
        "53100, disk_full,                           EXHAUSTED",
        "53200, out_of_memory,                       EXHAUSTED",
        "58030, io_error,                            EXHAUSTED",
        "25006, read_only_sql_transaction,           READ_ONLY",
        "42501, insufficient_privilege,              PRIVILEGE_MISSING",
        "42P01, undefined_table,                     TABLES_MISSING",
        "42703, undefined_column,                    TABLES_MISSING",
        "42704, undefined_object,                    TABLES_MISSING",
        "42883, undefined_function,                  TABLES_MISSING",
        "3F000, invalid_schema_name,                 TABLES_MISSING",
        "53300, too_many_connections,                UNREACHABLE",
        "57P01, admin_shutdown,                      UNREACHABLE",
        "57P03, cannot_connect_now,                  UNREACHABLE",
        "08006, connection_failure,                  UNREACHABLE",
        "28P01, invalid_password,                    LOGIN_REFUSED",
        "28000, invalid_authorization_specification, LOGIN_REFUSED",
        "3D000, invalid_catalog_name,                LOGIN_REFUSED",
        "25P03, idle_in_transaction_session_timeout, UNREACHABLE",
        "22012, division_by_zero,                    OTHER",
        "42601, syntax_error,                        OTHER"})
    void classifiesSqlStates(String state, String name, SqlFault expected) {
        assertThat(SqlFault.of(refused(state))).isEqualTo(expected);
        assertThat(SqlFault.of(new RuntimeException(new SQLException(name, state)))).isEqualTo(expected);
    }

    @Test
    void treatsConnectionFailuresAsUnreachable() {
        assertThat(SqlFault.of(new CompletionException(new ConnectException("refused"))))
                .isEqualTo(SqlFault.UNREACHABLE);
        assertThat(SqlFault.of(new VertxException("Connection closed"))).isEqualTo(SqlFault.UNREACHABLE);
        assertThat(SqlFault.of(new DatabaseUnavailable("does not answer: it hangs"))).isEqualTo(SqlFault.UNREACHABLE);
    }

    @Test
    void distinguishesTemporaryFaults() {
        assertThat(SqlFault.LOCKED.isTemporary()).isTrue();
        assertThat(SqlFault.DEADLOCK_OR_SERIALIZATION.isTemporary()).isTrue();
        assertThat(SqlFault.EXHAUSTED.description()).contains("disk");
        assertThat(SqlFault.UNIQUE_VIOLATION.isTemporary()).isFalse();
        assertThat(SqlFault.of(new IllegalStateException("a bug")).isTemporary()).isFalse();
    }

    @Test
    void describesFaultsWithoutTheMessageOfTheServer() {
        assertThat(SqlFault.inWords(new CompletionException(new DatabaseUnavailable("is a standby"))))
                .isEqualTo("is a standby");
        assertThat(SqlFault.inWords(refused("42501"))).isEqualTo(SqlFault.PRIVILEGE_MISSING.description());
        assertThat(SqlFault.inWords(new IllegalStateException("a bug"))).doesNotContain("bug", "Exception");
    }

    private static PgException refused(String state) {
        return new PgException("refused", "ERROR", state, null);
    }
}
