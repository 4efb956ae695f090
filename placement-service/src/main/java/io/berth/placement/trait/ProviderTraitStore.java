package io.berth.placement.trait;

import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.FirstQuestions;
import io.berth.placement.db.LockedProvider;
import io.berth.database.SqlFault;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes which traits a provider has. Counts a generation only when they change, as upstream. */
@Singleton
final class ProviderTraitStore implements FirstQuestions {
    /** Params: provider; keys: trait ids, comma-separated. */
    private static final String DROP = """
            DELETE FROM provider_traits
             WHERE provider_id = :provider
               AND trait_id = ANY(CAST(string_to_array(:keys, ',') AS integer[]))
            """;

    private static final ProviderTraitsChange GONE = new ProviderTraitsChange.ProviderGone();

    private final CatalogueTransactions transactions;

    ProviderTraitStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Uni<?> ask(CatalogueWrite write) {
        return ofProvider(write, 0);
    }

    private static Uni<List<ProviderTraitRow>> ofProvider(CatalogueWrite write, long providerId) {
        return write.listOf(providerId, ProviderTraitRow.OF_PROVIDER, ProviderTraitRow.class);
    }

    Uni<ProviderTraitsChange> replace(long providerId, int generation, Set<Integer> traitIds) {
        return transactions.write(write -> write.locked(providerId, GONE,
                provider -> provider.generation() != generation
                        ? item(new ProviderTraitsChange.GenerationConflict())
                        : set(write, provider, traitIds)))
                .onFailure(SqlFault.FOREIGN_KEY_VIOLATION::isIn)
                .recoverWithItem(new ProviderTraitsChange.TraitGone());
    }

    /** Whatever the generation. */
    Uni<ProviderTraitsChange> clear(long providerId) {
        return transactions.write(
                write -> write.locked(providerId, GONE, provider -> set(write, provider, Set.of())));
    }

    private static Uni<ProviderTraitsChange> set(CatalogueWrite write, LockedProvider provider, Set<Integer> wanted) {
        return ofProvider(write, provider.id())
                .chain(rows -> {
                    Set<Integer> added = new HashSet<>(wanted);
                    List<Integer> dropped = new ArrayList<>();
                    for (ProviderTraitRow row : rows) {
                        if (!added.remove(row.traitId)) {
                            dropped.add(row.traitId);
                        }
                    }
                    if (added.isEmpty() && dropped.isEmpty()) {
                        return item(new ProviderTraitsChange.Done(provider.generation()));
                    }
                    // By ascending id, so that two writers of the same new traits take their key locks in one order.
                    Object[] inserted =
                            added.stream().sorted().map(traitId -> new ProviderTraitRow(provider.id(), traitId))
                                    .toArray();
                    return write.changeOf(provider.id(), DROP, dropped)
                            .chain(() -> write.session().insertAll(inserted))
                            .chain(() -> write.bumpGeneration(provider))
                            .map(ProviderTraitsChange.Done::new);
                });
    }

    private static Uni<ProviderTraitsChange> item(ProviderTraitsChange change) {
        return Uni.createFrom().item(change);
    }
}
