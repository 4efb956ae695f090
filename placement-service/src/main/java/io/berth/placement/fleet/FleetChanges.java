package io.berth.placement.fleet;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;

/**
 * What a writer records in its own transaction, so that every replica sees the change before its next answer. A
 * forgotten record is a stale answer: whoever writes a row that {@link FleetView} shows calls this.
 */
public final class FleetChanges {
    public static final short PROVIDER = 0;
    public static final short RESOURCE_CLASS = 1;
    public static final short TRAIT = 2;
    /** Replicas reload all. */
    public static final short EVERYTHING = 9;

    /** Params: 1 kind, 2 ids of what changed (bigint[]). */
    public static final String RECORD = """
            INSERT INTO fleet_changes (kind, object_id)
            SELECT $1, unnest($2::bigint[])
            """;

    private FleetChanges() {}

    /** Records providers as new, changed or gone; a re-parented provider's whole tree must be named. */
    public static Uni<Void> providers(SqlConnection connection, Collection<Long> providerIds) {
        return record(connection, PROVIDER, providerIds);
    }

    public static Uni<Void> record(SqlConnection connection, short kind, Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(RECORD)
                .execute(Tuple.of(kind, ids.toArray(Long[]::new)))
                .replaceWithVoid();
    }
}
