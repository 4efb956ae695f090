package io.berth.placement.trait;

import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.SqlFault;
import io.berth.placement.fleet.FleetChanges;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import org.hibernate.LockMode;

/** Writes the names of traits. */
@Singleton
final class TraitStore {
    private final CatalogueTransactions transactions;

    TraitStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /** False when somebody else has just created it. */
    Uni<Boolean> create(String name) {
        return transactions.write(write -> {
                    var row = new TraitRow(name);
                    return write.session().insert(row)
                            .chain(() -> write.record(FleetChanges.TRAIT, List.of(row.id.longValue())))
                            .replaceWith(true);
                })
                .onFailure(SqlFault.UNIQUE_VIOLATION::isIn)
                .recoverWithItem(false);
    }

    /** The foreign key of provider_traits decides against a provider that gets the trait at the same moment. */
    Uni<TraitDeletion> delete(int id) {
        return transactions.write(write -> locked(write, id).chain(row -> row == null
                        ? Uni.createFrom().item(TraitDeletion.GONE)
                        : write.session().delete(row)
                                .chain(() -> write.record(FleetChanges.TRAIT, List.of((long) id)))
                                .replaceWith(TraitDeletion.DELETED)))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isIn)
                .recoverWithItem(TraitDeletion.IN_USE);
    }

    /** Null when it is gone, also when that happens while somebody else's deletion is waited for. */
    private static Uni<TraitRow> locked(CatalogueWrite write, int id) {
        return write.session().get(TraitRow.class, id, LockMode.PESSIMISTIC_WRITE);
    }
}
