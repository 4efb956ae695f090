package io.berth.database;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.PreventFurtherStepsException;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jboss.logging.Logger;

/**
 * Waits for the database before migrations: repeats a failed attempt to connect as often as
 * {@code quarkus.flyway.connect-retries} says, at the intervals of {@code quarkus.flyway.connect-retries-interval},
 * while the database does not respond or its failure is temporary ({@link SqlFault#isTemporary}). If the last attempt
 * fails, too, the start ends with one log line. A refused login, a TLS error, a connection pooler that drops the search
 * path and every other failure end the start at once, because waiting does not help. Flyway itself would retry in each
 * case, and end with a stack trace. SIGTERM ends the wait: Quarkus itself would stop the process only after its start.
 */
@Singleton
public final class DatabaseAtStart implements FlywayConfigurationCustomizer {
    private static final Logger LOG = Logger.getLogger(DatabaseAtStart.class);
    private static final Pattern SCHEMA = Pattern.compile("[?&]currentSchema=([^&]*)");

    @Override
    public void customize(FluentConfiguration migrations) {
        int retriesMax = migrations.getConnectRetries();
        migrations.connectRetries(0);
        for (int retries = 0;; retries++) {
            try (Connection connection = migrations.getDataSource().getConnection()) {
                checkSession(connection);
                return;
            } catch (SQLException failure) {
                boolean isRefused = failure.getCause() instanceof SSLException
                        || SqlFault.LOGIN_REFUSED.isKindOf(failure);
                // A failure without an SQLSTATE is not a response of the server.
                SqlFault fault = failure.getSQLState() == null ? SqlFault.UNREACHABLE : SqlFault.of(failure);
                boolean mayPass = !isRefused && fault.isTemporary();
                if (!mayPass || retries == retriesMax) {
                    throw logRefusal("the database "
                            + (mayPass ? fault.description() : "refuses BERTH_DATABASE_URL")
                            + ": "
                            + failure.getMessage());
                }
                if (retries == 0) {
                    LOG.infof("waiting for the database: %s", failure.getMessage());
                }
                if (ApplicationLifecycleManager.isVmShuttingDown()) {
                    throw logRefusal("stopped while waiting for the database");
                }
                pause(migrations.getConnectRetriesInterval());
            }
        }
    }

    /**
     * Detects a connection pooler that drops the search path, before a migration writes to the wrong schema. {@link
     * ConnectionAdmission} checks the connections of pools, including their statement timeout.
     */
    private static void checkSession(Connection connection) throws SQLException {
        Matcher requested = SCHEMA.matcher(connection.getMetaData().getURL());
        try (Statement statement = connection.createStatement();
                ResultSet path = statement.executeQuery("SHOW search_path")) {
            path.next();
            if (requested.find() && !requested.group(1).equals(path.getString(1))) {
                throw logRefusal("the database "
                        + ConnectionAdmission.refusalOfDropped("search_path", path.getString(1), requested.group(1)));
            }
        }
    }

    private static void pause(int seconds) {
        try {
            Thread.sleep(Duration.ofSeconds(seconds));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Logs the line. Returns the exception to throw, which ends the process without a stack trace. */
    private static IllegalStateException logRefusal(String line) {
        LOG.error(line);
        return new IllegalStateException(new PreventFurtherStepsException(line, 1));
    }
}
