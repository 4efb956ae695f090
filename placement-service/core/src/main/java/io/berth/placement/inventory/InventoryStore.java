package io.berth.placement.inventory;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.LockedProvider;
import io.berth.placement.db.QueryWarmUp;
import io.berth.placement.fleet.Inventory;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes inventories. Each change is one transaction, which locks the provider, raises its generation by one, and
 * records the change for the replicas ({@link io.berth.placement.db.FleetChanges}). Existing rows are updated, not
 * replaced, because the ledger maintains the use in these rows.
 */
@Singleton
final class InventoryStore implements QueryWarmUp {
    /**
     * Deletes inventories. Params: {@code :provider}, the id of the provider; {@code :keys}, the ids of the resource
     * classes, comma-separated.
     */
    private static final String DELETE = """
            DELETE FROM inventories
             WHERE provider_id = :provider
               AND resource_class_id = ANY(CAST(string_to_array(:keys, ',') AS integer[]))
            """;

    /**
     * Sets the use of inserted inventories to the sum of their allocations, because after a partial restore or import
     * there may be allocations without an inventory. Params: as for {@link #DELETE}.
     */
    private static final String SET_USE = """
            UPDATE inventories i
               SET used = held.used
              FROM (SELECT resource_class_id, CAST(sum(used) AS bigint) AS used
                      FROM allocations
                     WHERE provider_id = :provider
                       AND resource_class_id = ANY(CAST(string_to_array(:keys, ',') AS integer[]))
                     GROUP BY resource_class_id) held
             WHERE i.provider_id = :provider
               AND i.resource_class_id = held.resource_class_id
            """;

    private final CatalogueTransactions transactions;

    InventoryStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Uni<?> warmUp(CatalogueWrite write) {
        return ofProvider(write, 0);
    }

    private static Uni<List<InventoryRow>> ofProvider(CatalogueWrite write, long providerId) {
        return write.listOf(providerId, InventoryRow.OF_PROVIDER, InventoryRow.class);
    }

    /** Inserts an inventory, unless the provider has one of the class. */
    Uni<InventoryOutcome> create(long providerId, int classId, Inventory inventory) {
        return writeLocked(providerId, (write, provider) -> find(write, providerId, classId).chain(row -> {
            if (row != null) {
                return item(new InventoryOutcome.AlreadyExists());
            }
            return insert(write, provider, Map.of(classId, inventory), Instant.now())
                    .chain(() -> raiseGeneration(write, provider));
        }));
    }

    /**
     * Updates an inventory, if the provider has this generation. The result is {@link InventoryOutcome.NoInventory} if
     * there is no inventory of the class.
     */
    Uni<InventoryOutcome> update(long providerId, int generation, int classId, Inventory inventory) {
        return writeLocked(providerId, (write, provider) -> provider.generation() != generation
                ? item(new InventoryOutcome.GenerationConflict())
                : find(write, providerId, classId).chain(row -> {
                    if (row == null) {
                        return item(new InventoryOutcome.NoInventory());
                    }
                    row.set(inventory, Instant.now());
                    return write.session().update(row).chain(() -> raiseGeneration(write, provider));
                }));
    }

    /**
     * Replaces all inventories of the provider, if it has this generation. Inventories of classes that {@code
     * byClassId} lacks are deleted; if one of them is in use, the whole change is refused.
     */
    Uni<InventoryOutcome> replaceAll(long providerId, int generation, Map<Integer, Inventory> byClassId) {
        return writeLocked(providerId, (write, provider) -> provider.generation() != generation
                ? item(new InventoryOutcome.GenerationConflict())
                : replaceLocked(write, provider, byClassId));
    }

    /** Deletes all inventories of the provider, at any generation. If one of them is in use, none is deleted. */
    Uni<InventoryOutcome> deleteAll(long providerId) {
        return writeLocked(providerId, (write, provider) -> replaceLocked(write, provider, Map.of()));
    }

    /** Deletes an inventory, unless it is in use, at any generation of the provider. */
    Uni<InventoryOutcome> delete(long providerId, int classId) {
        return writeLocked(providerId, (write, provider) -> find(write, providerId, classId).chain(row -> {
            if (row == null) {
                return item(new InventoryOutcome.NoInventory());
            }
            if (row.used > 0) {
                return item(new InventoryOutcome.InUse(List.of(classId)));
            }
            return write.changeRows(providerId, DELETE, List.of(classId)).chain(() -> raiseGeneration(write, provider));
        }));
    }

    private static Uni<InventoryOutcome> replaceLocked(
            CatalogueWrite write, LockedProvider provider, Map<Integer, Inventory> byClassId) {
        return ofProvider(write, provider.id())
                .chain(rows -> {
                    Instant now = Instant.now();
                    Map<Integer, Inventory> added = new HashMap<>(byClassId);
                    List<InventoryRow> kept = new ArrayList<>();
                    List<Integer> dropped = new ArrayList<>();
                    List<Integer> inUse = new ArrayList<>();
                    for (InventoryRow row : rows) {
                        Inventory replacement = added.remove(row.resourceClassId);
                        if (replacement != null) {
                            row.set(replacement, now);
                            kept.add(row);
                        } else {
                            dropped.add(row.resourceClassId);
                            if (row.used > 0) {
                                inUse.add(row.resourceClassId);
                            }
                        }
                    }
                    if (!inUse.isEmpty()) {
                        return item(new InventoryOutcome.InUse(inUse));
                    }
                    return write.changeRows(provider.id(), DELETE, dropped)
                            .chain(() -> write.session().updateAll(kept.toArray()))
                            .chain(() -> insert(write, provider, added, now))
                            .chain(() -> raiseGeneration(write, provider));
                });
    }

    private static Uni<Void> insert(
            CatalogueWrite write, LockedProvider provider, Map<Integer, Inventory> byClassId, Instant now) {
        Object[] rows = byClassId.entrySet().stream()
                .map(added -> new InventoryRow(provider.id(), added.getKey(), added.getValue(), now)).toArray();
        return write.session().insertAll(rows)
                .chain(() -> write.changeRows(provider.id(), SET_USE, byClassId.keySet()));
    }

    /** A change of a locked provider. */
    @FunctionalInterface
    private interface Work {
        Uni<InventoryOutcome> apply(CatalogueWrite write, LockedProvider provider);
    }

    private Uni<InventoryOutcome> writeLocked(long providerId, Work work) {
        InventoryOutcome gone = new InventoryOutcome.ProviderGone();
        return transactions
                .write(
                        write -> write.withLock(providerId, gone, provider -> work.apply(write, provider)))
                // The provider is locked, so the missing row can only be a resource class.
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isKindOf)
                .recoverWithItem(new InventoryOutcome.ResourceClassGone());
    }

    private static Uni<InventoryRow> find(CatalogueWrite write, long providerId, int classId) {
        return write.session().get(InventoryRow.class, new InventoryRow.Key(providerId, classId));
    }

    private static Uni<InventoryOutcome> raiseGeneration(CatalogueWrite write, LockedProvider provider) {
        return write.bumpGeneration(provider).map(InventoryOutcome.Done::new);
    }

    private static Uni<InventoryOutcome> item(InventoryOutcome outcome) {
        return Uni.createFrom().item(outcome);
    }
}
