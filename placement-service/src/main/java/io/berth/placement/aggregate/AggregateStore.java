package io.berth.placement.aggregate;

import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.FirstQuestions;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Writes which aggregates a provider is in. */
@Singleton
final class AggregateStore implements FirstQuestions {
    /** Params: provider; keys: aggregates, comma-separated. */
    private static final String DROP = """
            DELETE FROM provider_aggregates
             WHERE provider_id = :provider
               AND aggregate = ANY(CAST(string_to_array(:keys, ',') AS uuid[]))
            """;

    private static final AggregatesChange GONE = new AggregatesChange.ProviderGone();

    private final CatalogueTransactions transactions;

    AggregateStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Uni<?> ask(CatalogueWrite write) {
        return ofProvider(write, 0);
    }

    private static Uni<List<ProviderAggregateRow>> ofProvider(CatalogueWrite write, long providerId) {
        return write.listOf(providerId, ProviderAggregateRow.OF_PROVIDER, ProviderAggregateRow.class);
    }

    /** Counts a generation, also when nothing changes. */
    Uni<AggregatesChange> replace(long providerId, int generation, Set<UUID> aggregates) {
        return transactions.write(write -> write.locked(providerId, GONE, provider -> {
            if (provider.generation() != generation) {
                return Uni.createFrom().item(new AggregatesChange.GenerationConflict());
            }
            return set(write, providerId, aggregates)
                    .chain(() -> write.bumpGeneration(provider))
                    .map(AggregatesChange.Done::new);
        }));
    }

    /** Whatever the generation, and without counting one: the form below microversion 1.19. */
    Uni<AggregatesChange> replaceUncounted(long providerId, Set<UUID> aggregates) {
        return transactions.write(write -> write.locked(providerId, GONE,
                provider -> set(write, providerId, aggregates)
                        .chain(() -> write.recordProvider(providerId))
                        .replaceWith(new AggregatesChange.Done(provider.generation()))));
    }

    private static Uni<Void> set(CatalogueWrite write, long providerId, Set<UUID> wanted) {
        return ofProvider(write, providerId)
                .chain(rows -> {
                    Set<UUID> added = new LinkedHashSet<>(wanted);
                    List<UUID> dropped = new ArrayList<>();
                    for (ProviderAggregateRow row : rows) {
                        if (!added.remove(row.aggregate)) {
                            dropped.add(row.aggregate);
                        }
                    }
                    Object[] inserted =
                            added.stream().map(aggregate -> new ProviderAggregateRow(providerId, aggregate)).toArray();
                    return write.changeOf(providerId, DROP, dropped).chain(() -> write.session().insertAll(inserted));
                });
    }
}
