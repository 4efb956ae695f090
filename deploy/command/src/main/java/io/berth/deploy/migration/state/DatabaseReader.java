package io.berth.deploy.migration.state;

import io.berth.deploy.http.ApiFailure;
import io.berth.model.SqlAlchemyUrl;
import io.berth.model.text.UuidForm;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Reads the whole state of an OpenStack Placement from its PostgreSQL, MariaDB or MySQL, in one snapshot and seven
 * statements. Source: placement {@code db/sqlalchemy/models.py}, the same from Yoga to 2026.1.
 */
public final class DatabaseReader implements StateSource {
    private static final int FETCH_ROWS = 10_000;

    /** Column: name of a resource class. */
    private static final String CLASSES = "SELECT name FROM resource_classes";
    /** Column: name of a trait. */
    private static final String TRAITS = "SELECT name FROM traits";
    /** Columns: uuid, name, uuid of the parent or null. */
    private static final String PROVIDERS = """
            SELECT p.uuid, p.name, parent.uuid
              FROM resource_providers p LEFT JOIN resource_providers parent ON parent.id = p.parent_provider_id""";
    /** Columns: uuid of the provider, name of the class, and the six values in the order of {@link Inventory}. */
    private static final String INVENTORIES = """
            SELECT p.uuid, c.name, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio
              FROM inventories i
              JOIN resource_providers p ON p.id = i.resource_provider_id
              JOIN resource_classes c ON c.id = i.resource_class_id""";
    /** Columns: uuid of the provider, name of the trait. */
    private static final String PROVIDER_TRAITS = """
            SELECT p.uuid, t.name
              FROM resource_provider_traits r
              JOIN resource_providers p ON p.id = r.resource_provider_id
              JOIN traits t ON t.id = r.trait_id""";
    /** Columns: uuid of the provider, uuid of the aggregate as its client wrote it. */
    private static final String AGGREGATES = """
            SELECT p.uuid, a.uuid
              FROM resource_provider_aggregates r
              JOIN resource_providers p ON p.id = r.resource_provider_id
              JOIN placement_aggregates a ON a.id = r.aggregate_id""";
    /**
     * Columns: uuid of the consumer, id of the project, id of the user, name of the consumer type or null, uuid of the
     * provider, name of the class, allocated units. Consumers without allocations have no row.
     */
    private static final String ALLOCATIONS = """
            SELECT k.uuid, j.external_id, u.external_id, t.name, p.uuid, c.name, a.used
              FROM allocations a
              JOIN resource_providers p ON p.id = a.resource_provider_id
              JOIN resource_classes c ON c.id = a.resource_class_id
              JOIN consumers k ON k.uuid = a.consumer_id
              JOIN projects j ON j.id = k.project_id
              JOIN users u ON u.id = k.user_id
              LEFT JOIN consumer_types t ON t.id = k.consumer_type_id""";

    private final SqlAlchemyUrl url;

    /**
     * Parses the URL. Makes no connection.
     *
     * @param connection a URL in the form of placement.conf: {@code mysql+pymysql://user:password@host/placement}
     * @throws IllegalArgumentException if the text is not such a URL; the message is one line for the user
     */
    public DatabaseReader(String connection) {
        url = SqlAlchemyUrl.parse(connection, "the database");
    }

    private Connection connect() throws SQLException {
        String address = (url.host().contains(":") ? "[" + url.host() + "]" : url.host()) + ":" + url.port() + "/"
                + url.database();
        var options = new Properties();
        options.setProperty("user", url.user());
        options.setProperty("password", url.password());
        boolean isPostgresql = url.kind() == SqlAlchemyUrl.Kind.POSTGRESQL;
        if (!url.caFile().isEmpty()) {
            options.setProperty(isPostgresql ? "sslmode" : "sslMode", "verify-full");
            options.setProperty(isPostgresql ? "sslrootcert" : "serverSslCert", url.caFile());
        } else if (!isPostgresql) {
            // Without TLS, MySQL's default login encrypts the password with a key that the server sends. Accepts this
            // key, as pymysql does.
            options.setProperty("allowPublicKeyRetrieval", "true");
        }
        return DriverManager.getConnection((isPostgresql ? "jdbc:postgresql://" : "jdbc:mariadb://") + address,
                options);
    }

    @Override
    public PlacementState read() throws ApiFailure {
        return queryInSnapshot(connection -> new PlacementState(
                names(connection, CLASSES), names(connection, TRAITS), providers(connection), consumers(connection)));
    }

    @Override
    public boolean hasTrait(String name) throws ApiFailure {
        return queryInSnapshot(connection -> names(connection, TRAITS)).contains(name);
    }

    private interface Query<T> {
        T run(Connection connection) throws SQLException;
    }

    /**
     * Runs the statements in one read-only transaction with one snapshot.
     *
     * @throws ApiFailure if the database cannot be read
     */
    private <T> T queryInSnapshot(Query<T> query) throws ApiFailure {
        try (Connection connection = connect()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            return query.run(connection);
        } catch (SQLException e) {
            throw new ApiFailure("%s: %s"
                    .formatted(url, String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
        }
    }

    private static SortedSet<String> names(Connection connection, String sql) throws SQLException {
        SortedSet<String> names = new TreeSet<>();
        forEachRow(connection, sql, row -> names.add(row.getString(1).intern()));
        return names;
    }

    private static Map<UUID, Provider> providers(Connection connection) throws SQLException {
        Map<UUID, SortedMap<String, Inventory>> inventories = new HashMap<>();
        forEachRow(connection, INVENTORIES, row -> inventories.computeIfAbsent(uuid(row, 1), _ -> new TreeMap<>()).put(
                row.getString(2).intern(), new Inventory(row.getInt(3), row.getInt(4), row.getInt(5), row.getInt(6),
                        row.getInt(7), row.getDouble(8))));
        Map<UUID, SortedSet<String>> traits = new HashMap<>();
        forEachRow(connection, PROVIDER_TRAITS,
                row -> traits.computeIfAbsent(uuid(row, 1), _ -> new TreeSet<>()).add(row.getString(2).intern()));
        Map<UUID, Set<String>> aggregates = new HashMap<>();
        forEachRow(connection, AGGREGATES,
                row -> aggregates.computeIfAbsent(uuid(row, 1), _ -> new HashSet<>()).add(row.getString(2)));
        Map<UUID, Provider> providers = new HashMap<>();
        forEachRow(connection, PROVIDERS, row -> {
            UUID uuid = uuid(row, 1);
            providers.put(uuid, new Provider(row.getString(2), row.getString(3) == null ? null : uuid(row, 3),
                    inventories.getOrDefault(uuid, new TreeMap<>()), traits.getOrDefault(uuid, new TreeSet<>()),
                    aggregates.getOrDefault(uuid, Set.of())));
        });
        return Map.copyOf(providers);
    }

    private static Map<UUID, Consumer> consumers(Connection connection) throws SQLException {
        Map<UUID, Consumer> consumers = new HashMap<>();
        forEachRow(connection, ALLOCATIONS, row -> {
            Consumer consumer = consumers.get(uuid(row, 1));
            if (consumer == null) {
                String type = row.getString(4);
                consumer = new Consumer(row.getString(2).intern(), row.getString(3).intern(),
                        type == null ? Consumer.UNTYPED : type.intern(), new HashMap<>());
                consumers.put(uuid(row, 1), consumer);
            }
            consumer.amounts().computeIfAbsent(uuid(row, 5), _ -> new HashMap<>())
                    .put(row.getString(6).intern(), row.getLong(7));
        });
        return Map.copyOf(consumers);
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private static void forEachRow(Connection connection, String sql, RowReader reader) throws SQLException {
        try (var statement = connection.createStatement()) {
            // With a fetch size, both drivers read the result in portions instead of all rows into memory.
            statement.setFetchSize(FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    private static UUID uuid(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return UuidForm.findDigits(text)
                .orElseThrow(() -> new SQLException("has '%s', which is not a uuid".formatted(text)));
    }

    /** Returns the URL without the password. */
    @Override
    public String toString() {
        return url.toString();
    }
}
