package io.berth.placement.trait;

import io.berth.database.SqlFault;
import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.KeyTable;
import io.berth.placement.db.LockedProvider;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the traits of a provider. Each write is one transaction, which first locks the provider. As in upstream, a
 * write raises the provider's generation only if the traits change.
 */
@Singleton
final class ProviderTraitStore {
    private static final KeyTable TABLE = KeyTable.of("provider_traits", "trait_id", "integer");
    private static final ProviderTraitsOutcome PROVIDER_GONE = new ProviderTraitsOutcome.ProviderGone();

    private final CatalogueTransactions transactions;

    ProviderTraitStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /** Replaces the traits of the provider, if it has this generation. */
    Uni<ProviderTraitsOutcome> replace(long providerId, int generation, Set<Integer> traitIds) {
        return transactions.write(write -> write.withLock(providerId, PROVIDER_GONE,
                provider -> provider.generation() != generation
                        ? item(new ProviderTraitsOutcome.GenerationConflict())
                        : set(write, provider, traitIds)))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isKindOf)
                .recoverWithItem(new ProviderTraitsOutcome.TraitGone());
    }

    /** Removes all traits of the provider, at any generation. */
    Uni<ProviderTraitsOutcome> clear(long providerId) {
        return transactions.write(
                write -> write.withLock(providerId, PROVIDER_GONE, provider -> set(write, provider, Set.of())));
    }

    private static Uni<ProviderTraitsOutcome> set(
            CatalogueWrite write, LockedProvider provider, Set<Integer> traitIds) {
        // Inserts by ascending trait id. The foreign key locks the rows of traits, and concurrent transactions must
        // lock them in the same order, so that no deadlock occurs.
        return write.replace(provider.id(), TABLE, new TreeSet<>(traitIds))
                .chain(count -> count == 0
                        ? Uni.createFrom().item(provider.generation())
                        : write.bumpGeneration(provider))
                .map(ProviderTraitsOutcome.Done::new);
    }

    private static Uni<ProviderTraitsOutcome> item(ProviderTraitsOutcome outcome) {
        return Uni.createFrom().item(outcome);
    }
}
