package io.berth.placement.aggregate;

import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.KeyTable;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.UUID;

/** Writes which aggregates a provider is in. */
@Singleton
final class AggregateStore {
    private static final KeyTable TABLE = KeyTable.of("provider_aggregates", "aggregate", "uuid");
    private static final AggregatesChange GONE = new AggregatesChange.ProviderGone();

    private final CatalogueTransactions transactions;

    AggregateStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /** Counts a generation, also when nothing changes. */
    Uni<AggregatesChange> replace(long providerId, int generation, Set<UUID> aggregates) {
        return transactions.write(write -> write.locked(providerId, GONE, provider -> {
            if (provider.generation() != generation) {
                return Uni.createFrom().item(new AggregatesChange.GenerationConflict());
            }
            return write.replace(providerId, TABLE, aggregates)
                    .chain(() -> write.bumpGeneration(provider))
                    .map(AggregatesChange.Done::new);
        }));
    }

    /** Whatever the generation, and without counting one: the form below microversion 1.19. */
    Uni<AggregatesChange> replaceUncounted(long providerId, Set<UUID> aggregates) {
        return transactions.write(write -> write.locked(providerId, GONE,
                provider -> write.replace(providerId, TABLE, aggregates)
                        .chain(() -> write.recordProvider(providerId))
                        .replaceWith(new AggregatesChange.Done(provider.generation()))));
    }
}
