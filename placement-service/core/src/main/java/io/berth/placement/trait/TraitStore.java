package io.berth.placement.trait;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.FleetChanges;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Writes traits. Each change is one transaction, which also records the change for the replicas ({@link FleetChanges}).
 */
@Singleton
final class TraitStore {
    /** Param: {@code :id}. Deletes no row if the trait does not exist, or another transaction deletes it first. */
    private static final String DELETE = "delete from TraitRow where id = :id";

    private final CatalogueTransactions transactions;

    TraitStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /** Creates a trait. Returns false if the trait exists already. */
    Uni<Boolean> create(String name) {
        return transactions
                .write(write -> {
                    var row = new TraitRow(name);
                    return write.session().insert(row)
                            .chain(() -> write.record(FleetChanges.TRAIT, List.of(row.id.longValue())))
                            .replaceWith(true);
                })
                .onFailure(SqlFault.UNIQUE_VIOLATION::isKindOf)
                .recoverWithItem(false);
    }

    /**
     * Deletes the trait. If another transaction adds the trait to a provider at the same time, the foreign key of
     * provider_traits lets only one of the two succeed.
     */
    Uni<TraitDeletion> delete(int id) {
        return transactions.write(write -> write.session().createMutationQuery(DELETE)
                .setParameter("id", id)
                .executeUpdate()
                .chain(deleted -> deleted == 0
                        ? Uni.createFrom().item(TraitDeletion.GONE)
                        : write.record(FleetChanges.TRAIT, List.of((long) id))
                                .replaceWith(TraitDeletion.DELETED)))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isKindOf)
                .recoverWithItem(TraitDeletion.IN_USE);
    }
}
