package io.berth.placement.resourceclass;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.FleetChanges;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.hibernate.LockMode;

/**
 * Writes resource classes. Each change is one transaction, which also records the change for the replicas ({@link
 * FleetChanges}).
 */
@Singleton
final class ResourceClassStore {
    /** Param: {@code :id}. Deletes no row if the class does not exist, or another transaction deletes it first. */
    private static final String DELETE = "delete from ResourceClassRow where id = :id";

    private final CatalogueTransactions transactions;

    ResourceClassStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /** Creates a custom resource class. */
    Uni<ResourceClassOutcome> create(String name) {
        return write(write -> {
            var row = new ResourceClassRow(name);
            return write.session().insert(row)
                    .chain(() -> write.record(FleetChanges.RESOURCE_CLASS, List.of(row.id.longValue())))
                    .replaceWith(ResourceClassOutcome.DONE);
        });
    }

    /** Renames a custom resource class. */
    Uni<ResourceClassOutcome> rename(int id, String name) {
        return write(write -> lock(write, id).chain(row -> {
            if (row == null) {
                return Uni.createFrom().item(ResourceClassOutcome.GONE);
            }
            if (row.name.equals(name)) {
                return Uni.createFrom().item(ResourceClassOutcome.DONE);
            }
            row.name = name;
            row.updatedAt = Instant.now();
            return write.session().update(row)
                    .chain(() -> write.record(FleetChanges.RESOURCE_CLASS, List.of((long) id)))
                    .replaceWith(ResourceClassOutcome.DONE);
        }));
    }

    /**
     * Deletes a custom resource class. If another transaction inserts an inventory of the class at the same time, the
     * foreign key of inventories lets only one of the two succeed.
     */
    Uni<ResourceClassOutcome> delete(int id) {
        return write(write -> write.session().createMutationQuery(DELETE)
                .setParameter("id", id)
                .executeUpdate()
                .chain(deleted -> deleted == 0
                        ? Uni.createFrom().item(ResourceClassOutcome.GONE)
                        : write.record(FleetChanges.RESOURCE_CLASS, List.of((long) id))
                                .replaceWith(ResourceClassOutcome.DONE)));
    }

    /** Locks the row and returns it; null if the class does not exist, or another transaction deletes it first. */
    private static Uni<ResourceClassRow> lock(CatalogueWrite write, int id) {
        return write.session().get(ResourceClassRow.class, id, LockMode.PESSIMISTIC_WRITE);
    }

    private Uni<ResourceClassOutcome> write(Function<CatalogueWrite, Uni<ResourceClassOutcome>> work) {
        return transactions.write(work)
                .onFailure(SqlFault.UNIQUE_VIOLATION::isKindOf)
                .recoverWithItem(ResourceClassOutcome.NAME_TAKEN)
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isKindOf)
                .recoverWithItem(ResourceClassOutcome.IN_USE);
    }
}
