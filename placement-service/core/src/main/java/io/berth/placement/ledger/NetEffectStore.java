package io.berth.placement.ledger;

import io.berth.placement.db.FleetChanges;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.AllocationKey;
import io.berth.placement.ledger.claim.Consumer;
import io.berth.placement.ledger.claim.Fence;
import io.berth.placement.ledger.claim.NetEffect;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Writes the {@link NetEffect} of a batch. COMMIT is sent right after the writes, without waiting for their responses.
 * Therefore each statement that updates or deletes given rows compares the number of rows that it has written with the
 * number of given rows, and aborts the transaction with a division by zero if they differ (except {@link
 * #COUNT_NEW_INVENTORIES}, which skips inventories without allocations). The rows are locked, so a missing row would be
 * a bug.
 */
final class NetEffectStore {
    private static final String COMMIT = "COMMIT";

    /**
     * Params, with an element per consumer: 1 uuids, 2 generations, 3 project ids, 4 user ids, 5 consumer types, 6
     * fences, each the highest fencing token that the consumer has had; 7 the fencing token of each consumer's last
     * write, for the column {@code claimed_by}; null if that write had no token. {@code updated_at} does not change if
     * the generation does not, because then only the fence was raised.
     */
    private static final String UPDATE_CONSUMERS = """
            WITH changed AS (
                 UPDATE consumers
                    SET generation = c.generation, project_id = c.project_id, user_id = c.user_id,
                        consumer_type = c.consumer_type, fence = c.fence, claimed_by = c.claimed_by,
                        updated_at = CASE WHEN consumers.generation = c.generation THEN updated_at ELSE now() END
                   FROM unnest($1::uuid[], $2::int[], $3::varchar[], $4::varchar[], $5::varchar[], $6::bigint[],
                               $7::bigint[])
                        AS c (uuid, generation, project_id, user_id, consumer_type, fence, claimed_by)
                  WHERE consumers.uuid = c.uuid
                 RETURNING 1)
            SELECT 1 / (count(*) = cardinality($1))::int FROM changed
            """;

    /**
     * Updates the amounts of allocations. Params, with an element per allocation: 1 consumer uuids, 2 provider ids, 3
     * resource class ids, 4 amounts.
     */
    private static final String UPDATE_ALLOCATIONS = """
            WITH kept AS (
                 UPDATE allocations
                    SET used = a.used, updated_at = now()
                   FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[])
                        AS a (consumer_uuid, provider_id, resource_class_id, used)
                  WHERE allocations.consumer_uuid = a.consumer_uuid
                    AND allocations.provider_id = a.provider_id
                    AND allocations.resource_class_id = a.resource_class_id
                 RETURNING 1)
            SELECT 1 / (count(*) = cardinality($1))::int FROM kept
            """;

    /**
     * Stores tombstones: fences of consumers without a row. Is a part of {@link #WRITE_AND_REMOVE}. Params, with an
     * element per consumer: 16 uuids, 17 fences, 18 fencing tokens of the last writes, as for
     * {@link #UPDATE_CONSUMERS}.
     */
    private static final String TOMBSTONES = """
            INSERT INTO consumer_fences (uuid, fence, claimed_by)
            SELECT * FROM unnest($16::uuid[], $17::bigint[], $18::bigint[])
                ON CONFLICT (uuid) DO UPDATE
               SET fence = greatest(consumer_fences.fence, excluded.fence), claimed_by = excluded.claimed_by, at = now()
            """;

    /** Params, with an element per inventory: 1 provider ids, 2 resource class ids. */
    private static final String DELETE_INVENTORIES = """
            WITH gone AS (
                 DELETE FROM inventories
                  USING unnest($1::bigint[], $2::int[]) AS i (provider_id, resource_class_id)
                  WHERE inventories.provider_id = i.provider_id
                    AND inventories.resource_class_id = i.resource_class_id
                 RETURNING 1)
            SELECT 1 / (count(*) = cardinality($1))::int FROM gone
            """;

    /**
     * Params, with an element per inventory: 1 provider ids, 2 resource class ids, 3 totals, 4 reserved amounts, 5
     * {@code min_unit}, 6 {@code max_unit}, 7 step sizes, 8 allocation ratios.
     */
    private static final String INSERT_INVENTORIES = """
            INSERT INTO inventories (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
                                     allocation_ratio)
            SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[],
                                 $8::float8[])
            """;

    /**
     * Sets the use of inserted inventories to the sum of all allocations. A sum is needed because allocations may exist
     * before their inventory, for example after a partial restore. Runs after all allocations are written. Params, with
     * an element per inventory: 1 provider ids, 2 resource class ids.
     */
    private static final String COUNT_NEW_INVENTORIES = """
            UPDATE inventories
               SET used = held.used
              FROM (SELECT a.provider_id, a.resource_class_id, sum(a.used)::bigint AS used
                      FROM unnest($1::bigint[], $2::int[]) AS i (provider_id, resource_class_id)
                      JOIN allocations a ON a.provider_id = i.provider_id AND a.resource_class_id = i.resource_class_id
                     GROUP BY a.provider_id, a.resource_class_id) held
             WHERE inventories.provider_id = held.provider_id
               AND inventories.resource_class_id = held.resource_class_id
            """;

    /** Updates all columns but {@code used}. Params: as for {@link #INSERT_INVENTORIES}. */
    private static final String UPDATE_INVENTORIES = """
            WITH changed AS (
                 UPDATE inventories
                    SET total = i.total, reserved = i.reserved, min_unit = i.min_unit, max_unit = i.max_unit,
                        step_size = i.step_size, allocation_ratio = i.allocation_ratio, updated_at = now()
                   FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[],
                               $8::float8[])
                        AS i (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
                              allocation_ratio)
                  WHERE inventories.provider_id = i.provider_id
                    AND inventories.resource_class_id = i.resource_class_id
                 RETURNING 1)
            SELECT 1 / (count(*) = cardinality($1))::int FROM changed
            """;

    /**
     * Writes the effect of claims that remove neither allocations nor consumers, in one statement whose parts change
     * different tables. Params: per inserted allocation 1 consumer uuids, 2 provider ids, 3 resource class ids, 4
     * amounts; per inventory whose use changes 5 provider ids, 6 resource class ids, 7 amounts to add (may be
     * negative); per provider whose generation rises 8 provider ids, 9 by how much; 10 ids of all changed providers, to
     * record for the replicas ({@link FleetChanges}). Each allocation, inventory and provider occurs once.
     */
    private static final String WRITE = write("", "");

    /**
     * Like {@link #WRITE}, for claims that remove allocations or consumers. Params: 1 to 10 as for {@link #WRITE}; per
     * allocation to delete 11 consumer uuids, 12 provider ids, 13 resource class ids; 14 uuids of consumers to delete,
     * 15 those of them that existed before the batch, to record as released; 16 to 18 as for {@link #TOMBSTONES}. No
     * allocation to delete has the key of an inserted one.
     */
    private static final String WRITE_AND_REMOVE = write("""
            removed AS (
                 DELETE FROM allocations
                  USING unnest($11::uuid[], $12::bigint[], $13::int[]) AS a (consumer_uuid, provider_id,
                      resource_class_id)
                  WHERE allocations.consumer_uuid = a.consumer_uuid
                    AND allocations.provider_id = a.provider_id
                    AND allocations.resource_class_id = a.resource_class_id
                 RETURNING 1),
            gone AS (DELETE FROM consumers WHERE uuid = ANY($14::uuid[]) RETURNING 1),
            released AS (INSERT INTO released_consumers (uuid) SELECT unnest($15::uuid[])),
            fenced AS (
            """ + TOMBSTONES + """
            ),
            """, """
                    AND (SELECT count(*) FROM removed) = cardinality($11)
                    AND (SELECT count(*) FROM gone) = cardinality($14)
            """);

    /**
     * Returns {@link #WRITE} with additions.
     *
     * @param leadingParts parts of the WITH clause to put first, each followed by a comma
     * @param furtherConditions conditions to add to the check of written rows, each preceded by AND
     */
    private static String write(String leadingParts, String furtherConditions) {
        return "WITH " + leadingParts + """
            added AS (
                 INSERT INTO allocations (consumer_uuid, provider_id, resource_class_id, used)
                 SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[])),
            used AS (
                 UPDATE inventories
                    SET used = used + u.change
                   FROM unnest($5::bigint[], $6::int[], $7::bigint[]) AS u (provider_id, resource_class_id, change)
                  WHERE inventories.provider_id = u.provider_id
                    AND inventories.resource_class_id = u.resource_class_id
                 RETURNING 1),
            raised AS (
                 UPDATE resource_providers
                    SET generation = generation + r.rises, updated_at = now()
                   FROM unnest($8::bigint[], $9::int[]) AS r (id, rises)
                  WHERE resource_providers.id = r.id
                 RETURNING 1),
            recorded AS (
            """ + FleetChanges.RECORD_TEMPLATE.formatted(FleetChanges.PROVIDER + "::smallint", "$10::bigint[]") + """
            )
            SELECT 1 / ((SELECT count(*) FROM used) = cardinality($5)
                    AND (SELECT count(*) FROM raised) = cardinality($8)
            """ + furtherConditions + ")::int";
    }

    private final SqlConnection connection;
    private final List<Future<?>> writes = new ArrayList<>();

    NetEffectStore(SqlConnection connection) {
        this.connection = connection;
    }

    /**
     * Sends all writes, including the deletion of inserted consumers whose claims were refused. The future fails with
     * the first failure that PostgreSQL reports.
     *
     * @param inserted the consumers that {@link LedgerStore#lock} inserted
     */
    Future<?> write(NetEffect effect, Map<UUID, Consumer> inserted) {
        updateAllocations(effect);
        // Allocations are deleted last, by the statement that inserts the new ones. Their inventories may be gone by
        // then, which is allowed because no foreign key refers to an inventory.
        changeInventories(effect);
        Set<UUID> deletedConsumers = new HashSet<>(inserted.keySet());
        List<UUID> released = new ArrayList<>();
        changeConsumers(effect, inserted, deletedConsumers, released);
        var added = Allocations.of(effect.newAllocations());
        Collection<AllocationKey> used = effect.usedChanges().keySet();
        Tuple parameters = added.columns().addValue(added.amounts())
                .addValue(ColumnParameters.providerIds(used)).addValue(ColumnParameters.classIds(used))
                .addValue(effect.usedChanges().values().toArray(Long[]::new))
                .addValue(effect.generationRises().keySet().toArray(Long[]::new))
                .addValue(effect.generationRises().values().toArray(Integer[]::new))
                .addValue(effect.changedProviders().toArray(Long[]::new));
        // A consumer with a tombstone (a fence that is stored without a row) is always in deletedConsumers: it was
        // deleted, or inserted and deleted again.
        if (effect.removedAllocations().isEmpty() && deletedConsumers.isEmpty()) {
            run(WRITE, parameters);
        } else {
            var removed = new Allocations();
            // The amount is not used: only the keys become parameters.
            effect.removedAllocations().forEach((consumer, keys) -> keys.forEach(key -> removed.add(consumer, key, 0)));
            removed.addTo(parameters);
            run(WRITE_AND_REMOVE, parameters
                    .addValue(deletedConsumers.toArray(UUID[]::new)).addValue(released.toArray(UUID[]::new))
                    .addValue(effect.tombstones().keySet().toArray(UUID[]::new))
                    .addValue(effect.tombstones().values().stream().map(Fence::number).toArray(Long[]::new))
                    .addValue(effect.tombstones().values().stream().map(Fence::claimedBy).toArray(Long[]::new)));
        }
        if (!effect.newInventories().isEmpty()) {
            run(COUNT_NEW_INVENTORIES, keyColumns(effect.newInventories().keySet()));
        }
        return Future.all(writes);
    }

    /** Sends COMMIT. */
    Future<?> commit() {
        return connection.query(COMMIT).execute();
    }

    private void updateAllocations(NetEffect effect) {
        if (!effect.keptAllocations().isEmpty()) {
            var kept = Allocations.of(effect.keptAllocations());
            run(UPDATE_ALLOCATIONS, kept.columns().addValue(kept.amounts()));
        }
    }

    private void changeInventories(NetEffect effect) {
        if (!effect.removedInventories().isEmpty()) {
            run(DELETE_INVENTORIES, keyColumns(effect.removedInventories()));
        }
        if (!effect.newInventories().isEmpty()) {
            run(INSERT_INVENTORIES, inventoryColumns(effect.newInventories()));
        }
        if (!effect.changedInventories().isEmpty()) {
            run(UPDATE_INVENTORIES, inventoryColumns(effect.changedInventories()));
        }
    }

    private static Tuple keyColumns(Set<AllocationKey> keys) {
        return ColumnParameters.of(ColumnParameters.providerIds(keys), ColumnParameters.classIds(keys));
    }

    private static Tuple inventoryColumns(Map<AllocationKey, Inventory> inventories) {
        Collection<Inventory> values = inventories.values();
        return keyColumns(inventories.keySet())
                .addValue(values.stream().map(Inventory::total).toArray(Integer[]::new))
                .addValue(values.stream().map(Inventory::reserved).toArray(Integer[]::new))
                .addValue(values.stream().map(Inventory::minUnit).toArray(Integer[]::new))
                .addValue(values.stream().map(Inventory::maxUnit).toArray(Integer[]::new))
                .addValue(values.stream().map(Inventory::stepSize).toArray(Integer[]::new))
                .addValue(values.stream().map(Inventory::allocationRatio).toArray(Double[]::new));
    }

    /**
     * Updates the consumers that exist after the batch, unless they were inserted in their final state, and collects
     * those to delete.
     *
     * @param deletedConsumers initially the inserted consumers; after the call, all consumers to delete
     * @param released receives the consumers to delete that existed before the batch
     */
    private void changeConsumers(
            NetEffect effect, Map<UUID, Consumer> inserted, Set<UUID> deletedConsumers, List<UUID> released) {
        List<UUID> uuids = new ArrayList<>();
        List<Consumer> consumers = new ArrayList<>();
        for (Map.Entry<UUID, Optional<Consumer>> entry : effect.consumers().entrySet()) {
            UUID uuid = entry.getKey();
            Consumer consumer = entry.getValue().orElse(null);
            if (consumer == null) {
                if (deletedConsumers.add(uuid)) {
                    released.add(uuid);
                }
                continue;
            }
            deletedConsumers.remove(uuid);
            if (!consumer.equals(inserted.get(uuid))) {
                uuids.add(uuid);
                consumers.add(consumer);
            }
        }
        if (!uuids.isEmpty()) {
            run(UPDATE_CONSUMERS, ColumnParameters.of(
                    uuids.toArray(UUID[]::new),
                    consumers.stream().map(Consumer::generation).toArray(Integer[]::new),
                    consumers.stream().map(Consumer::projectId).toArray(String[]::new),
                    consumers.stream().map(Consumer::userId).toArray(String[]::new),
                    consumers.stream().map(Consumer::consumerType).toArray(String[]::new),
                    consumers.stream().map(consumer -> consumer.fence().number()).toArray(Long[]::new),
                    consumers.stream().map(consumer -> consumer.fence().claimedBy()).toArray(Long[]::new)));
        }
    }

    private void run(String sql, Tuple parameters) {
        writes.add(connection.preparedQuery(sql).execute(parameters));
    }

    /** Allocations as columns, for the parameters of a statement. */
    private static final class Allocations {
        private final List<UUID> consumers = new ArrayList<>();
        private final List<AllocationKey> keys = new ArrayList<>();
        private final List<Long> amounts = new ArrayList<>();

        static Allocations of(Map<UUID, Map<AllocationKey, Long>> byConsumer) {
            var rows = new Allocations();
            byConsumer.forEach((consumer, held) -> held.forEach((key, amount) -> rows.add(consumer, key, amount)));
            return rows;
        }

        void add(UUID consumer, AllocationKey key, long amount) {
            consumers.add(consumer);
            keys.add(key);
            amounts.add(amount);
        }

        /** Returns a tuple with the columns of consumers, providers and resource classes. */
        Tuple columns() {
            return addTo(Tuple.tuple());
        }

        /** Adds the columns of consumers, providers and resource classes to the parameters, and returns these. */
        Tuple addTo(Tuple parameters) {
            return parameters.addValue(consumers.toArray(UUID[]::new))
                    .addValue(ColumnParameters.providerIds(keys)).addValue(ColumnParameters.classIds(keys));
        }

        Long[] amounts() {
            return amounts.toArray(Long[]::new);
        }
    }
}
