package io.berth.placement.db;

/**
 * The one way to lock providers. Whoever changes a provider, its inventories, its traits, its aggregates or its use
 * locks it with this first, and reads what it decides by in a later statement of the same transaction. All take
 * consumers before providers, and providers by ascending id, so that writers wait for each other and never in a
 * circle.
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
     * Params: 1 provider ids (bigint[], any order). A row per provider that exists, as of now that the lock is held;
     * a missing row: it is gone.
     */
    public static final String LOCK = LOCK_TEMPLATE.formatted("$1::bigint[]");

    /**
     * Ids of the providers that claims touch. Params: 1 uuids of providers, 2 uuids of consumers, locked before, whose
     * allocations are theirs to give up.
     */
    public static final String TOUCHED = """
            SELECT id FROM resource_providers WHERE uuid = ANY($1::uuid[])
             UNION
            SELECT provider_id FROM allocations WHERE consumer_uuid = ANY($2::uuid[])
            """;

    /** Params: as of {@link #TOUCHED}. As {@link #LOCK}; a uuid without a row: no such provider. */
    public static final String LOCK_TOUCHED = LOCK_TEMPLATE.formatted("ARRAY(\n" + TOUCHED + ")");

    private ProviderLocks() {}
}
