package io.berth.deploy.postgres;

import io.berth.model.DatabaseUrl;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Runs the SQL script on standard input in one transaction, in the database of BERTH_DATABASE_URL. The scripts of
 * {@code deploy} use this program instead of psql, which is not installed on every machine.
 *
 * <p>Exits with 0 and prints nothing if all statements succeeded. If a statement fails, the URL is invalid or the
 * database cannot be reached, changes nothing, prints one line on standard error, and exits with 1.
 */
public final class SqlMain {
    private static final String CONNECT_TIMEOUT_SECONDS = "10";
    private static final String SOCKET_TIMEOUT_SECONDS = "60";

    private SqlMain() {}

    public static void main(String[] args) throws IOException {
        String script = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        System.exit(run(System.getenv("BERTH_DATABASE_URL"), script, System.err));
    }

    /** Runs a script and returns the exit status. A null {@code url} is an error, as an invalid URL is. */
    static int run(String url, String script, PrintStream errors) {
        try {
            execute(DatabaseUrl.parse(url == null ? "" : url), script);
            return 0;
        } catch (SQLException | IllegalArgumentException e) {
            errors.println(String.valueOf(e.getMessage()).lines().findFirst().orElse("unknown error"));
            return 1;
        }
    }

    private static void execute(DatabaseUrl url, String script) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", url.user());
        properties.setProperty("password", url.password());
        properties.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
        properties.setProperty("loginTimeout", CONNECT_TIMEOUT_SECONDS);
        properties.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
        properties.setProperty("ApplicationName", "berth-deploy");
        try (var connection = DriverManager.getConnection(url.jdbcUrl("public"), properties)) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute(script);
            }
            connection.commit();
        }
    }
}
