package io.berth.deploy.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction in another database of the tests' server that has written and stays open until this is closed. While it
 * is open, the oldest running transaction (xmin) of every snapshot in the cluster is at most this one.
 */
public final class OpenTransaction implements AutoCloseable {
    private static final String DATABASE = "of_another_application";

    private final Connection connection;

    private OpenTransaction(Connection connection) {
        this.connection = connection;
    }

    public static OpenTransaction inAnotherDatabase() throws SQLException {
        try (Connection ours = connect("postgres"); Statement statement = ours.createStatement()) {
            try (ResultSet there =
                    statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
                if (!there.next()) {
                    statement.execute("CREATE DATABASE " + DATABASE);
                }
            }
        }
        Connection theirs = connect(DATABASE);
        theirs.setAutoCommit(false);
        try (Statement statement = theirs.createStatement()) {
            statement.execute("CREATE TABLE never_committed ()");
        }
        return new OpenTransaction(theirs);
    }

    private static Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + PostgresForTests.port() + "/" + database, "postgres", "postgres");
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
