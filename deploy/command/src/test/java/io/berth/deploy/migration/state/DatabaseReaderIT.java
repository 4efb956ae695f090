package io.berth.deploy.migration.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.mariadb.MariaDbForTests;
import io.berth.deploy.migration.sample.SampleCloud;
import io.berth.deploy.postgres.PostgresServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the import that reads the database of OpenStack's Placement, against PostgreSQL and MariaDB. */
class DatabaseReaderIT {
    /** The columns that are read from the tables of OpenStack's Placement 8.0.0, with their names and types. */
    private static final String TABLES = """
            CREATE TABLE resource_classes (id serial PRIMARY KEY, name varchar(255) NOT NULL UNIQUE);
            CREATE TABLE traits (id serial PRIMARY KEY, name varchar(255) NOT NULL UNIQUE);
            CREATE TABLE projects (id serial PRIMARY KEY, external_id varchar(255) NOT NULL UNIQUE);
            CREATE TABLE users (id serial PRIMARY KEY, external_id varchar(255) NOT NULL UNIQUE);
            CREATE TABLE consumer_types (id serial PRIMARY KEY, name varchar(255) NOT NULL UNIQUE);
            CREATE TABLE placement_aggregates (id serial PRIMARY KEY, uuid varchar(36) UNIQUE);
            CREATE TABLE resource_providers (id serial PRIMARY KEY, uuid varchar(36) NOT NULL UNIQUE, name varchar(200),
                generation integer, root_provider_id integer, parent_provider_id integer);
            CREATE TABLE inventories (resource_provider_id integer NOT NULL, resource_class_id integer NOT NULL,
                total integer NOT NULL, reserved integer NOT NULL, min_unit integer NOT NULL, max_unit integer NOT NULL,
                step_size integer NOT NULL, allocation_ratio double precision NOT NULL);
            CREATE TABLE resource_provider_traits (trait_id integer, resource_provider_id integer);
            CREATE TABLE resource_provider_aggregates (resource_provider_id integer, aggregate_id integer);
            CREATE TABLE consumers (id serial PRIMARY KEY, uuid varchar(36) NOT NULL UNIQUE, project_id integer NOT NULL,
                user_id integer NOT NULL, generation integer NOT NULL DEFAULT 1, consumer_type_id integer);
            CREATE TABLE allocations (resource_provider_id integer NOT NULL, consumer_id varchar(36) NOT NULL,
                resource_class_id integer NOT NULL, used integer NOT NULL)""";

    @TempDir
    Path folder;

    @Test
    void readsTheSameStateFromPostgresAsTheApiReturns() throws Exception {
        PlacementState cloud = SampleCloud.of(40, 100, new Random(3));
        try (PostgresServer postgres = PostgresServer.start(folder, 0, false, false)) {
            try (Connection connection = DriverManager.getConnection(
                    "jdbc:" + postgres.url().replaceFirst("//.*@", "//"), "postgres", "")) {
                connection.createStatement().execute(TABLES);
                fill(connection, cloud);
            }
            var reader = new DatabaseReader(postgres.url());
            assertThat(reader.read()).isEqualTo(cloud);
            assertThat(reader.hasTrait(cloud.traits().getFirst())).isTrue();
            assertThat(reader.hasTrait("CUSTOM_NONE")).isFalse();
            assertThatThrownBy(() -> new DatabaseReader(postgres.url() + "_none").read())
                    .isInstanceOf(ApiFailure.class).hasMessageContaining("does not exist");
            // Refuses plain text if the URL requires TLS.
            assertThatThrownBy(() -> new DatabaseReader(postgres.url() + "?sslrootcert=/etc/ca.pem").read())
                    .isInstanceOf(ApiFailure.class).hasMessageContaining("does not support SSL");
        }
    }

    @Test
    void readsTheSameStateFromMariaDb() throws Exception {
        assumeTrue(MariaDbForTests.whyUnavailable() == null, MariaDbForTests::whyUnavailable);
        PlacementState cloud = SampleCloud.of(40, 100, new Random(5));
        try (var mariaDb = new MariaDbForTests(
                "CREATE DATABASE placement",
                "CREATE USER placement IDENTIFIED BY 'so secret@+'",
                "GRANT SELECT ON placement.* TO placement")) {
            String address = "127.0.0.1:" + mariaDb.port() + "/placement";
            String url = "mysql+pymysql://placement:so%20secret%40+@" + address + "?charset=utf8";
            try (Connection connection = DriverManager.getConnection(
                    "jdbc:mariadb://" + address + "?allowMultiQueries=true", "root", "")) {
                connection.createStatement().execute(TABLES);
                fill(connection, cloud);
            }
            assertThat(new DatabaseReader(url).read()).isEqualTo(cloud);
            assertThatThrownBy(() -> new DatabaseReader(url.replace("secret", "wrong")).read())
                    .isInstanceOf(ApiFailure.class).hasMessageContaining("Access denied")
                    .hasMessageNotContaining("wrong");
            assertThatThrownBy(() -> new DatabaseReader(url + "&ssl_ca=/etc/ca.pem").read())
                    .isInstanceOf(ApiFailure.class).hasMessageContaining("ssl not enabled in the server");
        }
    }

    /** Without TLS, MySQL's default login encrypts the password with a public key that the client must request. */
    @Test
    void requestsThePublicKeyOfAMySqlServerWithoutTls() throws Exception {
        try (var threads = Executors.newSingleThreadExecutor();
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<byte[]> packetOfClient = threads.submit(() -> login(server));
            assertThatThrownBy(() -> new DatabaseReader(
                    "mysql+pymysql://placement:secret@127.0.0.1:" + server.getLocalPort() + "/placement").read())
                    .isInstanceOf(ApiFailure.class);
            assertThat(packetOfClient.get()).containsExactly(2);
        }
    }

    /** Returns the packet that a client sends if its password is not in the cache of caching_sha2_password. */
    private static byte[] login(ServerSocket server) throws IOException {
        try (Socket client = server.accept()) {
            var in = new DataInputStream(client.getInputStream());
            // Capabilities (protocol 4.1, login by plugin), character set, status, length of the nonce, reserved.
            send(client, 0, "\n8.4.0\0\1\0\0\0abcdefgh\0" + "\t\u00a2-\2\0\b\0\25" + "\0".repeat(10)
                    + "ijklmnopqrst\0caching_sha2_password\0");
            packet(in);
            send(client, 2, "\u00fecaching_sha2_password\0abcdefghijklmnopqrst\0");
            packet(in);
            // The server requires full authentication.
            send(client, 4, "\1\4");
            return packet(in);
        }
    }

    private static void send(Socket client, int number, String payload) throws IOException {
        client.getOutputStream().write(new byte[] {(byte) payload.length(), 0, 0, (byte) number});
        client.getOutputStream().write(payload.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] packet(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() + (in.readUnsignedByte() << 8) + (in.readUnsignedByte() << 16);
        in.readByte();
        return in.readNBytes(length);
    }

    private static void fill(Connection connection, PlacementState cloud) throws SQLException {
        Map<String, Integer> classes = new HashMap<>();
        for (String name : cloud.resourceClasses()) {
            classes.put(name, insert(connection, "resource_classes (name)", name));
        }
        Map<String, Integer> traits = new HashMap<>();
        for (String name : cloud.traits()) {
            traits.put(name, insert(connection, "traits (name)", name));
        }
        Map<String, Integer> others = new HashMap<>();
        Map<UUID, Integer> providers = new HashMap<>();
        for (UUID uuid : cloud.providers().keySet()) {
            providers.put(uuid, insert(connection, "resource_providers (uuid, name)", uuid.toString(),
                    cloud.providers().get(uuid).name()));
        }
        for (Map.Entry<UUID, Provider> each : cloud.providers().entrySet()) {
            Provider provider = each.getValue();
            int id = providers.get(each.getKey());
            if (provider.parent() != null) {
                connection.createStatement()
                        .execute("UPDATE resource_providers SET parent_provider_id = %d WHERE id = %d"
                                .formatted(providers.get(provider.parent()), id));
            }
            for (Map.Entry<String, Inventory> stock : provider.inventories().entrySet()) {
                Inventory inventory = stock.getValue();
                write(connection, "inventories", id, classes.get(stock.getKey()), inventory.total(),
                        inventory.reserved(),
                        inventory.minUnit(), inventory.maxUnit(), inventory.stepSize(), inventory.allocationRatio());
            }
            for (String trait : provider.traits()) {
                write(connection, "resource_provider_traits", traits.get(trait), id);
            }
            for (String aggregate : provider.aggregates()) {
                write(connection, "resource_provider_aggregates", id,
                        known(connection, others, "placement_aggregates (uuid)", aggregate));
            }
        }
        for (Map.Entry<UUID, Consumer> each : cloud.consumers().entrySet()) {
            Consumer consumer = each.getValue();
            insert(connection, "consumers (uuid, project_id, user_id, consumer_type_id)", each.getKey().toString(),
                    known(connection, others, "projects (external_id)", consumer.project()),
                    known(connection, others, "users (external_id)", consumer.user()),
                    consumer.type().equals(Consumer.UNTYPED) ? null
                            : known(connection, others, "consumer_types (name)", consumer.type()));
            for (Map.Entry<UUID, Map<String, Long>> of : consumer.amounts().entrySet()) {
                for (Map.Entry<String, Long> amount : of.getValue().entrySet()) {
                    write(connection, "allocations", providers.get(of.getKey()), each.getKey().toString(),
                            classes.get(amount.getKey()), amount.getValue());
                }
            }
        }
    }

    private static int known(Connection connection, Map<String, Integer> ids, String table, String name)
            throws SQLException {
        Integer id = ids.get(table + name);
        if (id == null) {
            id = insert(connection, table, name);
            ids.put(table + name, id);
        }
        return id;
    }

    /** Returns the id of the new row. */
    private static int insert(Connection connection, String into, Object... values) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(values.length, "?"));
        try (var statement =
                connection.prepareStatement("INSERT INTO " + into + " VALUES (" + marks + ") RETURNING id")) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void write(Connection connection, String table, Object... values) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(values.length, "?"));
        try (var statement = connection.prepareStatement("INSERT INTO " + table + " VALUES (" + marks + ")")) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.execute();
        }
    }
}
