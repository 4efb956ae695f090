package io.berth.placement.trait;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.FleetChanges;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** Writes the names of traits. */
@Singleton
final class TraitStore {
    /** Param: id. Deletes no row if the trait is gone, or if another transaction deletes it while this one waits. */
    private static final String DELETE = "delete from TraitRow where id = :id";

    private final CatalogueTransactions transactions;

    TraitStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /** Returns false if another client has just created it. */
    Uni<Boolean> create(String name) {
        return transactions
                .write(write -> {
                    var row = new TraitRow(name);
                    return write.session().insert(row)
                            .chain(() -> write.record(FleetChanges.TRAIT, List.of(row.id.longValue())))
                            .replaceWith(true);
                })
                .onFailure(SqlFault.UNIQUE_VIOLATION::isIn)
                .recoverWithItem(false);
    }

    /** Deletes the trait. If a provider gets it at the same time, the foreign key of provider_traits decides. */
    Uni<TraitDeletion> delete(int id) {
        return transactions.write(write -> write.session().createMutationQuery(DELETE)
                .setParameter("id", id)
                .executeUpdate()
                .chain(deleted -> deleted == 0
                        ? Uni.createFrom().item(TraitDeletion.GONE)
                        : write.record(FleetChanges.TRAIT, List.of((long) id))
                                .replaceWith(TraitDeletion.DELETED)))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isIn)
                .recoverWithItem(TraitDeletion.IN_USE);
    }
}
