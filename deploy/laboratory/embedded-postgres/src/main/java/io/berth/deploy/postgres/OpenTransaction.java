package io.berth.deploy.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction that has written and does not end, in another database of the tests' server: while it is open, every
 * snapshot of the whole cluster begins no later than with it. Ends when closed.
 */
public final class OpenTransaction implements AutoCloseable {
    private static final String DATABASE = "of_somebody_else";

    private final Connection connection;

    private OpenTransaction(Connection connection) {
        this.connection = connection;
    }

    public static OpenTransaction inAnotherDatabase() throws SQLException {
        try (Connection ours = connect("postgres"); Statement statement = ours.createStatement()) {
            try (ResultSet there = statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
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
