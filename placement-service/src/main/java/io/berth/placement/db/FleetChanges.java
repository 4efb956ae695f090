package io.berth.placement.db;

/**
 * Records changes of the fleet in the writer's own transaction, so that every replica sees them before its next
 * response. Every statement that writes a row shown by the fleet in memory must be accompanied by this; a missing
 * record is a stale response.
 */
public final class FleetChanges {
    public static final short PROVIDER = 0;
    public static final short RESOURCE_CLASS = 1;
    public static final short TRAIT = 2;
    /** Every replica reloads the whole fleet. */
    public static final short EVERYTHING = 9;

    /**
     * {@link #RECORD} as a part of a statement, or with other parameter notation. For {@link String#formatted}: 1 the
     * kind (smallint), 2 the ids (bigint[]).
     */
    public static final String RECORD_TEMPLATE = """
            INSERT INTO fleet_changes (kind, object_id)
            SELECT %s, unnest(%s)
            """;

    /**
     * Params: 1 kind, 2 ids of the objects that are new, changed or deleted (bigint[]). If a provider gets another
     * parent, these are the ids of its whole tree.
     */
    public static final String RECORD = RECORD_TEMPLATE.formatted("$1", "$2::bigint[]");

    private FleetChanges() {}
}
