package io.berth.placement.provider;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.FleetChanges;
import io.berth.placement.db.LockedProvider;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Writes providers and their places in the trees. Every change is recorded for the replicas in its own transaction. */
@Singleton
final class ProviderStore {
    private static final String NEXT_ID = "SELECT nextval('resource_providers_id_seq')";

    /** Param: id. Returns the provider and all providers below it, each once, even in a loop; no rows if it is gone. */
    private static final String SUBTREE = """
            WITH RECURSIVE subtree AS (
                 SELECT id FROM resource_providers WHERE id = :id
                 UNION
                 SELECT p.id FROM resource_providers p JOIN subtree s ON p.parent_id = s.id)
            SELECT id FROM subtree
            """;

    /**
     * Params: ids, comma-separated; root. Updates no row if the providers have that root already. Not HQL, which sends
     * a parameter for each id: a tree may have more providers than a statement may have parameters.
     */
    private static final String SET_ROOT = """
            UPDATE resource_providers
               SET root_id = :root, updated_at = now()
             WHERE id = ANY(CAST(string_to_array(:ids, ',') AS bigint[])) AND root_id <> :root
            """;

    /** Param: id. Returns one row with two flags. Not HQL, because allocations are the ledger's and have no entity. */
    private static final String DEPENDENTS = """
            SELECT EXISTS (SELECT FROM resource_providers WHERE parent_id = :id) AS has_children,
                   EXISTS (SELECT FROM allocations WHERE provider_id = :id) AS has_allocations
            """;

    /** Param: id. */
    private static final String DELETE = "delete from ProviderRow where id = :id";

    /** Param: id. Returns one row if the provider exists: the provider; the uuids of its parent and of its root. */
    private static final String DESCRIBE = """
            select p, parent.uuid, coalesce(root.uuid, p.uuid)
              from ProviderRow p
              left join ProviderRow parent on parent.id = p.parentId
              left join ProviderRow root on root.id = p.rootId
             where p.id = :id
            """;

    private final CatalogueTransactions transactions;

    ProviderStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    Uni<ProviderChange> createRoot(UUID uuid, String name) {
        return named(transactions.write(write -> insert(write, uuid, name, null)));
    }

    /** Adds a provider below one that the view knows; {@link ProviderChange.NoSuchParent} if that was deleted since. */
    Uni<ProviderChange> createChild(UUID uuid, String name, long parentId) {
        return named(transactions.write(write -> write.shareTrees()
                .chain(() -> write.lock(parentId))
                .chain(parent -> parent == null
                        ? Uni.createFrom().item(new ProviderChange.NoSuchParent())
                        : insert(write, uuid, name, parentId))));
    }

    private static Uni<ProviderChange> insert(CatalogueWrite write, UUID uuid, String name, Long parentId) {
        Uni<Long> root = parentId == null
                ? Uni.createFrom().nullItem()
                : write.session().get(ProviderRow.class, parentId).map(parent -> parent.rootId);
        return root.chain(rootId -> write.session().createNativeQuery(NEXT_ID, Long.class).getSingleResult()
                .chain(id -> write.session()
                        .insert(new ProviderRow(id, uuid, name, parentId, rootId == null ? id : rootId))
                        .chain(() -> write.recordProvider(id))
                        .chain(() -> describe(write, id))));
    }

    /**
     * Renames the provider, and moves it with all providers below it.
     *
     * @param isParentFinal whether a provider that has a parent must keep it, as microversions below 1.37 demand
     */
    Uni<ProviderChange> update(long id, String name, TreeMove place, boolean isParentFinal) {
        return named(transactions.write(write -> switch (place) {
            case TreeMove.Unchanged _ -> rename(write, id, name);
            case TreeMove.Root _ -> write.lockTrees().chain(() -> move(write, id, name, 0, isParentFinal));
            case TreeMove.Below below ->
                write.lockTrees().chain(() -> move(write, id, name, below.parentId(), isParentFinal));
        }));
    }

    private static Uni<ProviderChange> rename(CatalogueWrite write, long id, String name) {
        return write.lock(id).chain(locked -> locked == null
                ? Uni.createFrom().item(new ProviderChange.Gone())
                : write.session().get(ProviderRow.class, id)
                        .chain(row -> set(write, row, name, row.parentId))
                        .chain(() -> write.recordProvider(id))
                        .chain(() -> describe(write, id)));
    }

    /** Updates the row of a locked provider, unless name and parent are what the row has already. */
    private static Uni<Void> set(CatalogueWrite write, ProviderRow row, String name, Long parentId) {
        if (row.name.equals(name) && Objects.equals(row.parentId, parentId)) {
            return Uni.createFrom().voidItem();
        }
        row.name = name;
        row.parentId = parentId;
        row.updatedAt = Instant.now();
        return write.session().update(row);
    }

    /**
     * Moves the provider; the caller holds the tree lock. So no provider is added to a subtree or moved, but members
     * may be deleted until they are locked.
     */
    private static Uni<ProviderChange> move(
            CatalogueWrite write, long id, String name, long parentId, boolean isParentFinal) {
        return write.session().createNativeQuery(SUBTREE, Long.class).setParameter("id", id).getResultList()
                .chain(subtree -> {
                    Set<Long> touched = new LinkedHashSet<>(subtree);
                    if (parentId != 0) {
                        touched.add(parentId);
                    }
                    if (subtree.isEmpty()) {
                        return Uni.createFrom().item(new ProviderChange.Gone());
                    }
                    return write.lock(touched)
                            .chain(locked -> moveLocked(write, id, name, parentId, isParentFinal, subtree, locked));
                });
    }

    private static Uni<ProviderChange> moveLocked(
            CatalogueWrite write, long id, String name, long parentId, boolean isParentFinal,
            List<Long> subtree, List<LockedProvider> locked) {
        if (!holds(locked, id)) {
            return Uni.createFrom().item(new ProviderChange.Gone());
        }
        if (parentId != 0 && !holds(locked, parentId)) {
            return Uni.createFrom().item(new ProviderChange.NoSuchParent());
        }
        return write.session().get(ProviderRow.class, id).chain(row -> {
            long before = row.parentId == null ? 0 : row.parentId;
            if (before != 0 && before != parentId && isParentFinal) {
                return Uni.createFrom().item(
                        parentId == 0
                                ? new ProviderChange.UnparentingRefused()
                                : new ProviderChange.ReparentingRefused());
            }
            if (subtree.contains(parentId)) {
                return Uni.createFrom().item(new ProviderChange.Loop());
            }
            Uni<Long> root = parentId == 0
                    ? Uni.createFrom().item(id)
                    : write.session().get(ProviderRow.class, parentId).map(parent -> parent.rootId);
            return root.chain(rootId -> set(write, row, name, parentId == 0 ? null : parentId)
                    .chain(() -> write.session().createNativeQuery(SET_ROOT)
                            .setParameter("ids", CatalogueWrite.text(subtree)).setParameter("root", rootId)
                            .executeUpdate())
                    .chain(rooted -> write.record(
                            FleetChanges.PROVIDER, before == parentId && rooted == 0 ? List.of(id) : subtree))
                    .chain(() -> describe(write, id)));
        });
    }

    private static boolean holds(List<LockedProvider> locked, long id) {
        return locked.stream().anyMatch(provider -> provider.id() == id);
    }

    /** Deletes the provider with its inventories, traits and aggregates. */
    Uni<ProviderDeletion> delete(long id) {
        return transactions.write(write -> write.lock(id).chain(locked -> locked == null
                ? Uni.createFrom().item(new ProviderDeletion.Gone())
                : deleteLocked(write, id)));
    }

    private static Uni<ProviderDeletion> deleteLocked(CatalogueWrite write, long id) {
        return write.session().createNativeQuery(DEPENDENTS, Object[].class).setParameter("id", id).getSingleResult()
                // Columns as in DEPENDENTS: has_children, has_allocations.
                .chain(dependents -> {
                    if ((Boolean) dependents[0]) {
                        return Uni.createFrom().item(new ProviderDeletion.HasChildren());
                    }
                    if ((Boolean) dependents[1]) {
                        return Uni.createFrom().item(new ProviderDeletion.HasAllocations());
                    }
                    return write.session().createMutationQuery(DELETE).setParameter("id", id).executeUpdate()
                            .chain(() -> write.recordProvider(id))
                            .replaceWith(new ProviderDeletion.Deleted());
                });
    }

    private static Uni<ProviderChange> describe(CatalogueWrite write, long id) {
        return write.session().createQuery(DESCRIBE, Object[].class).setParameter("id", id).getSingleResult()
                .map(row -> new ProviderChange.Done(
                        ((ProviderRow) row[0]).toProvider((UUID) row[1], (UUID) row[2])));
    }

    /**
     * Reports a name or uuid that another provider has. Another client may take it at the same time, so the database
     * decides.
     */
    private static Uni<ProviderChange> named(Uni<ProviderChange> change) {
        return change.onFailure(SqlFault.UNIQUE_VIOLATION::isIn).recoverWithItem(new ProviderChange.Taken());
    }
}
