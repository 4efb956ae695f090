package io.berth.placement.ledger;

import io.berth.placement.db.ProviderLocks;
import io.berth.placement.fleet.FleetChanges;
import io.berth.placement.ledger.LockedRows.Holding;
import io.berth.placement.ledger.LockedRows.LockedInventory;
import io.berth.placement.ledger.LockedRows.LockedProvider;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The ledger's SQL, on one connection in one transaction. Statements that need nothing from each other are sent
 * without waiting for answers; the connection runs them in the order sent, each seeing what the one before saw and did.
 */
final class LedgerStore {
    /** A wait for a lock is somebody else's batch or catalogue write; none takes near as long. */
    private static final String BEGIN = """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SET LOCAL lock_timeout = '10s';
            SET LOCAL statement_timeout = '20s';
            SET LOCAL idle_in_transaction_session_timeout = '30s'
            """;

    private static final String COMMIT = "COMMIT";

    private static final String ROLLBACK = "ROLLBACK";

    /**
     * Params: 1 uuids, 2 project ids, 3 user ids, 4 consumer types (null: not said). Claims the uuids of consumers that
     * do not exist, in the state their first claim gives them. A row per consumer that is new.
     */
    private static final String INSERT_CONSUMERS = """
            INSERT INTO consumers (uuid, generation, project_id, user_id, consumer_type)
            SELECT c.uuid, 1, c.project_id, c.user_id, c.consumer_type
              FROM unnest($1::uuid[], $2::varchar[], $3::varchar[], $4::varchar[])
                   AS c (uuid, project_id, user_id, consumer_type)
             ORDER BY c.uuid
                ON CONFLICT (uuid) DO NOTHING
            RETURNING uuid
            """;

    /** Params: 1 uuids. A row per consumer that exists; those this transaction inserted are locked as they are. */
    private static final String LOCK_CONSUMERS = """
            SELECT uuid, generation, project_id, user_id, consumer_type
              FROM consumers
             WHERE uuid = ANY($1::uuid[])
             ORDER BY uuid
               FOR UPDATE
            """;

    /** Params: 1 consumer uuids. No rows of a consumer: it holds nothing. */
    private static final String ALLOCATIONS = """
            SELECT consumer_uuid, provider_id, resource_class_id, used
              FROM allocations
             WHERE consumer_uuid = ANY($1::uuid[])
            """;

    /** Params: 1 uuids. A missing row: no such provider. */
    private static final String PROVIDER_IDS = """
            SELECT id FROM resource_providers WHERE uuid = ANY($1::uuid[])
            """;

    /** Params: 1 names, 2 true for all classes. A missing row: no such class. */
    private static final String RESOURCE_CLASSES = """
            SELECT id, name FROM resource_classes WHERE name = ANY($1::varchar[]) OR $2
            """;

    /** Params: 1 provider ids, locked by a statement before. */
    private static final String INVENTORIES = """
            SELECT provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used
              FROM inventories
             WHERE provider_id = ANY($1::bigint[])
            """;

    /** Params: 1 uuids of consumers that shall not be. */
    private static final String DELETE_CONSUMERS = """
            DELETE FROM consumers WHERE uuid = ANY($1::uuid[])
            """;

    /** Params: 1 uuids, each once, 2 generations, 3 project ids, 4 user ids, 5 consumer types. */
    private static final String UPDATE_CONSUMERS = """
            UPDATE consumers
               SET generation = c.generation, project_id = c.project_id, user_id = c.user_id,
                   consumer_type = c.consumer_type, updated_at = now()
              FROM unnest($1::uuid[], $2::int[], $3::varchar[], $4::varchar[], $5::varchar[])
                   AS c (uuid, generation, project_id, user_id, consumer_type)
             WHERE consumers.uuid = c.uuid
            """;

    /** Params: 1 consumer uuids, 2 provider ids, 3 resource class ids. */
    private static final String DELETE_ALLOCATIONS = """
            DELETE FROM allocations
             USING unnest($1::uuid[], $2::bigint[], $3::int[]) AS a (consumer_uuid, provider_id, resource_class_id)
             WHERE allocations.consumer_uuid = a.consumer_uuid
               AND allocations.provider_id = a.provider_id
               AND allocations.resource_class_id = a.resource_class_id
            """;

    /** Params: 1 consumer uuids, 2 provider ids, 3 resource class ids, 4 units; each key once. */
    private static final String WRITE_ALLOCATIONS = """
            INSERT INTO allocations (consumer_uuid, provider_id, resource_class_id, used)
            SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[])
                ON CONFLICT (consumer_uuid, provider_id, resource_class_id)
                DO UPDATE SET used = EXCLUDED.used, updated_at = now()
            """;

    /** Params: 1 provider ids, 2 resource class ids, 3 units to add (may be negative); each key once. */
    private static final String CHANGE_USED = """
            UPDATE inventories
               SET used = used + u.change
              FROM unnest($1::bigint[], $2::int[], $3::bigint[]) AS u (provider_id, resource_class_id, change)
             WHERE inventories.provider_id = u.provider_id
               AND inventories.resource_class_id = u.resource_class_id
            """;

    /** Params: 1 provider ids, each once, 2 how much to add. */
    private static final String RAISE_GENERATIONS = """
            UPDATE resource_providers
               SET generation = generation + r.rises, updated_at = now()
              FROM unnest($1::bigint[], $2::int[]) AS r (id, rises)
             WHERE resource_providers.id = r.id
            """;

    /** Params: 1 provider ids, 2 resource class ids. */
    private static final String DELETE_INVENTORIES = """
            DELETE FROM inventories
             USING unnest($1::bigint[], $2::int[]) AS i (provider_id, resource_class_id)
             WHERE inventories.provider_id = i.provider_id
               AND inventories.resource_class_id = i.resource_class_id
            """;

    /** Params: 1 provider ids, 2 resource class ids, 3 totals, 4 reserved, 5 min, 6 max, 7 step, 8 ratios, 9 used. */
    private static final String INSERT_INVENTORIES = """
            INSERT INTO inventories (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
                                     allocation_ratio, used)
            SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[],
                                 $8::float8[], $9::bigint[])
            """;

    /** Params: 1 to 8 as of INSERT_INVENTORIES; each key once. Leaves {@code used} alone. */
    private static final String UPDATE_INVENTORIES = """
            UPDATE inventories
               SET total = i.total, reserved = i.reserved, min_unit = i.min_unit, max_unit = i.max_unit,
                   step_size = i.step_size, allocation_ratio = i.allocation_ratio, updated_at = now()
              FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::float8[])
                   AS i (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
             WHERE inventories.provider_id = i.provider_id
               AND inventories.resource_class_id = i.resource_class_id
            """;

    private final SqlConnection connection;

    LedgerStore(SqlConnection connection) {
        this.connection = connection;
    }

    /**
     * What {@link #lock} got hold of.
     *
     * @param inserted consumers that this transaction inserted, in the state of their first claim
     */
    record Locked(LockedRows rows, Map<UUID, Consumer> inserted) {}

    /** A consumer went away between two statements, by another transaction: begin again. */
    static final class ConsumerVanished extends RuntimeException {
        private ConsumerVanished() {
            super("a consumer was deleted while it was being locked", null, false, false);
        }
    }

    /** Begins the transaction and locks and reads all that these claims may touch. */
    Future<Locked> lock(List<Claim> claims) {
        var names = new ClaimedNames(claims);
        UUID[] consumers = names.consumers().toArray(UUID[]::new);
        var begun = connection.query(BEGIN).execute();
        var inserted = insertConsumers(names.firstClaims());
        var locked = run(LOCK_CONSUMERS, with(consumers));
        var held = run(ALLOCATIONS, with(consumers));
        var ids = run(PROVIDER_IDS, with(names.providers().toArray(UUID[]::new)));
        var classes = run(RESOURCE_CLASSES, with(names.classes().toArray(String[]::new)).addValue(names.allClasses()));
        return Future.all(List.of(begun, inserted, locked, held, ids, classes)).compose(all -> {
            Map<UUID, Consumer> placed = inserted.result();
            Map<UUID, Consumer> consumerRows = consumers(locked.result());
            if (!consumerRows.keySet().containsAll(names.firstClaims().keySet())) {
                return Future.failedFuture(new ConsumerVanished());
            }
            Map<UUID, Map<AllocationKey, Long>> allocations = allocations(held.result());
            Set<Long> providerIds = new HashSet<>();
            ids.result().forEach(row -> providerIds.add(row.getLong("id")));
            allocations.values().forEach(keys -> keys.keySet().forEach(key -> providerIds.add(key.providerId())));
            return lockProviders(providerIds).map(providers -> {
                Map<UUID, Holding> holdings = new HashMap<>();
                consumerRows.forEach((uuid, consumer) -> {
                    if (!placed.containsKey(uuid)) {
                        holdings.put(uuid, new Holding(consumer, allocations.getOrDefault(uuid, Map.of())));
                    }
                });
                return new Locked(new LockedRows(holdings, providers, classIds(classes.result())), placed);
            });
        });
    }

    private Future<Map<UUID, Consumer>> insertConsumers(Map<UUID, ConsumerClaim> firstClaims) {
        if (firstClaims.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<UUID> uuids = new ArrayList<>();
        List<String> projects = new ArrayList<>();
        List<String> users = new ArrayList<>();
        List<String> types = new ArrayList<>();
        firstClaims.forEach((uuid, claim) -> {
            uuids.add(uuid);
            projects.add(claim.projectId());
            users.add(claim.userId());
            types.add(claim.consumerType());
        });
        return run(INSERT_CONSUMERS, with(array(uuids), strings(projects), strings(users), strings(types)))
                .map(rows -> {
                    Map<UUID, Consumer> inserted = new HashMap<>();
                    rows.forEach(row -> {
                        UUID uuid = row.getUUID("uuid");
                        inserted.put(uuid, Consumer.first(firstClaims.get(uuid)));
                    });
                    return inserted;
                });
    }

    private static Map<UUID, Consumer> consumers(RowSet<Row> rows) {
        Map<UUID, Consumer> all = new HashMap<>();
        for (Row row : rows) {
            all.put(row.getUUID("uuid"), new Consumer(
                    row.getInteger("generation"), row.getString("project_id"), row.getString("user_id"),
                    row.getString("consumer_type")));
        }
        return all;
    }

    private static Map<UUID, Map<AllocationKey, Long>> allocations(RowSet<Row> rows) {
        Map<UUID, Map<AllocationKey, Long>> all = new HashMap<>();
        for (Row row : rows) {
            all.computeIfAbsent(row.getUUID("consumer_uuid"), uuid -> new LinkedHashMap<>())
                    .put(new AllocationKey(row.getLong("provider_id"), row.getInteger("resource_class_id")), row.getLong("used"));
        }
        return all;
    }

    private static Map<String, Integer> classIds(RowSet<Row> rows) {
        Map<String, Integer> all = new HashMap<>();
        rows.forEach(row -> all.put(row.getString("name"), row.getInteger("id")));
        return all;
    }

    private Future<Map<UUID, LockedProvider>> lockProviders(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        Long[] all = ids.toArray(Long[]::new);
        var locked = run(ProviderLocks.LOCK, with(all));
        var read = run(INVENTORIES, with(all));
        return Future.all(locked, read).map(both -> {
            Map<Long, Map<Integer, LockedInventory>> inventories = new HashMap<>();
            for (Row row : read.result()) {
                inventories.computeIfAbsent(row.getLong("provider_id"), id -> new LinkedHashMap<>())
                        .put(row.getInteger("resource_class_id"), inventory(row));
            }
            Map<UUID, LockedProvider> providers = new HashMap<>();
            for (Row row : locked.result()) {
                long id = row.getLong("id");
                UUID uuid = row.getUUID("uuid");
                providers.put(uuid, new LockedProvider(
                        id, uuid, row.getInteger("generation"), inventories.getOrDefault(id, Map.of())));
            }
            return providers;
        });
    }

    private static LockedInventory inventory(Row row) {
        return new LockedInventory(
                new InventoryTerms(
                        row.getInteger("total"), row.getInteger("reserved"), row.getInteger("min_unit"),
                        row.getInteger("max_unit"), row.getInteger("step_size"), row.getDouble("allocation_ratio")),
                row.getLong("used"));
    }

    /** Writes what is to change. A refused consumer's row, inserted by {@link #lock}, goes again. */
    Future<?> write(NetEffect effect, Map<UUID, Consumer> inserted) {
        List<Future<?>> writes = new ArrayList<>();
        removeAllocations(effect, writes);
        // Allocations first leave, then the inventories change, then allocations come: the order of a reshape.
        writeInventories(effect, writes);
        writeConsumers(effect, inserted, writes);
        writeAllocations(effect, writes);
        if (!effect.usedChanges().isEmpty()) {
            var keys = new Keys(effect.usedChanges().keySet());
            writes.add(exactly(keys.count(), run(CHANGE_USED, with(
                    keys.providerIds, keys.classIds, effect.usedChanges().values().toArray(Long[]::new)))));
        }
        if (!effect.generationRises().isEmpty()) {
            writes.add(exactly(effect.generationRises().size(), run(RAISE_GENERATIONS, with(
                    effect.generationRises().keySet().toArray(Long[]::new),
                    effect.generationRises().values().toArray(Integer[]::new)))));
        }
        if (!effect.changedProviders().isEmpty()) {
            writes.add(run(FleetChanges.RECORD, Tuple.of(FleetChanges.PROVIDER)
                    .addValue(effect.changedProviders().toArray(Long[]::new))));
        }
        return Future.all(writes);
    }

    private void removeAllocations(NetEffect effect, List<Future<?>> writes) {
        if (effect.removedAllocations().isEmpty()) {
            return;
        }
        List<UUID> consumers = new ArrayList<>();
        List<AllocationKey> keys = new ArrayList<>();
        effect.removedAllocations().forEach((consumer, gone) -> gone.forEach(key -> {
            consumers.add(consumer);
            keys.add(key);
        }));
        var places = new Keys(keys);
        writes.add(exactly(keys.size(), run(
                DELETE_ALLOCATIONS, with(array(consumers), places.providerIds, places.classIds))));
    }

    private void writeInventories(NetEffect effect, List<Future<?>> writes) {
        if (!effect.removedInventories().isEmpty()) {
            var keys = new Keys(effect.removedInventories());
            writes.add(exactly(keys.count(), run(DELETE_INVENTORIES, with(keys.providerIds, keys.classIds))));
        }
        if (!effect.newInventories().isEmpty()) {
            var keys = new Keys(effect.newInventories().keySet());
            Tuple parameters = terms(keys, effect.newInventories().values().stream().map(LockedInventory::terms).toList());
            parameters.addValue(effect.newInventories().values().stream().map(LockedInventory::used).toArray(Long[]::new));
            writes.add(run(INSERT_INVENTORIES, parameters));
        }
        if (!effect.changedInventories().isEmpty()) {
            var keys = new Keys(effect.changedInventories().keySet());
            writes.add(exactly(keys.count(), run(
                    UPDATE_INVENTORIES, terms(keys, List.copyOf(effect.changedInventories().values())))));
        }
    }

    private static Tuple terms(Keys keys, List<InventoryTerms> terms) {
        return with(
                keys.providerIds, keys.classIds,
                terms.stream().map(InventoryTerms::total).toArray(Integer[]::new),
                terms.stream().map(InventoryTerms::reserved).toArray(Integer[]::new),
                terms.stream().map(InventoryTerms::minUnit).toArray(Integer[]::new),
                terms.stream().map(InventoryTerms::maxUnit).toArray(Integer[]::new),
                terms.stream().map(InventoryTerms::stepSize).toArray(Integer[]::new),
                terms.stream().map(InventoryTerms::allocationRatio).toArray(Double[]::new));
    }

    private void writeConsumers(NetEffect effect, Map<UUID, Consumer> inserted, List<Future<?>> writes) {
        Set<UUID> gone = new HashSet<>(inserted.keySet());
        List<UUID> uuids = new ArrayList<>();
        List<Integer> generations = new ArrayList<>();
        List<String> projects = new ArrayList<>();
        List<String> users = new ArrayList<>();
        List<String> types = new ArrayList<>();
        for (Map.Entry<UUID, Optional<Consumer>> entry : effect.consumers().entrySet()) {
            UUID uuid = entry.getKey();
            Consumer now = entry.getValue().orElse(null);
            if (now == null) {
                gone.add(uuid);
                continue;
            }
            gone.remove(uuid);
            if (!now.equals(inserted.get(uuid))) {
                uuids.add(uuid);
                generations.add(now.generation());
                projects.add(now.projectId());
                users.add(now.userId());
                types.add(now.consumerType());
            }
        }
        if (!gone.isEmpty()) {
            writes.add(exactly(gone.size(), run(DELETE_CONSUMERS, with(gone.toArray(UUID[]::new)))));
        }
        if (!uuids.isEmpty()) {
            writes.add(exactly(uuids.size(), run(UPDATE_CONSUMERS, with(
                    array(uuids), generations.toArray(Integer[]::new), strings(projects), strings(users),
                    strings(types)))));
        }
    }

    private void writeAllocations(NetEffect effect, List<Future<?>> writes) {
        List<UUID> consumers = new ArrayList<>();
        List<AllocationKey> keys = new ArrayList<>();
        List<Long> units = new ArrayList<>();
        effect.allocations().forEach((consumer, now) -> now.forEach((key, used) -> {
            consumers.add(consumer);
            keys.add(key);
            units.add(used);
        }));
        if (!keys.isEmpty()) {
            var places = new Keys(keys);
            writes.add(exactly(keys.size(), run(WRITE_ALLOCATIONS, with(
                    array(consumers), places.providerIds, places.classIds, units.toArray(Long[]::new)))));
        }
    }

    Future<?> commit() {
        return connection.query(COMMIT).execute();
    }

    Future<?> rollback() {
        return connection.query(ROLLBACK).execute();
    }

    private Future<RowSet<Row>> run(String sql, Tuple parameters) {
        return connection.preparedQuery(sql).execute(parameters);
    }

    /** Columns as parameters. Not Tuple.of: that one spreads an array over several parameters. */
    private static Tuple with(Object[]... columns) {
        Tuple parameters = Tuple.tuple();
        for (Object[] column : columns) {
            parameters.addValue(column);
        }
        return parameters;
    }

    /** All these rows are locked, so a missing one is a bug: better nothing is written. */
    private static Future<?> exactly(int rows, Future<RowSet<Row>> write) {
        return write.map(result -> {
            if (result.rowCount() != rows) {
                throw new IllegalStateException("wrote " + result.rowCount() + " rows where " + rows + " are locked");
            }
            return null;
        });
    }

    private static UUID[] array(List<UUID> uuids) {
        return uuids.toArray(UUID[]::new);
    }

    private static String[] strings(List<String> texts) {
        return texts.toArray(String[]::new);
    }

    /** Places as the two columns that statements take. */
    private static final class Keys {
        private final Long[] providerIds;
        private final Integer[] classIds;

        private Keys(Collection<AllocationKey> keys) {
            providerIds = keys.stream().map(AllocationKey::providerId).toArray(Long[]::new);
            classIds = keys.stream().map(AllocationKey::resourceClassId).toArray(Integer[]::new);
        }

        private int count() {
            return classIds.length;
        }
    }
}
