package io.berth.placement.aggregate;

import io.berth.placement.db.CatalogueTransactions;
import io.berth.placement.db.KeyTable;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collection;

/** Writes the aggregates of a provider. Each write is one transaction, which first locks the provider. */
@Singleton
final class AggregateStore {
    /**
     * Statements that replace the aggregates of the provider {@code :provider}. {@code :keys} are the new aggregates in
     * the spelling to store, comma-separated. The column {@code aggregate} stores the uuid; {@code written} stores the
     * spelling, or null for the canonical spelling. The statements remove all dashes before the cast to uuid, because
     * clients may put dashes anywhere, and PostgreSQL accepts dashes only after groups of four digits.
     */
    private static final KeyTable TABLE = new KeyTable(
            """
            DELETE FROM provider_aggregates
             WHERE provider_id = :provider
               AND aggregate <> ALL(CAST(string_to_array(replace(:keys, '-', ''), ',') AS uuid[]))
            """,
            """
            INSERT INTO provider_aggregates AS present (provider_id, aggregate, written)
            SELECT :provider, each.uuid, nullif(each.text, CAST(each.uuid AS text))
              FROM (SELECT CAST(replace(text, '-', '') AS uuid) AS uuid, text
                      FROM unnest(string_to_array(:keys, ',')) AS text) each
            ON CONFLICT (provider_id, aggregate) DO UPDATE SET written = excluded.written
             WHERE present.written IS DISTINCT FROM excluded.written
            """);
    private static final AggregatesOutcome PROVIDER_GONE = new AggregatesOutcome.ProviderGone();

    private final CatalogueTransactions transactions;

    AggregateStore(CatalogueTransactions transactions) {
        this.transactions = transactions;
    }

    /**
     * Sets the aggregates and raises the generation, even if nothing changes.
     *
     * @param generation the generation that the client read; if the provider has another generation, nothing is written
     */
    Uni<AggregatesOutcome> replace(long providerId, int generation, Collection<String> aggregates) {
        return transactions.write(write -> write.withLock(providerId, PROVIDER_GONE, provider -> {
            if (provider.generation() != generation) {
                return Uni.createFrom().item(new AggregatesOutcome.GenerationConflict());
            }
            return write.replace(providerId, TABLE, aggregates)
                    .chain(() -> write.bumpGeneration(provider))
                    .map(AggregatesOutcome.Done::new);
        }));
    }

    /**
     * Sets the aggregates, at any generation of the provider, and does not raise the generation: microversions below
     * 1.19 have no generation for aggregates.
     */
    Uni<AggregatesOutcome> replaceWithoutGeneration(long providerId, Collection<String> aggregates) {
        return transactions.write(write -> write.withLock(providerId, PROVIDER_GONE,
                provider -> write.replace(providerId, TABLE, aggregates)
                        .chain(() -> write.recordProvider(providerId))
                        .replaceWith(new AggregatesOutcome.Done(provider.generation()))));
    }
}
