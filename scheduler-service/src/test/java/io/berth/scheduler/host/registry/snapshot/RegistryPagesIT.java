package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.host.registry.ComputeService;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a snapshot is updated page by page, without a full read, for any number of changed records. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RegistryPagesIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Inject
    RegistryFeedStore store;

    @Inject
    Pool pool;

    private void execute(String sql) {
        pool.query(sql).execute().await().atMost(LIMIT);
    }

    @BeforeEach
    @AfterEach
    void removeAll() {
        List.of("instances", "compute_nodes", "services", "server_groups", "host_aggregates")
                .forEach(table -> execute("DELETE FROM " + table));
    }

    @Test
    void appliesManyChangesOfOneTransactionPageByPage() {
        RegistryFeedStore.ReadRegistry held = store.readEverything().await().atMost(LIMIT);
        for (String changes : List.of(
                """
                WITH nodes AS (
                    INSERT INTO compute_nodes (uuid, body)
                    SELECT gen_random_uuid(), jsonb_build_object('host', 'h' || i, 'vcpus_total', 8)
                      FROM generate_series(1, 3000) AS i),
                groups AS (
                    INSERT INTO server_groups (uuid, body)
                    SELECT gen_random_uuid(), jsonb_build_object('policy', 'affinity', 'name', 'g' || i)
                      FROM generate_series(1, 50) AS i),
                beaten AS (
                    INSERT INTO services (uuid, body)
                    SELECT gen_random_uuid(), jsonb_build_object('host', 'h' || i) FROM generate_series(1, 3000) AS i)
                INSERT INTO instances (uuid, body)
                SELECT gen_random_uuid(),
                       jsonb_build_object('host', 'h' || i % 3000, 'nodename', 'h' || i % 3000, 'instance_type_id', i % 7,
                                          'project_id', 'p', 'image_properties', jsonb_build_object('os_type', 'linux'))
                  FROM generate_series(1, 9000) AS i
                """,
                """
                WITH gone AS (DELETE FROM instances WHERE uuid < '40000000-0000-0000-0000-000000000000'),
                nodes AS (UPDATE compute_nodes SET body = body || '{"vcpus_total": 16}', version = version + 1),
                fewer AS (DELETE FROM services WHERE uuid < '80000000-0000-0000-0000-000000000000')
                UPDATE instances SET body = body || '{"host": "h1", "nodename": null}', version = version + 1
                 WHERE uuid > '40000000-0000-0000-0000-000000000000'
                """)) {
            UUID unrecorded = UUID.randomUUID();
            execute("INSERT INTO server_groups (uuid, body) VALUES ('" + unrecorded
                    + "', '{\"policy\":\"affinity\"}')");
            execute("DELETE FROM registry_changes WHERE uuid = '" + unrecorded + "'");
            execute(changes);
            held = store.catchUp(held).await().atMost(LIMIT);
            // Only a full read would find it.
            assertThat(held.registry().findServerGroup(unrecorded)).isNull();
            execute("DELETE FROM server_groups WHERE uuid = '" + unrecorded + "'");
            assertEqualRegistries(store.readEverything().await().atMost(LIMIT).registry(), held.registry());
        }
        assertThat(held.registry().computeNodeCount()).isEqualTo(3_000);
    }

    private void assertEqualRegistries(RegistrySnapshot reread, RegistrySnapshot held) {
        assertThat(held.listComputeNodes()).hasSize(reread.computeNodeCount()).isNotEmpty()
                .allSatisfy(node -> assertThat(node.state().vcpusTotal())
                        .isEqualTo(reread.findComputeNode(node.uuid()).state().vcpusTotal()));
        assertThat(new HashSet<>(held.listServerGroups())).hasSize(50)
                .isEqualTo(new HashSet<>(reread.listServerGroups()));
        for (int i = 0; i <= 3_000; i++) {
            String host = "h" + i;
            assertThat(held.instancesOn(host, host)).isEqualTo(reread.instancesOn(host, host));
            ComputeService service = held.findService(host);
            ComputeService expected = reread.findService(host);
            assertThat(service == null ? null : service.uuid()).isEqualTo(expected == null ? null : expected.uuid());
            assertThat(service == null ? null : service.lastHeartbeat())
                    .isEqualTo(expected == null ? null : expected.lastHeartbeat());
        }
        pool.query("SELECT uuid FROM instances").execute().await().atMost(LIMIT).forEach(row -> {
            UUID uuid = row.getUUID(0);
            assertThat(held.findInstance(uuid)).isNotNull().isEqualTo(reread.findInstance(uuid));
        });
    }

    /**
     * Some bodies are longer than the limit, as if stored before there was one, and some are near the limit: they do
     * not fit into one page, and are not all read on an event loop.
     */
    @Test
    void readsLongRecordsInSmallPagesAndSkipsThoseAboveTheLimit() {
        execute("""
                INSERT INTO compute_nodes (uuid, body)
                SELECT gen_random_uuid(),
                       jsonb_build_object('host', 'h' || i, 'vcpus_total', 8,
                                          'stats', jsonb_build_object('s', repeat('x', CASE i % 3 WHEN 0 THEN 1 WHEN 1 THEN 200000 ELSE 600000 END)))
                  FROM generate_series(0, 299) AS i""");
        RegistryFeedStore.ReadRegistry held = store.readEverything().await().atMost(LIMIT);
        assertOnlyRecordsWithinTheLimit(held.registry(), 8);
        assertThat(held.registry().bytes()).isBetween(100L * 200_000, 100L * 210_000);

        execute("UPDATE compute_nodes SET body = body || '{\"vcpus_total\": 16}', version = version + 1");
        execute("""
                INSERT INTO instances (uuid, body)
                SELECT gen_random_uuid(), jsonb_build_object('host', 'h0', 'image_properties', jsonb_build_object('os_type', repeat('x', i)))
                  FROM unnest(ARRAY[10, 5000, 100000]) AS i""");
        held = store.catchUp(held).await().atMost(LIMIT);
        assertOnlyRecordsWithinTheLimit(held.registry(), 16);
        assertThat(held.registry().instancesOn("h0")).hasSize(3);

        // More changes than a page has.
        execute("UPDATE compute_nodes SET version = version + 1, body = body || '{\"vcpus_total\": 32}'");
        execute("INSERT INTO cells (uuid, body) SELECT gen_random_uuid(), jsonb_build_object('name', 'c' || i) FROM"
                + " generate_series(1, 3000) AS i");
        try {
            held = store.catchUp(held).await().atMost(LIMIT);
            assertOnlyRecordsWithinTheLimit(held.registry(), 32);
        } finally {
            execute("DELETE FROM cells");
        }

        execute("DELETE FROM compute_nodes");
        held = store.catchUp(held).await().atMost(LIMIT);
        assertThat(held.registry().computeNodeCount()).isZero();
        assertThat(held.registry().bytes()).isLessThan(200_000);
    }

    private static void assertOnlyRecordsWithinTheLimit(RegistrySnapshot registry, int vcpus) {
        assertThat(registry.listComputeNodes()).hasSize(200)
                .allSatisfy(node -> assertThat(node.state().vcpusTotal()).isEqualTo(vcpus));
        assertThat(registry.computeNodesOf("h1")).hasSize(1);
        assertThat(registry.computeNodesOf("h2")).isEmpty();
    }

    /** Reproduces an idle replica that reads while a large transaction is still open. */
    @Test
    void appliesChangesOfATransactionThatWasOpenDuringTheFullRead() {
        execute("""
                INSERT INTO compute_nodes (uuid, body)
                SELECT gen_random_uuid(), jsonb_build_object('host', 'h' || i, 'vcpus_total', 8)
                  FROM generate_series(1, 3000) AS i""");
        SqlConnection writer = pool.getConnection().await().atMost(LIMIT);
        RegistryFeedStore.ReadRegistry held;
        try {
            writer.query("BEGIN").execute().await().atMost(LIMIT);
            writer.query("UPDATE compute_nodes SET body = body || '{\"vcpus_total\": 16}', version = version + 1")
                    .execute().await().atMost(LIMIT);
            held = store.readEverything().await().atMost(LIMIT);
            writer.query("COMMIT").execute().await().atMost(LIMIT);
        } finally {
            writer.close().await().atMost(LIMIT);
        }
        execute("""
                UPDATE compute_nodes SET version = version + 1
                 WHERE uuid IN (SELECT uuid FROM compute_nodes ORDER BY uuid LIMIT 1500)""");
        held = store.catchUp(held).await().atMost(LIMIT);
        assertThat(held.registry().listComputeNodes()).hasSize(3_000)
                .allSatisfy(node -> assertThat(node.state().vcpusTotal()).isEqualTo(16));
    }
}
