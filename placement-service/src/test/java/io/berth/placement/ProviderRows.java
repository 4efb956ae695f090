package io.berth.placement;

import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A resource provider for a test, written directly to the tables: {@code aProvider().with("VCPU", 8).insert(pool)}.
 * Each has its own uuid and name, so tests can share a database.
 */
public final class ProviderRows {
    private final Map<String, int[]> inventories = new LinkedHashMap<>();
    private double ratio = 1.0;

    private ProviderRows() {}

    public static ProviderRows aProvider() {
        return new ProviderRows();
    }

    public ProviderRows with(String resourceClass, int total) {
        return with(resourceClass, total, 0);
    }

    public ProviderRows with(String resourceClass, int total, int reserved) {
        inventories.put(resourceClass, new int[] {total, reserved});
        return this;
    }

    /** Sets the allocation ratio of all its inventories. */
    public ProviderRows ratio(double allocationRatio) {
        ratio = allocationRatio;
        return this;
    }

    public UUID insert(Pool pool) {
        UUID uuid = UUID.randomUUID();
        long id = first(pool, """
                INSERT INTO resource_providers (id, uuid, name, root_id)
                SELECT n, $1, $2, n FROM nextval(pg_get_serial_sequence('resource_providers', 'id')) AS n RETURNING id
                """, Tuple.of(uuid, "test-" + uuid)).getLong("id");
        inventories.forEach((name, amounts) -> run(pool, """
                INSERT INTO inventories (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
                                         allocation_ratio)
                SELECT $1, id, $3, $4, 1, 2147483647, 1, $5 FROM resource_classes WHERE name = $2
                """, Tuple.of(id, name, amounts[0], amounts[1], ratio)));
        run(pool, "INSERT INTO fleet_changes (kind, object_id) VALUES (0, $1)", Tuple.of(id));
        return uuid;
    }

    /** Returns the provider's generation in the table. */
    public static int generation(Pool pool, UUID provider) {
        return first(pool, "SELECT generation FROM resource_providers WHERE uuid = $1", Tuple.of(provider))
                .getInteger("generation");
    }

    /** Returns the used amount in the row of the inventory. */
    public static long used(Pool pool, UUID provider, String resourceClass) {
        return first(pool, """
                SELECT i.used FROM inventories i
                  JOIN resource_providers p ON p.id = i.provider_id
                  JOIN resource_classes r ON r.id = i.resource_class_id
                 WHERE p.uuid = $1 AND r.name = $2
                """, Tuple.of(provider, resourceClass)).getLong("used");
    }

    /** Returns the sum of the allocations. */
    public static long allocated(Pool pool, UUID provider, String resourceClass) {
        return first(pool, """
                SELECT coalesce(sum(a.used), 0)::bigint AS used FROM allocations a
                  JOIN resource_providers p ON p.id = a.provider_id
                  JOIN resource_classes r ON r.id = a.resource_class_id
                 WHERE p.uuid = $1 AND r.name = $2
                """, Tuple.of(provider, resourceClass)).getLong("used");
    }

    public static boolean consumerExists(Pool pool, UUID consumer) {
        return first(pool, "SELECT count(*) AS n FROM consumers WHERE uuid = $1", Tuple.of(consumer)).getLong("n") > 0;
    }

    private static Row first(Pool pool, String sql, Tuple parameters) {
        return pool.preparedQuery(sql).execute(parameters).await().indefinitely().iterator().next();
    }

    private static void run(Pool pool, String sql, Tuple parameters) {
        pool.preparedQuery(sql).execute(parameters).await().indefinitely();
    }
}
