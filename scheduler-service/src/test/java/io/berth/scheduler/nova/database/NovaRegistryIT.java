package io.berth.scheduler.nova.database;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.database.DatabaseUnavailable;
import io.berth.deploy.mariadb.MariaDbForTests;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.wire.Wire;
import io.berth.model.SqlAlchemyUrl;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostFacts;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistryLayers;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Row;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the reading of nova's databases, against MariaDB and PostgreSQL. */
@Tag("process")
class NovaRegistryIT {
    private static Vertx vertx;
    private static MariaDbForTests mariaDb;

    private final UUID cell = UUID.randomUUID();
    private NovaTables api;
    private NovaTables tables;

    enum Server {
        MARIADB,
        POSTGRESQL
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        mariaDb = MariaDbForTests.whyUnavailable() == null
                ? new MariaDbForTests("GRANT ALL ON *.* TO nova@'127.0.0.1' IDENTIFIED BY 'sec%ret'")
                : null;
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        if (mariaDb != null) {
            mariaDb.close();
        }
    }

    private static SqlAlchemyUrl url(Server server) {
        assumeTrue(server != Server.MARIADB || mariaDb != null, MariaDbForTests::whyUnavailable);
        return server == Server.MARIADB
                ? new SqlAlchemyUrl(SqlAlchemyUrl.Kind.MYSQL, "127.0.0.1", mariaDb.port(), "nova", "sec%ret", "mysql",
                        "")
                : SqlAlchemyUrl.parse(PostgresForTests.url(), "url");
    }

    private void prepare(Server server) {
        api = NovaTables.api(url(server), vertx);
        tables = NovaTables.cell(url(server), vertx);
    }

    private NovaRegistry registry(Duration maxAge, Duration cellTimeout) {
        return registry(maxAge, cellTimeout, Options.DEFAULTS.defaults().inventory());
    }

    private NovaRegistry registry(Duration maxAge, Duration cellTimeout, InventoryOptions options) {
        return registry(maxAge, cellTimeout, options, CellSource.WHOLE_EVERY);
    }

    private NovaRegistry registry(
            Duration maxAge, Duration cellTimeout, InventoryOptions options, Duration wholeEvery) {
        return new NovaRegistry(
                new NovaDatabaseConfig(
                        Optional.of(api.connection()), Optional.of(tables.connection()), maxAge, cellTimeout,
                        Duration.ZERO),
                options,
                wholeEvery,
                vertx,
                new SimpleMeterRegistry());
    }

    private NovaRegistry registry() {
        return registry(Duration.ZERO, NovaTables.TIMEOUT);
    }

    private static RegistrySnapshot now(NovaRegistry registry, Object layer) {
        RegistryLayers layers = registry.current().await().atMost(NovaTables.TIMEOUT);
        return layers.layers().stream().filter(one -> one.name().equals(layer)).findFirst().orElseThrow().registry();
    }

    private RegistrySnapshot hosts(NovaRegistry registry) {
        return now(registry, cell);
    }

    private static RegistrySnapshot aggregates(NovaRegistry registry) {
        return registry.current().await().atMost(NovaTables.TIMEOUT).layers().getFirst().registry();
    }

    @ParameterizedTest
    @EnumSource
    void readsHostsServicesInstancesAndAggregates(Server server) {
        prepare(server);
        api.cellMapping(new UUID(0, 0), "none:///");
        api.cellMapping(cell, tables.connection().replaceFirst("^([^:]+)://[^@]+@[^/]+",
                "{scheme}://{username}:{password}@{hostname}:{port}"));
        UUID aggregate = UUID.randomUUID();
        api.aggregate(aggregate, "fast", "availability_zone", "z1", "cmp1", "cmp2");
        UUID node = tables.node("cmp1");
        LocalDateTime seen = NovaTables.now().minusSeconds(7);
        UUID service = tables.service("cmp1", seen);
        tables.run("UPDATE services SET disabled = true, disabled_reason = 'why'");
        UUID instance = tables.instance("cmp1");

        NovaRegistry registry = registry();
        RegistrySnapshot read = hosts(registry);
        ComputeNode known = read.findComputeNode(node);
        assertThat(known.cellUuid()).isEqualTo(cell.toString());
        assertThat(known.state().facts()).satisfies(facts -> {
            assertThat(facts.host()).isEqualTo("cmp1");
            assertThat(facts.hostIp()).isEqualTo("127.0.0.1");
            assertThat(facts.freeRamMb()).isEqualTo(61_440);
            assertThat(facts.totalUsableRamMb()).isEqualTo(65_536);
            assertThat(facts.freeDiskMb()).isEqualTo(900 * 1024);
            assertThat(facts.diskMbUsed()).isEqualTo(20 * 1024);
            assertThat(facts.vcpusUsed()).isEqualTo(2);
            assertThat(facts.cpuAllocationRatio()).isEqualTo(4.0);
            assertThat(facts.ramAllocationRatio()).isEqualTo(1.3);
            assertThat(facts.numInstances()).isEqualTo(2);
            assertThat(facts.numIoOps()).isEqualTo(3);
            assertThat(facts.failedBuilds()).isEqualTo(1);
            // As nova reads it: int(0.29 * 100) is 28.
            assertThat(facts.metrics()).isEqualTo(Map.of("cpu.percent", 28.0, "cpu.frequency", 2900.0));
            assertThat(facts.supportedInstances()).hasToString("[x86_64/fake/hvm]");
            assertThat(facts.numaTopology().cells()).singleElement().satisfies(numa -> {
                assertThat(numa.memoryMb()).isEqualTo(32_768);
                assertThat(numa.pages().getFirst().total()).isEqualTo(100);
                assertThat(numa.network().physnets()).containsExactly("foo");
            });
            assertThat(facts.pciStats().pools()).singleElement().satisfies(pool -> {
                assertThat(pool.count()).isEqualTo(4);
                assertThat((Object) pool.tags()).isEqualTo(Map.of("physical_network", "physnet0"));
            });
        });
        ComputeService up = read.findService("cmp1");
        assertThat(up.uuid()).isEqualTo(service);
        assertThat(up.disabled()).isTrue();
        assertThat(up.disabledReason()).isEqualTo("why");
        assertThat(up.lastHeartbeat()).isEqualTo(seen.toInstant(ZoneOffset.UTC));
        assertThat(read.source().minComputeVersion()).isEqualTo(66);
        RegisteredInstance running = read.findInstance(instance);
        assertThat(running.host()).isEqualTo("cmp1");
        assertThat(running.running().flavorId()).isEqualTo(7);
        assertThat(aggregates(registry).findCell(cell).enabled()).isTrue();
        assertThat(aggregates(registry).aggregatesOf("cmp2")).singleElement().satisfies(fast -> {
            assertThat(fast.uuid()).isEqualTo(aggregate.toString());
            assertThat(fast.metadata()).isEqualTo(Map.of("availability_zone", "z1"));
        });
    }

    /** Such rows must not make the read of the others fail. */
    @ParameterizedTest
    @EnumSource
    void skipsAggregatesWithoutAUuidAndNamesNamelessOnesByUuid(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        UUID nameless = UUID.randomUUID();
        api.aggregate(nameless, "nameless", "ssd", "true", "cmp1");
        api.aggregate(UUID.randomUUID(), "broken", "ssd", "true", "cmp1");
        api.run("UPDATE aggregates SET name = NULL WHERE uuid = ?", nameless.toString());
        api.run("UPDATE aggregates SET uuid = 'none' WHERE name = 'broken'");
        assertThat(aggregates(registry()).aggregatesOf("cmp1")).singleElement()
                .satisfies(read -> assertThat(read.name()).isEqualTo(nameless.toString()));
    }

    /** Like nova, uses the configured ratio, or else the configured initial ratio. */
    @ParameterizedTest
    @EnumSource
    void usesConfiguredRatiosThatANodeLacks(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        UUID node = tables.node("cmp1");
        tables.run("UPDATE compute_nodes SET cpu_allocation_ratio = NULL, ram_allocation_ratio = 0,"
                + " disk_allocation_ratio = 2");
        NovaRegistry registry = registry(Duration.ZERO, NovaTables.TIMEOUT, new InventoryOptions(
                Map.of("MEMORY_MB", 1.7, "DISK_GB", 1.8), Map.of("VCPU", 16.0, "MEMORY_MB", 1.5), Map.of()));
        HostFacts facts = hosts(registry).findComputeNode(node).state().facts();
        assertThat(facts.cpuAllocationRatio()).isEqualTo(16.0);
        assertThat(facts.ramAllocationRatio()).isEqualTo(1.7);
        assertThat(facts.diskAllocationRatio()).isEqualTo(2.0);
    }

    @ParameterizedTest
    @EnumSource
    void readsChangedRowsAndReusesTheOthers(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        UUID changed = tables.node("cmp1");
        UUID same = tables.node("cmp2");
        UUID gone = tables.node("cmp3");
        UUID service = tables.service("cmp1", NovaTables.now().minusMinutes(3));
        UUID serviceGone = tables.service("cmp3", NovaTables.now());
        UUID moved = tables.instance("cmp1");
        UUID deleted = tables.instance("cmp1");
        NovaRegistry registry = registry();
        RegistrySnapshot before = hosts(registry);
        assertThat(before.computeNodeCount()).isEqualTo(3);

        LocalDateTime now = NovaTables.now();
        tables.run("UPDATE compute_nodes SET free_ram_mb = 5, updated_at = ? WHERE uuid = ?", now, changed.toString());
        // A soft deletion leaves updated_at as it is.
        tables.run("UPDATE compute_nodes SET deleted = id, deleted_at = ? WHERE uuid = ?", now, gone.toString());
        tables.run("UPDATE services SET deleted = id, deleted_at = ? WHERE uuid = ?", now, serviceGone.toString());
        tables.run("UPDATE services SET last_seen_up = ? WHERE uuid = ?", now, service.toString());
        tables.run("UPDATE instances SET host = 'cmp2', node = 'cmp2', updated_at = ? WHERE uuid = ?", now,
                moved.toString());
        tables.run("UPDATE instances SET deleted = id, updated_at = ? WHERE uuid = ?", now, deleted.toString());
        UUID built = tables.instance("cmp2");
        tables.run("UPDATE instances SET created_at = ?, updated_at = NULL WHERE uuid = ?", now, built.toString());
        api.aggregate(UUID.randomUUID(), "fast", "ssd", "true", "cmp1");

        RegistrySnapshot after = hosts(registry);
        assertThat(after.findComputeNode(changed).state().facts().freeRamMb()).isEqualTo(5);
        assertThat(after.findComputeNode(same)).isSameAs(before.findComputeNode(same));
        assertThat(after.findComputeNode(gone)).isNull();
        assertThat(after.findService("cmp1")).isSameAs(before.findService("cmp1"));
        assertThat(after.findService("cmp1").lastHeartbeat()).isEqualTo(now.toInstant(ZoneOffset.UTC));
        assertThat(after.findService("cmp3")).isNull();
        assertThat(after.instancesOn("cmp1", "cmp1")).isEmpty();
        assertThat(after.instancesOn("cmp2", "cmp2")).containsOnlyKeys(moved.toString(), built.toString());
        assertThat(aggregates(registry).aggregatesOf("cmp1")).hasSize(1);

        RegistrySnapshot again = hosts(registry);
        for (RecordCollection collection : NovaRegistry.OF_CELLS) {
            assertThat(again.mayDiffer(after, collection)).as("%s", collection).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFullReadReplacesOnlyChangedRecords(Server server) {
        prepare(server);
        UUID node = tables.node("cmp1");
        tables.service("cmp1", NovaTables.now());
        UUID stays = tables.instance("cmp1");
        UUID purged = tables.instance("cmp1");
        CellReading reading = new CellReading(
                tables.database(), cell, Options.DEFAULTS.defaults().inventory(), new InstanceRoom(1 << 20));
        RegistrySnapshot before = read(reading, null);
        RegistrySnapshot same = read(reading, before);
        for (RecordCollection collection : NovaRegistry.OF_CELLS) {
            assertThat(same.mayDiffer(before, collection)).as("%s", collection).isFalse();
        }
        tables.run("DELETE FROM instances WHERE uuid = ?", purged.toString());
        RegistrySnapshot after = read(reading, same);
        assertThat(after.instancesOn("cmp1", "cmp1")).containsOnlyKeys(stays.toString());
        assertThat(after.findComputeNode(node)).isSameAs(before.findComputeNode(node));
        tables.run("DELETE FROM compute_nodes");
        tables.run("DELETE FROM services");
        RegistrySnapshot none = read(reading, after);
        assertThat(none.computeNodeCount()).isZero();
        assertThat(none.findService("cmp1")).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void tracksMovesUntilNovaEndsThem(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        UUID resized = tables.instance("cmp2");
        UUID moving = tables.instance("cmp1");
        UUID deleted = tables.instance("cmp1");
        tables.run("UPDATE instances SET deleted = id WHERE uuid = ?", deleted.toString());
        tables.migration(deleted.toString(), "cmp1", "cmp2", "migrating");
        tables.migration(resized.toString(), "cmp4", "cmp5", "confirmed");
        tables.migration(resized.toString(), "cmp1", "cmp2", "finished");
        NovaRegistry registry = registry();
        assertThat(hosts(registry).moves()).isEqualTo(Map.of(resized, Set.of("cmp1", "cmp2")));
        tables.migration(moving.toString(), "cmp1", null, "pre-migrating");
        assertThat(hosts(registry).moves()).containsEntry(moving, Set.of("cmp1"));
        tables.run("UPDATE migrations SET dest_compute = 'cmp3', status = 'migrating', updated_at = ? WHERE"
                + " instance_uuid = ?",
                NovaTables.now(), moving.toString());
        assertThat(hosts(registry).moves()).containsEntry(moving, Set.of("cmp1", "cmp3")).hasSize(2);
        tables.migrationStatus(moving.toString(), "error");
        tables.migrationStatus(resized.toString(), "reverted");
        assertThat(hosts(registry).moves()).isEmpty();
    }

    /** The clock was ahead at the last read and was set back since. */
    @ParameterizedTest
    @EnumSource
    void seesChangesAfterTheClockWasSetBack(Server server) {
        prepare(server);
        UUID node = tables.node("cmp1");
        CellReading reading = new CellReading(
                tables.database(), cell, Options.DEFAULTS.defaults().inventory(), new InstanceRoom(1 << 20));
        RegistrySnapshot before = read(reading, null);
        tables.run("UPDATE compute_nodes SET free_ram_mb = 5, updated_at = ?", NovaTables.now());
        Instant ahead = Instant.now().plus(Duration.ofHours(2));
        RegistrySnapshot after = reading.readChanges(new CellReading.CellContent(before, UnfinishedMoves.NONE, ahead))
                .await().atMost(NovaTables.TIMEOUT).registry();
        assertThat(after.findComputeNode(node).state().facts().freeRamMb()).isEqualTo(5);
    }

    /** A row that an upgrade of nova wrote: the host stays as it was until the row can be read. */
    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void aNodeWhoseRowCannotBeReadKeepsItsRecord(Server server) {
        prepare(server);
        UUID node = tables.node("cmp1");
        CellReading reading = new CellReading(
                tables.database(), cell, Options.DEFAULTS.defaults().inventory(), new InstanceRoom(1 << 20));
        RegistrySnapshot before = read(reading, null);
        tables.run("UPDATE compute_nodes SET stats = '[', free_ram_mb = 5, updated_at = ?", NovaTables.now());
        assertThat(read(reading, before).findComputeNode(node)).isSameAs(before.findComputeNode(node));
        assertThat(reading
                .readChanges(new CellReading.CellContent(before, UnfinishedMoves.NONE, Instant.now()))
                .await().atMost(NovaTables.TIMEOUT).registry().findComputeNode(node))
                .isSameAs(before.findComputeNode(node));
        tables.run("DELETE FROM compute_nodes");
        assertThat(read(reading, before).findComputeNode(node)).isNull();
    }

    /** Reads the whole cell. */
    private static RegistrySnapshot read(CellReading reading, RegistrySnapshot held) {
        return reading.readWhole(held == null ? null
                : new CellReading.CellContent(held, UnfinishedMoves.NONE, Instant.now()))
                .await().atMost(NovaTables.TIMEOUT).registry();
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void leavesOutACellUntilItResponds(Server server) throws Exception {
        prepare(server);
        UUID node = tables.node("cmp1");
        tables.service("cmp1", NovaTables.now());
        UUID other = UUID.randomUUID();
        api.cellMapping(cell, tables.connection());
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            api.cellMapping(other, tables.connection().replaceFirst(":\\d+/", ":" + silent.getLocalPort() + "/"));
            NovaRegistry registry = registry(Duration.ZERO, Duration.ofSeconds(2));
            eventually(() -> assertThat(hosts(registry).findComputeNode(node)).isNotNull());
            assertThat(now(registry, other).computeNodeCount()).isZero();
            api.run("UPDATE cell_mappings SET database_connection = ? WHERE uuid = ?", tables.connection(),
                    other.toString());
            eventually(() -> assertThat(now(registry, other).computeNodeCount()).isOne());
        }
    }

    @ParameterizedTest
    @EnumSource
    void retriesAFailedReadBeforeLeavingOutACell(Server server) {
        prepare(server);
        UUID node = tables.node("cmp1");
        api.cellMapping(cell, tables.connection());
        NovaRegistry registry = registry();
        assertThat(hosts(registry).findComputeNode(node)).isNotNull();
        tables.run("ALTER TABLE services RENAME TO elsewhere");
        CompletableFuture<RegistryLayers> waiting = registry.current().subscribeAsCompletionStage();
        eventually(() -> assertThat(registry.silentParts()).isNotEmpty());
        tables.run("ALTER TABLE elsewhere RENAME TO services");
        assertThat(waiting.join().layers()).filteredOn(one -> one.name().equals(cell))
                .singleElement().satisfies(one -> assertThat(one.registry().findComputeNode(node)).isNotNull());
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void readsACellThatTakesLongerThanTheTimeout(Server server) {
        prepare(server);
        UUID node = tables.node("cmp1");
        fill(2048);
        try (Wire slow = Wire.to(tables.url().port())) {
            api.cellMapping(cell, tables.connection().replaceFirst(":\\d+/", ":" + slow.port() + "/"));
            slow.delay(Duration.ofMillis(100));
            NovaRegistry registry = registry(Duration.ZERO, Duration.ofMillis(2_500));
            eventually(() -> assertThat(hosts(registry).findComputeNode(node)).isNotNull());
        }
    }

    /** Adds rows that are not hosts, so that a full read takes longer than a read of changes. */
    private void fill(int maxRows) {
        for (int rows = 1; rows <= maxRows; rows *= 2) {
            tables.run("INSERT INTO compute_nodes (id, uuid, deleted) SELECT id + " + 10_000 * rows
                    + ", uuid, 0 FROM compute_nodes");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void servesAKnownCellDuringItsFullRead(Server server) {
        prepare(server);
        UUID node = tables.node("cmp1");
        fill(8192);
        UUID purged = tables.node("cmp2");
        try (Wire slow = Wire.to(tables.url().port())) {
            api.cellMapping(cell, tables.connection().replaceFirst(":\\d+/", ":" + slow.port() + "/"));
            NovaRegistry registry = registry(
                    Duration.ZERO, Duration.ofSeconds(8), Options.DEFAULTS.defaults().inventory(), Duration.ZERO);
            eventually(() -> assertThat(hosts(registry).findComputeNode(purged)).isNotNull());
            tables.run("DELETE FROM compute_nodes WHERE uuid = ?", purged.toString());
            slow.delay(Duration.ofMillis(100));
            api.run("UPDATE cell_mappings SET name = 'renamed'");
            List<UUID> leftOut = new ArrayList<>();
            eventually(() -> {
                RegistrySnapshot read = hosts(registry);
                if (read.findComputeNode(node) == null) {
                    leftOut.add(node);
                }
                assertThat(read.findComputeNode(purged)).isNull();
            });
            assertThat(leftOut).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void namesACellThatDoesNotRespond(Server server) throws Exception {
        prepare(server);
        UUID node = tables.node("cmp1");
        api.cellMapping(cell, tables.connection());
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            NovaRegistry registry = registry(Duration.ZERO, Duration.ofSeconds(5));
            assertThat(hosts(registry).findComputeNode(node)).isNotNull();
            assertThat(registry.silentParts()).isEmpty();
            api.run("UPDATE cell_mappings SET database_connection = ?",
                    tables.connection().replaceFirst(":\\d+/", ":" + silent.getLocalPort() + "/"));
            CompletableFuture<RegistryLayers> waiting = registry.current().subscribeAsCompletionStage();
            eventually(() -> assertThat(registry.silentParts()).singleElement().asString().contains(cell.toString()));
            waiting.join();
            assertThat(registry.silentParts()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void failsWhileTheApiDatabaseCannotBeRead(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        tables.node("cmp1");
        NovaRegistry registry = registry();
        assertThat(hosts(registry).computeNodeCount()).isOne();
        api.run("ALTER TABLE aggregates RENAME TO elsewhere");
        assertThatThrownBy(() -> hosts(registry)).isInstanceOf(DatabaseUnavailable.class)
                .hasMessageNotContaining(api.url().password());
        api.run("ALTER TABLE elsewhere RENAME TO aggregates");
        assertThat(hosts(registry).computeNodeCount()).isOne();
    }

    /** Nova uses the host in the enabled cell only; rows that are left in the other cell do not count. */
    @ParameterizedTest
    @EnumSource
    void prefersTheEnabledCellForAHostOfTwoCells(Server server) {
        prepare(server);
        UUID retired = UUID.randomUUID();
        api.cellMapping(retired, tables.connection());
        api.cellMapping(cell, tables.connection());
        UUID node = tables.node("cmp1");
        NovaRegistry registry = registry();
        List<Object> before = layers(registry).stream().map(RegistryLayers.Layer::name).toList();
        api.run("UPDATE cell_mappings SET disabled = true WHERE uuid = ?", retired.toString());
        List<RegistryLayers.Layer> after = layers(registry);
        assertThat(after.get(1).registry().findComputeNode(node).cellUuid()).isEqualTo(cell.toString());
        assertThat(after.get(2).registry().findComputeNode(node).cellUuid()).isEqualTo(retired.toString());
        assertThat(before).as("a new layer, so that hidden records appear").doesNotContain(after.get(2).name());
    }

    private static List<RegistryLayers.Layer> layers(NovaRegistry registry) {
        return registry.current().await().atMost(NovaTables.TIMEOUT).layers();
    }

    @ParameterizedTest
    @EnumSource
    void reusesAReadThatIsYoungEnough(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        NovaRegistry registry = registry(Duration.ofDays(1), NovaTables.TIMEOUT);
        assertThat(hosts(registry).computeNodeCount()).isZero();
        tables.node("cmp1");
        assertThat(hosts(registry).computeNodeCount()).isZero();
        assertThat(hosts(registry()).computeNodeCount()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void reportsWhetherAnInstanceWaitsForItsHost(Server server) {
        prepare(server);
        api.cellMapping(new UUID(0, 0), "none:///");
        api.cellMapping(cell, tables.connection());
        NovaRegistry registry = registry();
        UUID instance = UUID.randomUUID();
        assertThat(progress(registry, instance)).as("nothing was read yet").isEqualTo(BuildProgress.WAITING);
        hosts(registry);
        assertThat(progress(registry, instance)).isEqualTo(BuildProgress.NOT_WAITING);
        api.buildRequest(instance);
        assertThat(progress(registry, instance)).isEqualTo(BuildProgress.WAITING);

        UUID running = tables.instance("cmp1");
        assertThat(progress(registry, running)).isEqualTo(BuildProgress.ARRIVED);
        tables.run("UPDATE instances SET host = 'cmp2'");
        assertThat(progress(registry, running)).isEqualTo(BuildProgress.NOT_WAITING);
        tables.run("UPDATE instances SET task_state = 'resize_prep'");
        assertThat(progress(registry, running)).isEqualTo(BuildProgress.WAITING);
        tables.run("UPDATE instances SET host = NULL, vm_state = 'building', task_state = NULL");
        assertThat(progress(registry, running)).as("its compute builds it").isEqualTo(BuildProgress.WAITING);
        tables.run("UPDATE instances SET deleted = id");
        assertThat(progress(registry, running)).isEqualTo(BuildProgress.NOT_WAITING);
        api.run("ALTER TABLE build_requests RENAME TO elsewhere");
        assertThat(progress(registry, running)).as("unknown").isEqualTo(BuildProgress.WAITING);
    }

    /** A move in a disabled cell may go on while the cell does not respond. */
    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void assumesThatInstancesWaitIfADisabledCellDoesNotRespond(Server server) {
        prepare(server);
        tables.node("cmp1");
        UUID moved = tables.instance("cmp0");
        tables.run("UPDATE instances SET task_state = 'migrating'");
        try (Wire wire = Wire.to(tables.url().port())) {
            api.cellMapping(cell, tables.connection().replaceFirst(":\\d+/", ":" + wire.port() + "/"));
            api.run("UPDATE cell_mappings SET disabled = true");
            NovaRegistry registry = registry(Duration.ZERO, Duration.ofSeconds(2));
            eventually(() -> assertThat(layers(registry).getLast().registry().computeNodeCount()).isOne());
            wire.stall();
            eventually(() -> assertThat(layers(registry).getLast().registry().computeNodeCount()).isZero());
            assertThat(progress(registry, moved)).isEqualTo(BuildProgress.WAITING);
            assertThat(registry.findBuildProgress(moved, "cmp9").await().atMost(NovaTables.TIMEOUT)).as("not its host")
                    .isEqualTo(BuildProgress.NOT_WAITING);
        }
    }

    @ParameterizedTest
    @EnumSource
    void returnsThePlacesOfInstancesWithoutAnOperation(Server server) {
        prepare(server);
        api.cellMapping(cell, tables.connection());
        NovaRegistry registry = registry();
        UUID running = tables.instance("cmp1");
        Set<UUID> both = Set.of(running, tables.instance("cmp2"));
        assertThat(places(registry, both)).as("nothing was read yet").isEmpty();
        hosts(registry);
        assertThat(places(registry, both)).hasSize(2).containsEntry(running, new Place("cmp1", "cmp1"));
        Set<UUID> one = Set.of(running);
        for (String under : List.of(
                "task_state = 'resize_prep'", "vm_state = 'building'", "host = NULL", "deleted = id")) {
            tables.run("UPDATE instances SET " + under);
            assertThat(places(registry, one)).as(under).isEmpty();
            tables.run("UPDATE instances SET task_state = NULL, vm_state = 'active', host = 'cmp1', deleted = 0");
            assertThat(places(registry, one)).hasSize(1);
        }
        api.cellMapping(UUID.randomUUID(), tables.connection());
        hosts(registry);
        assertThat(places(registry, one)).as("in two cells").isEmpty();
    }

    private static Map<UUID, Place> places(NovaRegistry registry, Set<UUID> instances) {
        return registry.placesWithoutOperation(instances).await().atMost(NovaTables.TIMEOUT);
    }

    private static BuildProgress progress(NovaRegistry registry, UUID instance) {
        return registry.findBuildProgress(instance, "cmp1").await().atMost(NovaTables.TIMEOUT);
    }

    @ParameterizedTest
    @EnumSource
    void addsItselfToNovasServices(Server server) {
        prepare(server);
        tables.service("cmp1", NovaTables.now());
        for (int i = 0; i < 3; i++) {
            OwnService.update(tables.database(), "berth1").await().atMost(NovaTables.TIMEOUT);
        }
        Row row = tables.run("SELECT host, topic, report_count, version, disabled, last_seen_up FROM services s"
                + " WHERE s.binary = 'nova-scheduler'").iterator().next();
        assertThat(row.getString("host")).isEqualTo("berth1");
        assertThat(row.getString("topic")).isEqualTo("scheduler");
        assertThat(row.getInteger("report_count")).isEqualTo(2);
        assertThat(row.getInteger("version")).isEqualTo(66);
        assertThat(row.getBoolean("disabled")).isFalse();
        assertThat(row.getLocalDateTime("last_seen_up")).isAfter(NovaTables.now().minusMinutes(30));
        tables.run("UPDATE services SET version = 70 WHERE topic = 'compute'");
        OwnService.update(tables.database(), "berth1").await().atMost(NovaTables.TIMEOUT);
        assertThat(tables.run("SELECT version FROM services WHERE topic = 'scheduler'").iterator().next()
                .getInteger("version"))
                .as("nova was upgraded").isEqualTo(70);
    }
}
