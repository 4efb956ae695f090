package io.berth.deploy.postgres;

import io.berth.model.DatabaseUrl;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Runs the SQL script on standard input, as one transaction, on the database that BERTH_DATABASE_URL names: psql is not
 * on every machine that the scripts of {@code deploy} run on.
 *
 * <p>Exits with 0, silently, if all statements succeeded; otherwise with 1 and one line on standard error, and nothing
 * is changed.
 */
public final class SqlMain {
    private static final String CONNECT_TIMEOUT_SECONDS = "10";
    private static final String ANSWER_TIMEOUT_SECONDS = "60";

    private SqlMain() {}

    public static void main(String[] args) throws IOException {
        String script = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        System.exit(run(System.getenv("BERTH_DATABASE_URL"), script, System.err));
    }

    /** Returns the exit status; a null {@code url} counts as invalid. */
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
        properties.setProperty("socketTimeout", ANSWER_TIMEOUT_SECONDS);
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
