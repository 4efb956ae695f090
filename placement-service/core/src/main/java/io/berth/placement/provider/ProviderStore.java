package io.berth.placement.provider;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.FleetChanges;
import io.berth.placement.db.LockedProvider;
import io.berth.placement.db.QueryWarmUp;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Writes providers and their parents. Each change is one transaction, which also records the change for the replicas
 * ({@link FleetChanges}).
 */
@Singleton
final class ProviderStore implements QueryWarmUp {
    /** Returns the id for a new provider. */
    private static final String NEXT_ID = "SELECT nextval('resource_providers_id_seq')";

    /**
     * Param: {@code :id}. Returns the ids of the provider and of all its descendants, each once, even if parents form a
     * loop; no rows if the provider does not exist.
     */
    private static final String SUBTREE = """
            WITH RECURSIVE subtree AS (
                 SELECT id FROM resource_providers WHERE id = :id
                 UNION
                 SELECT p.id FROM resource_providers p JOIN subtree s ON p.parent_id = s.id)
            SELECT id FROM subtree
            """;

    /**
     * Sets the root of providers. Params: {@code :ids}, comma-separated; {@code :root}, the id of the root. Does not
     * update a provider that has this root already. The statement is native, because HQL sends a parameter for each id,
     * and a tree may have more providers than a statement may have parameters.
     */
    private static final String SET_ROOT = """
            UPDATE resource_providers
               SET root_id = :root, updated_at = now()
             WHERE id = ANY(CAST(string_to_array(:ids, ',') AS bigint[])) AND root_id <> :root
            """;

    /**
     * Param: {@code :id}. Returns one row: whether the provider has children, and whether it has allocations. The
     * statement is native, because allocations have no entity.
     */
    private static final String DEPENDENTS = """
            SELECT EXISTS (SELECT FROM resource_providers WHERE parent_id = :id) AS has_children,
                   EXISTS (SELECT FROM allocations WHERE provider_id = :id) AS has_allocations
            """;

    /** Deletes the provider; foreign keys delete its inventories, traits and aggregates. Param: {@code :id}. */
    private static final String DELETE = "delete from ProviderRow where id = :id";

    /**
     * Param: {@code :id}. Returns one row if the provider exists: the provider, the uuid of its parent (null for a
     * root), the uuid of its root (its own uuid if that root does not exist).
     */
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

    @Override
    public Uni<?> warmUp(CatalogueWrite write) {
        return write.session().createQuery(DESCRIBE, Object[].class).setParameter("id", 0L).getResultList()
                .chain(() -> write.session().createMutationQuery(DELETE).setParameter("id", 0L).executeUpdate());
    }

    /** Creates a root provider. */
    Uni<ProviderOutcome> createRoot(UUID uuid, String name) {
        return detectTaken(transactions.write(write -> insert(write, uuid, name, null)));
    }

    /**
     * Creates a provider with a parent; the result is {@link ProviderOutcome.NoSuchParent} if the parent was deleted.
     */
    Uni<ProviderOutcome> createChild(UUID uuid, String name, long parentId) {
        return detectTaken(transactions.write(write -> write.lockTreesShared()
                .chain(() -> write.lock(parentId))
                .chain(parent -> parent == null
                        ? Uni.createFrom().item(new ProviderOutcome.NoSuchParent())
                        : insert(write, uuid, name, parentId))));
    }

    private static Uni<ProviderOutcome> insert(CatalogueWrite write, UUID uuid, String name, @Nullable Long parentId) {
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
     * Renames the provider, and moves it with all its descendants unless {@code place} is {@link TreeMove.Unchanged}.
     *
     * @param isParentFinal whether a provider that has a parent must keep it, as in microversions below 1.37
     */
    Uni<ProviderOutcome> update(long id, String name, TreeMove place, boolean isParentFinal) {
        return detectTaken(transactions.write(write -> switch (place) {
            case TreeMove.Unchanged _ -> rename(write, id, name);
            case TreeMove.Root _ -> write.lockTrees().chain(() -> move(write, id, name, 0, isParentFinal));
            case TreeMove.Below below ->
                write.lockTrees().chain(() -> move(write, id, name, below.parentId(), isParentFinal));
        }));
    }

    private static Uni<ProviderOutcome> rename(CatalogueWrite write, long id, String name) {
        return write.lock(id).chain(locked -> locked == null
                ? Uni.createFrom().item(new ProviderOutcome.Gone())
                : write.session().get(ProviderRow.class, id)
                        .chain(row -> updateRow(write, row, name, row.parentId))
                        .chain(() -> write.recordProvider(id))
                        .chain(() -> describe(write, id)));
    }

    /** Updates the row of a locked provider, unless name and parent are unchanged. */
    private static Uni<Void> updateRow(CatalogueWrite write, ProviderRow row, String name, @Nullable Long parentId) {
        if (row.name.equals(name) && Objects.equals(row.parentId, parentId)) {
            return Uni.createFrom().voidItem();
        }
        row.name = name;
        row.parentId = parentId;
        row.updatedAt = Instant.now();
        return write.session().update(row);
    }

    /**
     * Renames and moves the provider. The caller holds the tree lock ({@link CatalogueWrite#lockTrees}), so no other
     * transaction adds a provider to the subtree or moves a provider. Other transactions may still delete providers of
     * the subtree until this transaction locks them.
     *
     * @param parentId id of the new parent; 0 to make the provider a root
     */
    private static Uni<ProviderOutcome> move(
            CatalogueWrite write, long id, String name, long parentId, boolean isParentFinal) {
        return write.session().createNativeQuery(SUBTREE, Long.class).setParameter("id", id).getResultList()
                .chain(subtree -> {
                    Set<Long> idsToLock = new LinkedHashSet<>(subtree);
                    if (parentId != 0) {
                        idsToLock.add(parentId);
                    }
                    if (subtree.isEmpty()) {
                        return Uni.createFrom().item(new ProviderOutcome.Gone());
                    }
                    return write.lock(idsToLock)
                            .chain(locked -> moveLocked(write, id, name, parentId, isParentFinal, subtree, locked));
                });
    }

    private static Uni<ProviderOutcome> moveLocked(
            CatalogueWrite write, long id, String name, long parentId, boolean isParentFinal,
            List<Long> subtree, List<LockedProvider> locked) {
        if (!contains(locked, id)) {
            return Uni.createFrom().item(new ProviderOutcome.Gone());
        }
        if (parentId != 0 && !contains(locked, parentId)) {
            return Uni.createFrom().item(new ProviderOutcome.NoSuchParent());
        }
        return write.session().get(ProviderRow.class, id).chain(row -> {
            long oldParentId = row.parentId == null ? 0 : row.parentId;
            if (oldParentId != 0 && oldParentId != parentId && isParentFinal) {
                return Uni.createFrom().item(
                        parentId == 0
                                ? new ProviderOutcome.UnparentingRefused()
                                : new ProviderOutcome.ReparentingRefused());
            }
            if (subtree.contains(parentId)) {
                return Uni.createFrom().item(new ProviderOutcome.Loop());
            }
            Uni<Long> root = parentId == 0
                    ? Uni.createFrom().item(id)
                    : write.session().get(ProviderRow.class, parentId).map(parent -> parent.rootId);
            return root.chain(rootId -> updateRow(write, row, name, parentId == 0 ? null : parentId)
                    .chain(() -> write.session().createNativeQuery(SET_ROOT)
                            .setParameter("ids", CatalogueWrite.commaSeparated(subtree)).setParameter("root", rootId)
                            .executeUpdate())
                    .chain(rootChanges -> write.record(
                            FleetChanges.PROVIDER, oldParentId == parentId && rootChanges == 0 ? List.of(id) : subtree))
                    .chain(() -> describe(write, id)));
        });
    }

    private static boolean contains(List<LockedProvider> locked, long id) {
        return locked.stream().anyMatch(provider -> provider.id() == id);
    }

    /** Deletes the provider with its inventories, traits and aggregates, unless it has children or allocations. */
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

    /** Returns the present state of the provider. */
    private static Uni<ProviderOutcome> describe(CatalogueWrite write, long id) {
        return write.session().createQuery(DESCRIBE, Object[].class).setParameter("id", id).getSingleResult()
                .map(row -> new ProviderOutcome.Done(
                        ((ProviderRow) row[0]).toProvider((UUID) row[1], (UUID) row[2])));
    }

    /**
     * Converts a violation of a unique key to {@link ProviderOutcome.Taken}. Another client may use the same name or
     * uuid at the same time, so only the database can decide.
     */
    private static Uni<ProviderOutcome> detectTaken(Uni<ProviderOutcome> change) {
        return change.onFailure(SqlFault.UNIQUE_VIOLATION::isKindOf).recoverWithItem(new ProviderOutcome.Taken());
    }
}
