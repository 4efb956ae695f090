package io.berth.scheduler.nova.database;

import io.berth.model.SqlAlchemyUrl;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

/** One of nova's databases, created with the columns that a scheduler reads, and methods to fill it. */
public final class NovaTables {
    static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final String TIMES = "created_at DATETIME, updated_at DATETIME, ID, ";
    private static final String ROW = TIMES + "deleted_at DATETIME, deleted int DEFAULT 0, ";

    private final SqlAlchemyUrl url;
    private final Database database;
    private int ids = 1_000;

    private NovaTables(SqlAlchemyUrl server, String name, Vertx vertx) {
        Database first = Database.of("test", server, vertx, TIMEOUT);
        first.run("CREATE DATABASE " + name).await().indefinitely();
        first.close();
        url = new SqlAlchemyUrl(server.kind(), server.host(), server.port(), server.user(), server.password(), name,
                "");
        database = Database.of("test", url, vertx, TIMEOUT);
    }

    /** Creates nova's API database and the database of one cell in a PostgreSQL server. */
    public static NovaTables[] of(String url, UUID cell, Vertx vertx) {
        SqlAlchemyUrl server = SqlAlchemyUrl.parse(url, "url");
        NovaTables api = api(server, vertx);
        NovaTables tables = cell(server, vertx);
        api.cellMapping(cell, tables.connection());
        return new NovaTables[] {api, tables};
    }

    static NovaTables api(SqlAlchemyUrl server, Vertx vertx) {
        NovaTables made = new NovaTables(server, "api_" + Long.toHexString(System.nanoTime()), vertx);
        made.run("CREATE TABLE cell_mappings (" + TIMES
                + "uuid varchar(36), name varchar(255), database_connection text, transport_url text, disabled"
                + " boolean)");
        made.run("CREATE TABLE aggregates (" + TIMES + "uuid varchar(36), name varchar(255))");
        made.run("CREATE TABLE aggregate_hosts (" + TIMES + "host varchar(255), aggregate_id int)");
        made.run("CREATE TABLE aggregate_metadata (" + TIMES + "aggregate_id int, " + made.database.quoted("key")
                + " varchar(255), value varchar(255))");
        made.run("CREATE TABLE build_requests (" + TIMES + "instance_uuid varchar(36))");
        return made;
    }

    static NovaTables cell(SqlAlchemyUrl server, Vertx vertx) {
        NovaTables made = new NovaTables(server, "cell_" + Long.toHexString(System.nanoTime()), vertx);
        made.run("CREATE TABLE compute_nodes (" + ROW + """
                uuid varchar(36), host varchar(255), hypervisor_hostname varchar(255), vcpus int, vcpus_used int,
                memory_mb int, free_ram_mb int, local_gb int, local_gb_used int, free_disk_gb int,
                disk_available_least int, hypervisor_type text, hypervisor_version int, cpu_info text,
                host_ip ADDRESS, supported_instances text, pci_stats text, metrics text, stats text,
                numa_topology text, cpu_allocation_ratio float, ram_allocation_ratio float,
                disk_allocation_ratio float)""");
        made.run("CREATE TABLE services (" + ROW + "uuid varchar(36), host varchar(255), "
                + made.database.quoted("binary")
                + """
                 varchar(255), topic varchar(255), report_count int, disabled boolean, disabled_reason varchar(255),
                last_seen_up DATETIME, forced_down boolean, version int)""");
        made.run("CREATE TABLE instances (" + ROW
                + "uuid varchar(36), host varchar(255), node varchar(255), vm_state varchar(255), task_state"
                + " varchar(255), instance_type_id int, display_name varchar(255))");
        made.run("CREATE TABLE migrations (" + ROW
                + "uuid varchar(36), instance_uuid varchar(36), source_compute varchar(255), dest_compute varchar(255),"
                + " status varchar(255), migration_type varchar(255))");
        return made;
    }

    SqlAlchemyUrl url() {
        return url;
    }

    Database database() {
        return database;
    }

    /** Returns the database URL as in nova.conf. */
    public String connection() {
        return "%s://%s:%s@%s:%d/%s".formatted(
                url.kind() == SqlAlchemyUrl.Kind.MYSQL ? "mysql+pymysql" : "postgresql+psycopg2",
                url.user(), url.password().replace("%", "%25"), url.host(), url.port(), url.database());
    }

    public RowSet<Row> run(String sql, Object... parameters) {
        boolean isPostgresql = url.kind() == SqlAlchemyUrl.Kind.POSTGRESQL;
        String id = isPostgresql ? "id serial PRIMARY KEY" : "id int AUTO_INCREMENT PRIMARY KEY";
        String text = sql.replace(" ID,", " " + id + ",").replace("ADDRESS", isPostgresql ? "inet" : "varchar(39)");
        return database.run(isPostgresql ? text.replace("DATETIME", "timestamp") : text, parameters).await()
                .indefinitely();
    }

    static LocalDateTime now() {
        return LocalDateTime.now(ZoneOffset.UTC).withNano(0);
    }

    void cellMapping(UUID uuid, String connection) {
        run("INSERT INTO cell_mappings (id, uuid, name, database_connection, disabled) VALUES (?, ?, ?, ?, false)",
                ++ids, uuid.toString(), "cell " + ids, connection);
    }

    void aggregate(UUID uuid, String name, String key, String value, String... hosts) {
        int id = ++ids;
        run("INSERT INTO aggregates (id, uuid, name) VALUES (?, ?, ?)", id, uuid.toString(), name);
        run("INSERT INTO aggregate_metadata (id, aggregate_id, " + database.quoted("key")
                + ", value) VALUES (?, ?, ?, ?)",
                ++ids, id, key, value);
        for (String host : hosts) {
            run("INSERT INTO aggregate_hosts (id, aggregate_id, host) VALUES (?, ?, ?)", ++ids, id, host);
        }
    }

    UUID node(String host) {
        UUID uuid = UUID.randomUUID();
        node(uuid, host);
        return uuid;
    }

    /** Adds a host that is up and was just reported. */
    public void host(UUID uuid, String host) {
        node(uuid, host);
        run("UPDATE compute_nodes SET updated_at = ? WHERE uuid = ?", now(), uuid.toString());
        service(host, now());
    }

    /** Adds a host as nova's fake driver reported it an hour ago. */
    private void node(UUID uuid, String host) {
        run("""
                INSERT INTO compute_nodes (id, uuid, host, hypervisor_hostname, vcpus, vcpus_used, memory_mb, free_ram_mb,
                    local_gb, local_gb_used, free_disk_gb, disk_available_least, hypervisor_type, hypervisor_version,
                    cpu_info, host_ip, supported_instances, pci_stats, metrics, stats, numa_topology,
                    cpu_allocation_ratio, ram_allocation_ratio, disk_allocation_ratio, created_at, updated_at)
                VALUES (?, ?, ?, ?, 16, 2, 65536, 61440, 1000, 20, 980, 900, 'fake', 1000, ?, '127.0.0.1', ?, ?, ?, ?, ?,
                    4, 1.3, 0, ?, ?)""",
                ++ids, uuid.toString(), host, host, "{\"arch\": \"x86_64\", \"model\": \"Nehalem\"}",
                "[[\"x86_64\", \"fake\", \"hvm\"]]", PCI_STATS, METRICS,
                "{\"failed_builds\": \"1\", \"num_instances\": \"2\", \"io_workload\": \"3\"}", NUMA_TOPOLOGY,
                now().minusHours(1), now().minusHours(1));
    }

    /** Updates a host's report: the number of builds and other I/O operations in progress. */
    public void ioWorkload(String host, int count) {
        run("UPDATE compute_nodes SET stats = ?, updated_at = ? WHERE host = ?",
                "{\"io_workload\": \"" + count + "\"}", now(), host);
    }

    UUID service(String host, LocalDateTime seen) {
        UUID uuid = UUID.randomUUID();
        run("INSERT INTO services (id, uuid, host, topic, report_count, disabled, forced_down, last_seen_up, version, "
                + database.quoted("binary") + ") VALUES (?, ?, ?, 'compute', 1, false, false, ?, 66, 'nova-compute')",
                ++ids, uuid.toString(), host, seen);
        return uuid;
    }

    /** Adds the build request of an instance that nova has yet to build. */
    public void buildRequest(UUID instance) {
        run("INSERT INTO build_requests (id, instance_uuid) VALUES (?, ?)", ++ids, instance.toString());
    }

    public UUID instance(String host) {
        UUID uuid = UUID.randomUUID();
        instance(uuid, host);
        return uuid;
    }

    public void instance(UUID uuid, String host) {
        run("INSERT INTO instances (id, uuid, host, node, instance_type_id, created_at, updated_at) VALUES (?, ?, ?,"
                + " ?, 7, ?, ?)",
                ++ids, uuid.toString(), host, host, now().minusHours(1), now().minusHours(1));
    }

    /** Sets the display name of an instance. */
    public void displayName(UUID instance, String name) {
        run("UPDATE instances SET display_name = ? WHERE uuid = ?", name, instance.toString());
    }

    /** Updates the host and the task state of an instance; the task may be null. */
    public void task(String instance, String host, String task) {
        run("UPDATE instances SET host = ?, node = ?, task_state = nullif(?, ''), updated_at = ? WHERE uuid = ?",
                host, host, task == null ? "" : task, now(), instance);
    }

    /** Adds a migration that nova has begun. */
    public void migration(String instance, String source, String destination, String status) {
        run("INSERT INTO migrations (id, uuid, instance_uuid, source_compute, dest_compute, status, created_at)"
                + " VALUES (?, ?, ?, ?, nullif(?, ''), ?, ?)",
                ++ids, UUID.randomUUID().toString(), instance, source, destination == null ? "" : destination, status,
                now());
    }

    /** Updates the status of the instance's migrations. */
    public void migrationStatus(String instance, String status) {
        run("UPDATE migrations SET status = ?, updated_at = ? WHERE instance_uuid = ?", status, now(), instance);
    }

    private static final String METRICS = """
            [{"name": "cpu.percent", "value": 0.29, "timestamp": "2026-11-22T21:42:52Z", "source": "fake"},
             {"name": "cpu.frequency", "value": 2900, "timestamp": "2026-11-22T21:42:52Z", "source": "fake"}]""";
    private static final String PCI_STATS = """
            {"nova_object.name": "PciDevicePoolList", "nova_object.namespace": "nova", "nova_object.version": "1.1",
             "nova_object.data": {"objects": [{"nova_object.name": "PciDevicePool", "nova_object.namespace": "nova",
               "nova_object.version": "1.1", "nova_object.data": {"product_id": "1572", "vendor_id": "8086",
                 "numa_node": 0, "tags": {"physical_network": "physnet0"}, "count": 4}}]}}""";
    private static final String NUMA_TOPOLOGY = """
            {"nova_object.name": "NUMATopology", "nova_object.namespace": "nova", "nova_object.version": "1.2",
             "nova_object.data": {"cells": [{"nova_object.name": "NUMACell", "nova_object.namespace": "nova",
               "nova_object.version": "1.5", "nova_object.data": {"id": 0, "cpuset": [0, 1, 2, 3], "pcpuset": [2, 3],
                 "memory": 32768, "cpu_usage": 2, "memory_usage": 4096, "pinned_cpus": [2], "siblings": [[0, 1], [2, 3]],
                 "socket": 0, "mempages": [{"nova_object.name": "NUMAPagesTopology", "nova_object.namespace": "nova",
                   "nova_object.version": "1.1", "nova_object.data": {"size_kb": 4, "total": 100, "used": 1,
                     "reserved": 2}}],
                 "network_metadata": {"nova_object.name": "NetworkMetadata", "nova_object.namespace": "nova",
                   "nova_object.version": "1.0", "nova_object.data": {"physnets": ["foo"], "tunneled": false}}}}]}}""";
}
