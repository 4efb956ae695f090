package io.berth.placement.trait;

import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.KeyTable;
import io.berth.placement.db.LockedProvider;
import io.berth.database.SqlFault;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.TreeSet;

/** Writes the traits of a provider. Raises the generation only if they change, as upstream. */
@Singleton
final class ProviderTraitStore {
    private static final KeyTable TABLE = KeyTable.of("provider_traits", "trait_id", "integer");
    private static final ProviderTraitsChange GONE = new ProviderTraitsChange.ProviderGone();

    private final CatalogueTransactions transactions;

    ProviderTraitStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    Uni<ProviderTraitsChange> replace(long providerId, int generation, Set<Integer> traitIds) {
        return transactions.write(write -> write.locked(providerId, GONE,
                provider -> provider.generation() != generation
                        ? item(new ProviderTraitsChange.GenerationConflict())
                        : set(write, provider, traitIds)))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isIn)
                .recoverWithItem(new ProviderTraitsChange.TraitGone());
    }

    /** Removes all traits of the provider, without checking its generation. */
    Uni<ProviderTraitsChange> clear(long providerId) {
        return transactions.write(
                write -> write.locked(providerId, GONE, provider -> set(write, provider, Set.of())));
    }

    private static Uni<ProviderTraitsChange> set(CatalogueWrite write, LockedProvider provider, Set<Integer> wanted) {
        // Writes by ascending id, so that two writers of the same new traits take their key locks in one order.
        return write.replace(provider.id(), TABLE, new TreeSet<>(wanted))
                .chain(count -> count == 0
                        ? Uni.createFrom().item(provider.generation())
                        : write.bumpGeneration(provider))
                .map(ProviderTraitsChange.Done::new);
    }

    private static Uni<ProviderTraitsChange> item(ProviderTraitsChange change) {
        return Uni.createFrom().item(change);
    }
}
