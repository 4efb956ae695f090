package io.berth.deploy.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction in another database of the tests' server that has written and stays open until this object is closed.
 * Until then, xmin (the oldest running transaction) of every snapshot in the cluster is at most the id of this
 * transaction.
 */
public final class OpenTransaction implements AutoCloseable {
    private static final String DATABASE = "of_another_application";

    private final Connection connection;

    private OpenTransaction(Connection connection) {
        this.connection = connection;
    }

    /** Opens a transaction. The first call creates the other database. */
    public static OpenTransaction inAnotherDatabase() throws SQLException {
        try (Connection defaultDatabase = connect("postgres"); Statement statement =
                defaultDatabase.createStatement()) {
            try (ResultSet existing =
                    statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
                if (!existing.next()) {
                    statement.execute("CREATE DATABASE " + DATABASE);
                }
            }
        }
        Connection otherDatabase = connect(DATABASE);
        otherDatabase.setAutoCommit(false);
        try (Statement statement = otherDatabase.createStatement()) {
            statement.execute("CREATE TABLE never_committed ()");
        }
        return new OpenTransaction(otherDatabase);
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
