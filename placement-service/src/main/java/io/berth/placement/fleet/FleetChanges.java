package io.berth.placement.fleet;

/**
 * What a writer records in its own transaction, so that every replica sees the change before its next answer. A
 * forgotten record is a stale answer: whoever writes a row that {@link FleetView} shows runs this.
 */
public final class FleetChanges {
    public static final short PROVIDER = 0;
    public static final short RESOURCE_CLASS = 1;
    public static final short TRAIT = 2;
    /** Replicas reload all. */
    public static final short EVERYTHING = 9;

    /** Params: 1 kind, 2 ids of what is new, changed or gone (bigint[]); of a re-parented provider, its whole tree's. */
    public static final String RECORD = """
            INSERT INTO fleet_changes (kind, object_id)
            SELECT $1, unnest($2::bigint[])
            """;

    private FleetChanges() {}
}
