package io.berth.placement.db;

/**
 * The statement that records a change of the fleet, so that every replica applies it before its next response. A
 * transaction that writes a row which the fleet in memory contains must run this statement; without it, replicas return
 * stale responses.
 */
public final class FleetChanges {
    /**
     * A value of {@code fleet_changes.kind}, as are the following constants: a provider was inserted or deleted, or its
     * row, inventories, traits, aggregates or use changed.
     */
    public static final short PROVIDER = 0;
    /** A resource class was inserted, changed or deleted. */
    public static final short RESOURCE_CLASS = 1;
    /** A trait was inserted, changed or deleted. */
    public static final short TRAIT = 2;
    /** Every replica must reload the whole fleet; the id of the change is 0. */
    public static final short EVERYTHING = 9;

    /** {@link #RECORD} as a template. For {@link String#formatted}: 1 the kind (smallint), 2 the ids (bigint[]). */
    public static final String RECORD_TEMPLATE = """
            INSERT INTO fleet_changes (kind, object_id)
            SELECT %s, unnest(%s)
            """;

    /**
     * Records changes. Params: 1 kind (one of the constants above), 2 ids of the inserted, changed or deleted objects
     * (bigint[]). If a provider gets another parent, the ids must be those of all providers of its tree.
     */
    public static final String RECORD = RECORD_TEMPLATE.formatted("$1", "$2::bigint[]");

    private FleetChanges() {}
}
