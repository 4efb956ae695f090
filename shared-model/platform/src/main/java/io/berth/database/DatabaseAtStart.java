package io.berth.database;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import io.quarkus.runtime.PreventFurtherStepsException;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jboss.logging.Logger;

/**
 * Before migrations: waits for a database that starts too, and ends the start with one line where it does not answer in
 * time, or refuses us, which waiting does not mend. Flyway by itself retries either, and ends with its stack.
 */
@Singleton
public final class DatabaseAtStart implements FlywayConfigurationCustomizer {
    private static final Logger LOG = Logger.getLogger(DatabaseAtStart.class);
    private static final int WAITS_MAX = 10;
    private static final Duration WAIT = Duration.ofSeconds(1);

    @Override
    public void customize(FluentConfiguration migrations) {
        for (int waits = 0;; waits++) {
            try {
                migrations.getDataSource().getConnection().close();
                return;
            } catch (SQLException failure) {
                boolean isRefused = failure.getCause() instanceof SSLException || SqlFault.LOGIN_REFUSED.isIn(failure);
                boolean away = !isRefused && (SqlFault.of(failure).isPassing() || failure.getSQLState() == null);
                if (!away || waits == WAITS_MAX) {
                    throw refusal("the database " + (away ? SqlFault.AWAY.why() : "refuses BERTH_DATABASE_URL") + ": "
                            + failure.getMessage());
                }
                if (waits == 0) {
                    LOG.infof("waiting for the database: %s", failure.getMessage());
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(WAIT);
        } catch (InterruptedException told) {
            throw refusal("stopped while waiting for the database");
        }
    }

    /** Ends the process with this line, and no trace. */
    private static IllegalStateException refusal(String line) {
        LOG.error(line);
        return new IllegalStateException(new PreventFurtherStepsException(line, 1));
    }
}
