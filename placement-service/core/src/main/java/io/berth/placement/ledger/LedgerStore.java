package io.berth.placement.ledger;

import io.berth.model.Maps;
import io.berth.placement.db.ProviderLocks;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.AllocationKey;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimedNames;
import io.berth.placement.ledger.claim.ClaimedNames.FirstClaim;
import io.berth.placement.ledger.claim.Consumer;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.Fence;
import io.berth.placement.ledger.claim.LockedRows;
import io.berth.placement.ledger.claim.LockedRows.Holding;
import io.berth.placement.ledger.claim.LockedRows.LockedInventory;
import io.berth.placement.ledger.claim.LockedRows.LockedProvider;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Locks and reads the rows that claims may change, and inserts consumers that are new, on one connection in one
 * transaction. All statements are sent without waiting for responses; PostgreSQL runs them in the order in which they
 * were sent, each on a snapshot of its own (READ COMMITTED). The lock timeout of the ledger's connections is configured
 * in application.properties.
 */
final class LedgerStore {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";

    private static final String ROLLBACK = "ROLLBACK";

    /**
     * Limits the memory of large reads: 50,000 allocations with their providers and inventories take 70 MB. Params: 1
     * consumer uuids, 2 the integer 1 for a single claim, 0 for several claims. Does nothing if the consumers hold less
     * than {@value ClaimQueue#BATCH_ROWS_MAX} allocations. Otherwise, a single claim takes an advisory lock until the
     * end of its transaction, so that only one transaction at a time holds so many allocations in memory; several
     * claims fail with a division by zero, and run again one by one. The statement runs before all statements that lock
     * rows, so that a transaction holds no row locks while it waits for the advisory lock. The number of the lock is
     * arbitrary; no other lock has it. The result is not used.
     */
    private static final String LIMIT_LARGE_READS = """
            SELECT pg_advisory_xact_lock(774413), 1 / (held.counted - %1$d + $2::int)
              FROM (SELECT count(*) AS counted
                      FROM (SELECT FROM allocations WHERE consumer_uuid = ANY($1::uuid[]) LIMIT %1$d) AS few) AS held
             WHERE held.counted = %1$d
            """.formatted(ClaimQueue.BATCH_ROWS_MAX);

    /**
     * Inserts the consumers that do not exist, in the state after their first claim. Params, with an element per
     * consumer: 1 uuids, 2 project ids, 3 user ids, 4 consumer types (null: not given), 5 fencing tokens of their first
     * claims (null: none). Returns a row for each inserted consumer: its uuid, and whether it has allocations although
     * it had no row, as after a partial restore.
     */
    private static final String INSERT_CONSUMERS = """
            INSERT INTO consumers (uuid, generation, project_id, user_id, consumer_type, fence, claimed_by)
            SELECT c.uuid, 1, c.project_id, c.user_id, c.consumer_type, coalesce(c.fence, 0), c.fence
              FROM unnest($1::uuid[], $2::varchar[], $3::varchar[], $4::varchar[], $5::bigint[])
                   AS c (uuid, project_id, user_id, consumer_type, fence)
             ORDER BY c.uuid
                ON CONFLICT (uuid) DO NOTHING
            RETURNING uuid, EXISTS (SELECT FROM allocations WHERE consumer_uuid = consumers.uuid)
            """;

    /**
     * Locks consumers. Params: 1 uuids. Returns a row for each existing consumer that this transaction did not insert
     * (its {@code xmin} is another transaction), and a row with a null generation for each tombstone. A tombstone is
     * the fence of a consumer that had no row when it was stored. Only the tombstones of consumers that this
     * transaction inserted are used. They cannot change any more: the transaction that wrote one held the lock of the
     * consumer's row before {@link #INSERT_CONSUMERS} got that lock, and has committed.
     */
    private static final String LOCK_CONSUMERS = """
            SELECT uuid, fence, claimed_by, generation, project_id, user_id, consumer_type
              FROM (SELECT uuid, fence, claimed_by, generation, project_id, user_id, consumer_type
                      FROM consumers
                     WHERE uuid = ANY($1::uuid[])
                       AND xmin IS DISTINCT FROM pg_current_xact_id_if_assigned()::xid
                     ORDER BY uuid
                       FOR UPDATE) AS locked
             UNION ALL
            SELECT uuid, fence, claimed_by, NULL, NULL, NULL, NULL
              FROM consumer_fences
             WHERE uuid = ANY($1::uuid[])
            """;

    /** Params: 1 consumer uuids. Returns a row for each allocation of these consumers; {@code used} is its amount. */
    private static final String ALLOCATIONS = """
            SELECT consumer_uuid, provider_id, resource_class_id, used
              FROM allocations
             WHERE consumer_uuid = ANY($1::uuid[])
            """;

    /**
     * Params: 1 names of resource classes, 2 true for all resource classes instead. Returns a row with name and id for
     * each class that exists.
     */
    private static final String RESOURCE_CLASSES = """
            SELECT name, id FROM resource_classes WHERE name = ANY($1::varchar[]) OR $2
            """;

    /**
     * Params: 1 consumer uuids. Returns a row with name and id for each resource class that these consumers hold
     * allocations of.
     */
    private static final String HELD_CLASSES = """
            SELECT DISTINCT r.name, r.id
              FROM allocations a JOIN resource_classes r ON r.id = a.resource_class_id
             WHERE a.consumer_uuid = ANY($1::uuid[])
            """;

    /** Selects inventories. For {@link String#formatted}: 1 provider ids (bigint[]). */
    private static final String INVENTORIES_TEMPLATE = """
            SELECT provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio,
                used
              FROM inventories
             WHERE provider_id = ANY(%s)
            """;

    /** Params: 1 ids of providers that an earlier statement locked. Returns a row for each inventory. */
    private static final String INVENTORIES = INVENTORIES_TEMPLATE.formatted("$1::bigint[]");

    /** Params: as for {@link ProviderLocks#LOCK_TOUCHED}, which ran before. Returns a row for each inventory. */
    private static final String TOUCHED_INVENTORIES =
            INVENTORIES_TEMPLATE.formatted("ARRAY(\n" + ProviderLocks.TOUCHED + ")");

    /**
     * Params: 1 uuids of providers that an earlier statement locked. Returns, for each provider and resource class with
     * allocations but without an inventory, the provider id, the class id and the sum of the allocations.
     */
    private static final String UNACCOUNTED = """
            SELECT a.provider_id, a.resource_class_id, sum(a.used)::bigint
              FROM allocations a
              JOIN resource_providers p ON p.id = a.provider_id
             WHERE p.uuid = ANY($1::uuid[])
               AND NOT EXISTS (
                   SELECT FROM inventories i
                    WHERE i.provider_id = a.provider_id AND i.resource_class_id = a.resource_class_id)
             GROUP BY a.provider_id, a.resource_class_id
            """;

    private final SqlConnection connection;
    private final IdCache idCache;

    LedgerStore(SqlConnection connection, IdCache idCache) {
        this.connection = connection;
        this.idCache = idCache;
    }

    /**
     * The rows that {@link #lock} locked and read.
     *
     * @param inserted the consumers that this transaction inserted, in the state after their first claim
     */
    record LockResult(LockedRows rows, Map<UUID, Consumer> inserted) {}

    /**
     * The rows that were read do not suffice for a decision: another transaction deleted or replaced a row before this
     * one could lock it, or a consumer that all claims expect to be new has allocations, which were not read. The batch
     * must be repeated.
     */
    static final class IncompleteRead extends RuntimeException {
        private IncompleteRead(String what) {
            super(what, null, false, false);
        }
    }

    /** The responses to the statement that locks providers, and to the statement that reads their inventories. */
    private record Providers(Future<RowSet<Row>> locked, Future<RowSet<Row>> inventories) {}

    /**
     * Begins the transaction, and locks and reads all rows that the claims may change. The future fails with {@link
     * IncompleteRead} if the batch must be repeated, or with the failure of a statement.
     *
     * @param isRepeated whether the claims run again after a conflict with concurrent writers. The allocations of all
     *         consumers are then read, even of consumers that all claims expect to be new
     */
    Future<LockResult> lock(List<Claim> claims, boolean isRepeated) {
        var names = new ClaimedNames(claims);
        Set<UUID> holderUuids = isRepeated ? names.consumers() : names.consumersToRead();
        UUID[] holders = holderUuids.toArray(UUID[]::new);
        Map<String, Integer> classIds = new HashMap<>();
        List<String> unknownClasses = idCache.findClasses(names.classes(), classIds);
        Long[] knownProviders = holders.length == 0 ? idCache.findProviders(names.providers()) : null;

        var begun = connection.query(BEGIN).execute();
        Future<?> largeReadWait = holders.length == 0
                ? Future.succeededFuture()
                : run(LIMIT_LARGE_READS, ColumnParameters.of(holders).addValue(claims.size() == 1 ? 1 : 0));
        var inserted = insertConsumers(names.firstClaims(), holderUuids);
        var consumers = run(LOCK_CONSUMERS, ColumnParameters.of(names.consumers().toArray(UUID[]::new)));
        var providers = lockProviders(knownProviders, names.providers(), holders);
        Future<RowSet<Row>> unaccounted = names.reshapedProviders().isEmpty()
                ? Future.succeededFuture()
                : run(UNACCOUNTED, ColumnParameters.of(names.reshapedProviders().toArray(UUID[]::new)));
        Future<RowSet<Row>> allocations =
                holders.length == 0 ? Future.succeededFuture() : run(ALLOCATIONS, ColumnParameters.of(holders));
        Future<RowSet<Row>> classes = unknownClasses.isEmpty() && !names.needsAllClasses()
                ? Future.succeededFuture()
                : run(RESOURCE_CLASSES,
                        ColumnParameters.of(unknownClasses.toArray(String[]::new)).addValue(names.needsAllClasses()));
        Future<RowSet<Row>> heldClasses = names.settledConsumers().isEmpty()
                ? Future.succeededFuture()
                : run(HELD_CLASSES, ColumnParameters.of(names.settledConsumers().toArray(UUID[]::new)));
        return Future.all(
                List.of(
                        begun, largeReadWait, inserted, consumers, providers.locked(), providers.inventories(),
                        unaccounted, allocations, classes, heldClasses))
                .map(all -> {
                    Map<UUID, Fence> tombstones = new HashMap<>();
                    Map<UUID, Holding> holdings =
                            holdings(consumers.result(), tombstones, inserted.result(), allocations.result());
                    for (UUID uuid : names.firstClaims().keySet()) {
                        if (!inserted.result().containsKey(uuid) && !holdings.containsKey(uuid)) {
                            throw new IncompleteRead("a consumer was deleted while it was being locked");
                        }
                    }
                    var locked = providers(
                            providers.locked().result(), providers.inventories().result(), unaccounted.result());
                    // A cached id may be out of date, for example after the provider was deleted and created again.
                    if (knownProviders != null && !locked.keySet().containsAll(names.providers())) {
                        idCache.forgetProviders(names.providers());
                        throw new IncompleteRead("the cached id of a provider is out of date");
                    }
                    addClasses(classes.result(), classIds);
                    addClasses(heldClasses.result(), classIds);
                    return new LockResult(new LockedRows(holdings, tombstones, locked, classIds), inserted.result());
                });
    }

    /**
     * Locks providers, and reads their inventories in a later statement, whose snapshot shows all commits of earlier
     * lock holders.
     *
     * @param knownIds the ids of all providers to lock; null if the statements must find the providers, by the uuids in
     *         {@code named} and by the allocations of {@code holders}
     */
    private Providers lockProviders(@Nullable Long[] knownIds, Set<UUID> named, UUID[] holders) {
        if (knownIds != null) {
            return new Providers(
                    run(ProviderLocks.LOCK, ColumnParameters.of(knownIds)),
                    run(INVENTORIES, ColumnParameters.of(knownIds)));
        }
        UUID[] uuids = named.toArray(UUID[]::new);
        return new Providers(
                run(ProviderLocks.LOCK_TOUCHED, ColumnParameters.of(uuids, holders)),
                run(TOUCHED_INVENTORIES, ColumnParameters.of(uuids, holders)));
    }

    /**
     * Inserts the consumers that do not exist, and returns their rows by uuid. The future fails with {@link
     * IncompleteRead} if one of them has allocations although it had no row, and these allocations are not read.
     *
     * @param holderUuids the consumers whose allocations are read
     */
    private Future<Map<UUID, Consumer>> insertConsumers(Map<UUID, FirstClaim> firstClaims, Set<UUID> holderUuids) {
        if (firstClaims.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<ConsumerClaim> claims = firstClaims.values().stream().map(FirstClaim::claim).toList();
        Tuple columns = ColumnParameters.of(
                firstClaims.keySet().toArray(UUID[]::new),
                claims.stream().map(ConsumerClaim::projectId).toArray(String[]::new),
                claims.stream().map(ConsumerClaim::userId).toArray(String[]::new),
                claims.stream().map(ConsumerClaim::consumerType).toArray(String[]::new),
                firstClaims.values().stream()
                        .map(first -> first.fence() == Fence.PLAIN ? null : first.fence())
                        .toArray(Long[]::new));
        return run(INSERT_CONSUMERS, columns).map(rows -> {
            Map<UUID, Consumer> inserted = HashMap.newHashMap(rows.size());
            for (Row row : rows) {
                UUID uuid = row.getUUID(0);
                if (row.getBoolean(1) && !holderUuids.contains(uuid)) {
                    throw new IncompleteRead("a consumer has allocations but no row");
                }
                inserted.put(uuid, Maps.require(firstClaims, uuid).row());
            }
            return inserted;
        });
    }

    /**
     * Returns the state of each locked consumer, and of each inserted consumer that has allocations although it had no
     * row.
     *
     * @param tombstones a map that receives the tombstones
     * @param allocations rows of {@link #ALLOCATIONS}; null if they were not read
     */
    private static Map<UUID, Holding> holdings(
            RowSet<Row> consumers, Map<UUID, Fence> tombstones, Map<UUID, Consumer> inserted, RowSet<Row> allocations) {
        Map<UUID, Holding> all = HashMap.newHashMap(consumers.size());
        // Columns as in LOCK_CONSUMERS.
        for (Row row : consumers) {
            UUID uuid = row.getUUID(0);
            Fence fence = new Fence(row.getLong(1), row.getLong(2));
            Integer generation = row.getInteger(3);
            if (generation == null) {
                tombstones.put(uuid, fence);
            } else {
                var consumer = new Consumer(generation, row.getString(4), row.getString(5), row.getString(6), fence);
                all.put(uuid, new Holding(consumer, new LinkedHashMap<>()));
            }
        }
        if (allocations != null) {
            // Columns as in ALLOCATIONS.
            for (Row row : allocations) {
                UUID uuid = row.getUUID(0);
                Holding holding = inserted.containsKey(uuid)
                        ? all.computeIfAbsent(uuid, _ -> new Holding(null, new LinkedHashMap<>()))
                        : all.get(uuid);
                // Ignores a consumer that was inserted after LOCK_CONSUMERS began and is therefore not locked.
                if (holding != null) {
                    holding.allocations().put(new AllocationKey(row.getLong(1), row.getInteger(2)), row.getLong(3));
                }
            }
        }
        return all;
    }

    /**
     * Adds rows of resource classes to {@code classIds} and to the cache.
     *
     * @param rows rows with name and id; null if no classes were read
     */
    private void addClasses(RowSet<Row> rows, Map<String, Integer> classIds) {
        if (rows != null) {
            for (Row row : rows) {
                classIds.put(row.getString(0), row.getInteger(1));
                idCache.learnClass(row.getString(0), row.getInteger(1));
            }
        }
    }

    /**
     * Returns the locked providers by uuid.
     *
     * @param unaccountedRows rows of {@link #UNACCOUNTED}; null if they were not read
     */
    private Map<UUID, LockedProvider> providers(
            RowSet<Row> providerRows, RowSet<Row> inventoryRows, RowSet<Row> unaccountedRows) {
        Map<Long, Map<Integer, LockedInventory>> inventories = HashMap.newHashMap(providerRows.size());
        // Columns as in INVENTORIES_TEMPLATE.
        for (Row row : inventoryRows) {
            inventories.computeIfAbsent(row.getLong(0), id -> new LinkedHashMap<>())
                    .put(row.getInteger(1), inventory(row));
        }
        Map<Long, Map<Integer, Long>> unaccounted = new HashMap<>();
        if (unaccountedRows != null) {
            // Columns as in UNACCOUNTED.
            for (Row row : unaccountedRows) {
                unaccounted.computeIfAbsent(row.getLong(0), id -> new HashMap<>())
                        .put(row.getInteger(1), row.getLong(2));
            }
        }
        Map<UUID, LockedProvider> providers = HashMap.newHashMap(providerRows.size());
        // Columns as in ProviderLocks.LOCK.
        for (Row row : providerRows) {
            long id = row.getLong(0);
            UUID uuid = row.getUUID(1);
            idCache.learnProvider(uuid, id);
            providers.put(uuid, new LockedProvider(
                    id, uuid, row.getInteger(2), inventories.getOrDefault(id, Map.of()),
                    unaccounted.getOrDefault(id, Map.of())));
        }
        return providers;
    }

    /** Converts a row with the columns of {@link #INVENTORIES_TEMPLATE}. */
    private static LockedInventory inventory(Row row) {
        return new LockedInventory(
                new Inventory(
                        row.getInteger(2), row.getInteger(3), row.getInteger(4), row.getInteger(5), row.getInteger(6),
                        row.getDouble(7)),
                row.getLong(8));
    }

    Future<?> rollback() {
        return connection.query(ROLLBACK).execute();
    }

    private Future<RowSet<Row>> run(String sql, Tuple parameters) {
        return connection.preparedQuery(sql).execute(parameters);
    }
}
