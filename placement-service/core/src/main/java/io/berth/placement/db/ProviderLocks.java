package io.berth.placement.db;

/**
 * The statements that lock providers. A transaction that changes a provider, its inventories, traits, aggregates or use
 * must first lock the provider with one of these statements, and must read the data for its decision in a later
 * statement. Every transaction locks consumers before providers, and providers by ascending id, so that these locks
 * cause no deadlock.
 */
public final class ProviderLocks {
    /** {@link #LOCK} as a template. For {@link String#formatted}: 1 provider ids (bigint[], any order). */
    static final String LOCK_TEMPLATE = """
            SELECT id, uuid, generation
              FROM resource_providers
             WHERE id = ANY(%s)
             ORDER BY id
               FOR UPDATE
            """;

    /**
     * Locks providers. Params: 1 provider ids (bigint[], any order). Returns a row for each provider that exists, with
     * its id, uuid and present generation.
     */
    public static final String LOCK = LOCK_TEMPLATE.formatted("$1::bigint[]");

    /**
     * Selects the ids of the providers that claims change. Params: 1 uuids of the providers that the claims name, 2
     * uuids of the consumers, already locked, whose present allocations the claims replace.
     */
    public static final String TOUCHED = """
            SELECT id FROM resource_providers WHERE uuid = ANY($1::uuid[])
             UNION
            SELECT provider_id FROM allocations WHERE consumer_uuid = ANY($2::uuid[])
            """;

    /** Locks the providers of {@link #TOUCHED}, with the same params, and returns the same rows as {@link #LOCK}. */
    public static final String LOCK_TOUCHED = LOCK_TEMPLATE.formatted("ARRAY(\n" + TOUCHED + ")");

    private ProviderLocks() {}
}
