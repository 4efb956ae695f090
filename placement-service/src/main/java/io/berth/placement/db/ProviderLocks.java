package io.berth.placement.db;

/**
 * The only way to lock providers. A transaction that changes a provider, its inventories, traits, aggregates or use
 * first locks the provider with this, and reads the data for its decision in a later statement. Every transaction locks
 * consumers before providers, and providers by ascending id, so that no deadlock occurs.
 */
public final class ProviderLocks {
    /** For {@link String#formatted}: 1 provider ids (bigint[], any order). */
    static final String LOCK_TEMPLATE = """
            SELECT id, uuid, generation
              FROM resource_providers
             WHERE id = ANY(%s)
             ORDER BY id
               FOR UPDATE
            """;

    /**
     * Params: 1 provider ids (bigint[], any order). Returns a row for each provider that exists, with its state under
     * the lock; a provider without a row is gone.
     */
    public static final String LOCK = LOCK_TEMPLATE.formatted("$1::bigint[]");

    /**
     * Ids of the providers that claims touch. Params: 1 uuids of providers, 2 uuids of consumers that are already
     * locked and whose present allocations the claims replace.
     */
    public static final String TOUCHED = """
            SELECT id FROM resource_providers WHERE uuid = ANY($1::uuid[])
             UNION
            SELECT provider_id FROM allocations WHERE consumer_uuid = ANY($2::uuid[])
            """;

    /**
     * Params: as for {@link #TOUCHED}. Locks the providers like {@link #LOCK}; a uuid without a row is no provider's.
     */
    public static final String LOCK_TOUCHED = LOCK_TEMPLATE.formatted("ARRAY(\n" + TOUCHED + ")");

    private ProviderLocks() {}
}
